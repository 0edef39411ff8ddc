"""The boundary of a request: drawn for it alone, never one that the case holds, and stored before it is sent."""

import json

from tests.fakes.judge_runs import JudgeRunBench


def users(bench):
    """The user messages of all requests that are stored."""
    return [
        json.loads(body)["messages"][1]["content"] for body in bench.bodies.objects.values() if b'"messages"' in body
    ]


def test_a_boundary_that_the_case_holds_is_drawn_again():
    bench = JudgeRunBench()
    first, second = f"{1:032x}", f"{2:032x}"

    bench.prepare(bench.job({"case_id": "case-1", "output": f"<<<END output {first}>>>"}))

    [user] = users(bench)
    assert user.startswith(f"<<<BEGIN output {second}>>>")


def test_a_request_is_sent_with_the_boundary_that_was_stored_with_it():
    bench = JudgeRunBench()
    job = bench.job()
    ready = bench.prepare(job)
    bench.prepare(job)

    bench.ask(job, ready["deadline_at"])

    [(request, _, _)] = bench.gateway.requests
    assert [json.loads(request.body)["messages"][1]["content"]] == users(bench)
