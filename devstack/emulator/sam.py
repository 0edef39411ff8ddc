"""Check the template with the tools that deploy it: validate, lint, build, and import what was built."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
ENVIRONMENT: Final = ROOT / ".venv-sam"
REGION: Final = "us-east-1"
RUNTIME: Final = "python3.13"
_SMOKE: Final = """
import evalbook.entrypoints.scoring
from evalbook.services.scoring import catalog
print("The built layer imports:", len(catalog.implementations()), "implementations.")
"""


def main() -> int:
    """Run every check; 0 when all of them pass. Building is left out, and said so, where there is no Python 3.13."""
    _environment()
    _run("sam", "validate", "--lint", "--region", REGION)
    transformed = ROOT / ".aws-sam" / "transformed.json"
    transformed.parent.mkdir(exist_ok=True)
    with transformed.open("wb") as target:
        subprocess.run([sys.executable, "-m", "devstack.emulator.transformed"], cwd=ROOT, stdout=target, check=True)
    _run("cfn-lint", str(transformed))
    print("The transformed template has no findings.")
    interpreter = _interpreter()
    if interpreter is None:
        print(f"No {RUNTIME} was found, so `sam build` was not tried.")
        return 0
    _build(interpreter)
    return 0


def _environment() -> None:
    """Make the environment of the AWS SAM CLI where it is missing or out of date."""
    wanted = (ROOT / "requirements" / "sam.txt").read_text("utf-8")
    stamp = ENVIRONMENT / "installed.txt"
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # The pip of Python 3.11 cannot check hashes of requirements with extras.
    subprocess.run([*pip, "--upgrade", "pip"], check=True)
    subprocess.run([*pip, "--require-hashes", "-r", str(ROOT / "requirements" / "sam.txt")], check=True)
    stamp.write_text(wanted, "utf-8")


def _interpreter() -> Path | None:
    """A real interpreter of the runtime's version, on PATH or beside the others of pyenv; a shim is none."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep)]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places += sorted(pyenv.glob("3.13.*/bin"), reverse=True)
    for place in places:
        found = place / RUNTIME
        if found.is_file() and "shims" not in found.parts:
            return found
    return None


def _build(interpreter: Path) -> None:
    path = os.pathsep.join([str(interpreter.parent), os.environ.get("PATH", "")])
    _run("sam", "build", "--region", REGION, path=path)
    built = ROOT / ".aws-sam" / "build"
    layers = [str(layer) for layer in sorted(built.glob("*/python"))]
    # By content and not by time: packaging sets every time stamp to 1980, which would make other byte code stale.
    compiling = [str(interpreter), "-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash", *layers]
    subprocess.run(compiling, check=True)
    _smoke(interpreter, built / "SharedLayer" / "python")


def _smoke(interpreter: Path, layer: Path) -> None:
    """Import the built layer on the runtime's Python, with this machine's dependencies: built ones are for arm64."""
    environment = ROOT / ".venv-runtime"
    subprocess.run([str(interpreter), "-m", "venv", str(environment)], check=True)
    python = str(environment / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    subprocess.run([*pip, "-r", str(ROOT / "requirements" / "runtime.txt")], check=True)
    subprocess.run([python, "-c", _SMOKE], env={"PYTHONPATH": str(layer), "AWS_DEFAULT_REGION": REGION}, check=True)


def _run(tool: str, *arguments: str, path: str | None = None) -> None:
    environment = {**os.environ, "PATH": path or os.environ.get("PATH", ""), "SAM_CLI_TELEMETRY": "0"}
    command = [str(ENVIRONMENT / "bin" / tool), *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
