import io
import shlex
import sys
import zipfile

import pytest

from devstack.emulator.functions import bootstrap, on_this_machine, package

TEMPLATE = {
    "Globals": {
        "Function": {"Runtime": "python3.13", "Architectures": ["arm64"], "Layers": [{"Ref": "Shared"}], "Timeout": 9}
    },
    "Resources": {
        "Shared": {"Type": "AWS::Serverless::LayerVersion", "Properties": {"ContentUri": "shared/"}},
        "Score": {"Type": "AWS::Serverless::Function", "Properties": {"CodeUri": "score/", "Runtime": "python3.13"}},
        "Queue": {"Type": "AWS::SQS::Queue"},
    },
}


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "handler.py").write_text("def lambda_handler(event, context): ...\n")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "handler.cpython-311.pyc").write_bytes(b"x")
    return tmp_path


def opened(content):
    return zipfile.ZipFile(io.BytesIO(content))


def test_functions_run_by_their_bootstrap():
    resources = on_this_machine(TEMPLATE)["Resources"]

    assert resources["Score"]["Properties"] == {"CodeUri": "score/", "Runtime": "provided.al2023"}


def test_layers_are_left_out():
    there = on_this_machine(TEMPLATE)

    assert set(there["Resources"]) == {"Score", "Queue"}
    assert there["Globals"]["Function"] == {"Timeout": 9}


def test_the_given_template_is_left_alone():
    on_this_machine(TEMPLATE)

    assert TEMPLATE["Globals"]["Function"]["Runtime"] == "python3.13"
    assert "Shared" in TEMPLATE["Resources"]


def test_a_package_holds_the_code_and_a_bootstrap(directory):
    archive = opened(package(directory, directory / "shared"))

    assert archive.namelist() == ["bootstrap", "handler.py"]


def test_the_bootstrap_may_be_executed(directory):
    entry = opened(package(directory, directory / "shared")).getinfo("bootstrap")

    assert entry.external_attr >> 16 == 0o755


def test_equal_contents_give_equal_packages(directory):
    first = package(directory, directory / "shared")
    (directory / "handler.py").touch()

    assert package(directory, directory / "shared") == first


def test_the_bootstrap_starts_the_runtime_client_with_this_interpreter(tmp_path):
    last_line = bootstrap(tmp_path).splitlines()[-1]

    assert shlex.split(last_line) == ["exec", sys.executable, "-m", "awslambdaric", "$_HANDLER"]


def test_a_path_with_a_space_stays_one_path(tmp_path):
    line = next(line for line in bootstrap(tmp_path / "my shared").splitlines() if "PYTHONPATH" in line)

    assert shlex.split(line) == ["export", f"PYTHONPATH=$LAMBDA_TASK_ROOT:{tmp_path}/my shared"]


def test_on_a_faulty_stack_the_runtime_client_starts_the_handler_that_can_go_wrong(tmp_path):
    lines = bootstrap(tmp_path, tmp_path / "faults").splitlines()

    assert lines[-2] == "_HANDLER=devstack.emulator.faulty_handler.lambda_handler"
    assert f"DEVSTACK_FAULTS={tmp_path}/faults" in lines[-3]
