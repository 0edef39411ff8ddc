"""The local stack itself, with a small function of its own between two queues."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from devstack.emulator.deploy import Deployer
from devstack.emulator.emulator import HOST, Emulator
from devstack.errors import StackError
from devstack.stack import ROOT, Stack

ECHO = Path(__file__).parent / "echo" / "template.yaml"
PATIENCE = 15.0
INTERRUPTIBLE = ("env", "--default-signal=INT")  # also where the tests run in the background of a shell
OWNER = """
import time
from pathlib import Path
from devstack.emulator.emulator import Emulator

with Emulator(Path.cwd()) as emulator:
    print(emulator.process_group, emulator.log, flush=True)
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def echo():
    with Stack(ECHO, parameters={"MaximumConcurrency": "3"}) as running:
        yield running


def send(echo, *bodies):
    entries = [{"Id": str(number), "MessageBody": body} for number, body in enumerate(bodies)]
    echo.client("sqs").send_message_batch(QueueUrl=echo.outputs["InQueueUrl"], Entries=entries)


def receive(echo, queue, count):
    """Take *count* messages off the queue; fewer when they do not come in time."""
    sqs, url = echo.client("sqs"), echo.outputs[queue]
    bodies = []
    deadline = time.monotonic() + PATIENCE
    while len(bodies) < count and time.monotonic() < deadline:
        for message in sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1).get("Messages", []):
            bodies.append(message["Body"])
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return sorted(bodies)


def deployer(echo):
    return Deployer(echo.client("cloudformation"), echo.client("s3"))


def invoke(echo, event):
    answer = echo.client("lambda").invoke(FunctionName=echo.physical_id("EchoFunction"), Payload=json.dumps(event))
    return json.loads(answer["Payload"].read())


def is_gone(group):
    """Tell whether no live process is left in the process group, now or soon; one that waits to be reaped is dead."""
    deadline = time.monotonic() + PATIENCE
    while (alive := live_processes_of(group)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive


def live_processes_of(group):
    pids = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended while we looked
            state, _, process_group, *_ = stat.read_text().rpartition(")")[2].split()
            if int(process_group) == group and state != "Z":
                pids.append(stat.parent.name)
    return pids


def test_a_message_is_handled_under_the_real_runtime_client(echo):
    send(echo, "hello")

    assert receive(echo, "OutQueueUrl", 1) == ["hello by awslambdaric"]


def test_a_failed_item_comes_again_until_it_is_exhausted_and_the_others_do_not(echo):
    send(echo, "one", "fail", "two")

    assert receive(echo, "DeadQueueUrl", 1) == ["fail"]
    assert receive(echo, "OutQueueUrl", 2) == ["one by awslambdaric", "two by awslambdaric"]


def test_an_exception_keeps_its_type_and_message(echo):
    answer = invoke(echo, {"raise": "at /output"})

    assert (answer["errorType"], answer["errorMessage"]) == ("CaseInvalid", "at /output")


def test_a_function_has_the_rights_of_its_role_and_no_others(echo):
    assert invoke(echo, {"send_to_forbidden_queue": True}) == {"code": "AccessDenied"}


def test_what_a_function_prints_is_in_its_log_group(echo):
    send(echo, "four")
    receive(echo, "OutQueueUrl", 1)

    deadline = time.monotonic() + PATIENCE
    while "echoing 4 characters" not in echo.logs("EchoLogs") and time.monotonic() < deadline:
        time.sleep(0.05)

    assert "echoing 4 characters" in echo.logs("EchoLogs")


def test_a_number_among_the_parameters_arrives_as_a_number(echo):
    mappings = echo.client("lambda").list_event_source_mappings()["EventSourceMappings"]

    assert [mapping["ScalingConfig"] for mapping in mappings] == [{"MaximumConcurrency": 3}]


def test_a_stack_that_ends_leaves_no_process_no_port_and_no_file():
    with Stack(ECHO) as running:
        group, port, log = running.emulator.process_group, running.emulator.port, running.emulator.log
        invoke(running, {"Records": []})

    assert is_gone(group)
    assert not log.parent.exists()
    with socket.socket() as probe:
        assert probe.connect_ex((HOST, port)) != 0


def test_an_emulator_ends_with_its_owner_even_when_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", OWNER], cwd=ROOT, stdout=subprocess.PIPE, text=True) as owner:
        group, log = owner.stdout.readline().split()
        was_running = live_processes_of(int(group))
        owner.kill()

    assert was_running
    assert is_gone(int(group))
    assert not Path(log).parent.exists()


def test_ctrl_c_stops_a_stack_that_was_left_running():
    command = [*INTERRUPTIBLE, sys.executable, "-m", "devstack", "up"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as up:
        greeting = up.stdout.readline()
        os.killpg(up.pid, signal.SIGINT)
        rest = up.stdout.read()

    assert greeting.startswith(f"The stack is up at http://{HOST}:")
    assert rest.endswith("Stopped.\n")
    assert up.returncode == 0


def test_a_resource_of_a_type_that_the_emulator_lacks_is_named(echo, tmp_path):
    template = tmp_path / "template.yaml"
    template.write_text("Resources: {Channel: {Type: AWS::MediaLive::Channel}}")

    with pytest.raises(StackError, match="AWS::MediaLive::Channel"):
        deployer(echo).deploy(template, "refused", {}, ROOT / "shared")


def test_a_resource_that_cannot_be_made_is_named(echo, tmp_path):
    template = tmp_path / "template.yaml"
    template.write_text("Resources: {Queue: {Type: AWS::SQS::Queue, Properties: {VisibilityTimeout: -1}}}")

    with pytest.raises(StackError, match=r"Queue \(AWS::SQS::Queue\)"):
        deployer(echo).deploy(template, "failing", {}, ROOT / "shared")


def test_a_port_in_use_is_refused():
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()

        with pytest.raises(StackError, match="already in use"), Emulator(ROOT, taken.getsockname()[1]):
            pass


def test_every_family_queue_feeds_the_function_of_its_family(stack):
    families = ["Text", "Structured", "Trace", "Retrieval", "Secrets"]

    mappings = stack.client("lambda").list_event_source_mappings()["EventSourceMappings"]

    pairs = {(each["EventSourceArn"].rsplit(":")[-1], each["FunctionArn"].rsplit(":")[-1]) for each in mappings}
    scored = {(f"evalbook-{family.lower()}", stack.physical_id(f"Score{family}Function")) for family in families}
    judged = {("evalbook-judge", stack.physical_id("JudgeDispatchFunction"))}
    given_up = {
        (f"evalbook-{family.lower()}-exhausted", stack.physical_id("ExhaustedFunction"))
        for family in [*families, "Judge"]
    }
    sandbox = {("evalbook-sandbox", stack.physical_id("SandboxWorkFunction"))}
    calibrated = {
        (f"evalbook-calibrations{queue}", stack.physical_id("CalibrateFunction")) for queue in ("", "-exhausted")
    }
    assert pairs == scored | judged | given_up | sandbox | calibrated
