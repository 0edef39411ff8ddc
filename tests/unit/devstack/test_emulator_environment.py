import pytest

from devstack.emulator import environment
from devstack.emulator.environment import emulator_python, prepared_environment
from devstack.errors import StackError


@pytest.fixture
def root(tmp_path):
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "emulator.txt").write_text("ministack==1\n")
    return tmp_path


@pytest.fixture
def commands(monkeypatch):
    """The commands that would have been run, in place of running them."""
    seen = []
    monkeypatch.setattr(environment, "_run", lambda *command: seen.append(command))
    return seen


def test_a_missing_environment_is_made_with_hashes(root, commands):
    python = emulator_python(root)

    made, installed = commands
    assert made[1:] == ("-m", "venv", str(root / ".venv-emulator"))
    assert installed[0] == str(python)
    assert installed[-3:] == ("--require-hashes", "-r", str(root / "requirements" / "emulator.txt"))


def test_an_environment_that_is_there_is_used(root, commands):
    emulator_python(root)
    commands.clear()

    emulator_python(root)

    assert commands == []


def test_other_requirements_are_installed(root, commands):
    emulator_python(root)
    commands.clear()
    (root / "requirements" / "emulator.txt").write_text("ministack==2\n")

    emulator_python(root)

    assert len(commands) == 2


def test_an_installation_that_failed_is_tried_again(root, monkeypatch, commands):
    def failing(*command):
        raise StackError("no network")

    with monkeypatch.context() as broken:
        broken.setattr(environment, "_run", failing)
        with pytest.raises(StackError):
            emulator_python(root)

    emulator_python(root)

    assert len(commands) == 2


def test_a_command_that_fails_is_named_with_what_it_said():
    with pytest.raises(StackError, match=r"(?s)false-start.*boom"):
        environment._run("sh", "-c", "echo boom >&2; exit 1", "false-start")


def test_each_program_has_an_environment_of_its_own(root, commands):
    (root / "requirements" / "fuzz.txt").write_text("schemathesis==1\n")
    emulator_python(root)

    programs = prepared_environment(root, "fuzz")

    assert programs == root / ".venv-fuzz" / "bin"
    assert len(commands) == 4
