"""Run the template's functions here: the project's interpreter and packages instead of the layers, the same client."""

import copy
import io
import shlex
import sys
import zipfile
from pathlib import Path
from typing import Final

from devstack.emulator import faulty_handler
from devstack.emulator.faulty_handler import BOOK, HANDLER
from devstack.emulator.template import Template

_ROOT: Final = Path(__file__).resolve().parents[2]

_FUNCTION: Final = "AWS::Serverless::Function"
_LAYER: Final = "AWS::Serverless::LayerVersion"
_EXECUTABLE: Final = 0o755 << 16
_THE_OLDEST_ZIP_CAN_SAY: Final = (1980, 1, 1, 0, 0, 0)


def on_this_machine(template: Template) -> Template:
    """Return a copy of *template* without layers, whose functions are started by the bootstrap in their package."""
    template = copy.deepcopy(template)
    shared = template.get("Globals", {}).get("Function", {})
    functions = [each["Properties"] for each in template["Resources"].values() if each["Type"] == _FUNCTION]
    for properties in (shared, *functions):
        properties.pop("Layers", None)
        properties.pop("Architectures", None)
        properties.pop("Runtime", None)
    for properties in functions:
        properties["Runtime"] = "provided.al2023"
    template["Resources"] = {name: each for name, each in template["Resources"].items() if each["Type"] != _LAYER}
    return template


def package(directory: Path, shared: Path, faults: Path | None = None) -> bytes:
    """Return *directory* as a Lambda package (zip) with a bootstrap; equal contents give equal bytes.

    With a folder *faults*, its handler goes wrong where a fault is laid down there.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "bootstrap", bootstrap(shared, faults).encode())
        for path in sorted(directory.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                _add(archive, str(path.relative_to(directory)), path.read_bytes())
    return buffer.getvalue()


def bootstrap(shared: Path, faults: Path | None = None) -> str:
    """Return the shell script that starts the real runtime client, as Lambda's own Python runtime does."""
    python = shlex.quote(sys.executable)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"""#!/bin/sh
export PYTHONPATH="$LAMBDA_TASK_ROOT":{shlex.quote(str(shared))}
export AWS_EXECUTION_ENV=AWS_Lambda_python{version} AWS_LAMBDA_LOG_FORMAT=JSON AWS_LAMBDA_LOG_LEVEL="$LOG_LEVEL"
{"" if faults is None else _wrapping(faults)}exec {python} -m awslambdaric "$_HANDLER"
"""


def _wrapping(faults: Path) -> str:
    """The lines that put `faulty_handler` between the runtime client and the function's own handler."""
    root = shlex.quote(str(_ROOT))
    return f"""export PYTHONPATH="$PYTHONPATH":{root} {BOOK}={shlex.quote(str(faults))} {HANDLER}="$_HANDLER"
_HANDLER={faulty_handler.__name__}.lambda_handler
"""


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _THE_OLDEST_ZIP_CAN_SAY)
    entry.external_attr = _EXECUTABLE
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
