"""Virtual environments beside the project's, for programs whose pins clash with its own: the emulator, the fuzzer."""

import fcntl
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from devstack.errors import StackError

_STAMP: Final = "requirements.sha256"


def emulator_python(root: Path) -> Path:
    """Return the interpreter of `.venv-emulator` under *root*, made from requirements/emulator.txt when it is missing.

    Raises:
        StackError: the packages could not be installed.
    """
    return prepared_environment(root, "emulator") / "python"


def prepared_environment(root: Path, name: str) -> Path:
    """Return the programs' folder of `.venv-{name}` under *root*, made from requirements/{name}.txt when it is missing.

    Raises:
        StackError: the packages could not be installed.
    """
    environment = root / f".venv-{name}"
    requirements = root / "requirements" / f"{name}.txt"
    wanted = hashlib.sha256(requirements.read_bytes()).hexdigest()
    environment.mkdir(exist_ok=True)
    with _only_one_process_in(environment):
        stamp = environment / _STAMP
        if not stamp.exists() or stamp.read_text() != wanted:
            _install(environment, requirements)
            stamp.write_text(wanted)
    return environment / "bin"


def _python_of(environment: Path) -> Path:
    return environment / "bin" / "python"


def _install(environment: Path, requirements: Path) -> None:
    print(f"Installing {requirements.name} into {environment.name} (once) ...", file=sys.stderr)
    _run(sys.executable, "-m", "venv", str(environment))
    _run(
        *(str(_python_of(environment)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--require-hashes", "-r", str(requirements)),
    )


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise StackError(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")


@contextmanager
def _only_one_process_in(environment: Path) -> Iterator[None]:
    """Hold a lock, so that stacks which start side by side do not install over each other."""
    with (environment / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
