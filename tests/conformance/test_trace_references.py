"""Agreement with reference implementations where the questions are the same.

Runs apart from the unit tests, with pytrec_eval-terrier and agentevals installed; without them it fails.
"""

import random
from fractions import Fraction

import pytest
import pytrec_eval
from agentevals.trajectory.match import create_trajectory_match_evaluator

from evalbook.domain.case import Case
from evalbook.domain.outcome import Outcome
from evalbook.services.scoring import catalog
from evalbook.traces.formats.catalog import formats

SEEDS = range(200)


def ranking(seed):
    """A generated run of up to 30 distinct documents, best first, and the labels of some of the pool."""
    draw = random.Random(seed)
    pool = [f"d{number}" for number in range(40)]
    ranked = draw.sample(pool, draw.randint(1, 30))
    relevant = draw.sample(pool, draw.randint(1, 20))
    return ranked, relevant


def reference(ranked, relevant, measure):
    run = {"q": {document: float(len(ranked) - place) for place, document in enumerate(ranked)}}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": dict.fromkeys(relevant, 1)}, {measure})
    return evaluator.evaluate(run)["q"][measure]


def scored(ranked, relevant, **parameters):
    documents = [{"id": document, "rank": place} for place, document in enumerate(ranked)]
    span = {"span_id": "r", "kind": "retrieval", "documents": random.Random(0).sample(documents, len(documents))}
    prepared = catalog.find("retrieval_relevance").prepare({"threshold": 0, **parameters})
    return prepared.score(Case("case", expected=relevant, trace={"spans": [span]})).score


@pytest.mark.parametrize("k", [1, 5, 10, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_precision_at_k_is_that_of_trec_eval(seed, k):
    ranked, relevant = ranking(seed)

    ours = scored(ranked, relevant, metric="precision", k=k, denominator="k")

    assert ours == pytest.approx(reference(ranked, relevant, f"P_{k}"), abs=1e-12)


@pytest.mark.parametrize("k", [5, 10, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_recall_at_k_is_that_of_trec_eval(seed, k):
    ranked, relevant = ranking(seed)

    ours = scored(ranked, relevant, metric="recall", k=k)

    assert ours == pytest.approx(reference(ranked, relevant, f"recall_{k}"), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_f1_of_the_whole_run_is_that_of_trec_eval(seed):
    ranked, relevant = ranking(seed)

    ours = scored(ranked, relevant, metric="f1")

    hits = len(set(ranked) & set(relevant))
    assert ours == pytest.approx(float(Fraction(2 * hits, len(ranked) + len(relevant))))
    assert ours == pytest.approx(reference(ranked, relevant, "set_F"), abs=1e-12)


def messages(names, arguments="{}"):
    """An OpenAI conversation that calls *names* one after the other."""
    calls = [
        [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"id": f"c{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
                ],
            },
            {"role": "tool", "tool_call_id": f"c{place}", "content": "done"},
        ]
        for place, name in enumerate(names)
    ]
    return [{"role": "user", "content": "go"}, *(message for pair in calls for message in pair)]


def passes(implementation, parameters, conversation):
    case = Case("case", trace=formats()["openai_chat"].read(conversation))
    return catalog.find(implementation).prepare(parameters).score(case).outcome is Outcome.PASS


def agreed(mode, outputs, wanted, arguments="ignore"):
    evaluator = create_trajectory_match_evaluator(trajectory_match_mode=mode, tool_args_match_mode=arguments)
    return evaluator(outputs=outputs, reference_outputs=wanted)["score"] is True


def names(seed):
    draw = random.Random(seed)
    return draw.choices("abc", k=draw.randint(1, 4)), draw.choices("abc", k=draw.randint(1, 3))


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_of_a_run_of_their_length_are_its_strict_match(seed):
    called, required = names(seed)
    required = (required * 4)[: len(called)]
    if seed % 2:
        required = list(called)

    ours = passes("trajectory", {"required_steps": [{"name": name} for name in required]}, messages(called))

    assert ours is agreed("strict", messages(called), messages(required))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_step_several_times_is_a_superset_match(seed):
    called, required = names(seed)
    required = [required[0]] * len(required)

    ours = passes("trajectory", {"required_steps": [{"name": name} for name in required]}, messages(called))

    assert ours is agreed("superset", messages(called), messages(required))


@pytest.mark.parametrize("seed", SEEDS)
def test_forbidding_all_other_tools_is_a_subset_match(seed):
    called, allowed = names(seed)
    others = sorted(set("abc") - set(allowed)) or ["d"]

    ours = passes("trajectory", {"forbidden_tools": others}, messages(called))

    assert ours is agreed("subset", messages(called), messages(allowed * len(called)))


ARGUMENTS = ['{"x": 1}', '{"x": "1"}', '{"x": 2}', '{"y": 1, "x": 1}', '{"x": {"b": [1, 2], "a": null}}', "{}"]


@pytest.mark.parametrize("made", ARGUMENTS)
@pytest.mark.parametrize("wanted", ARGUMENTS)
def test_arguments_equal_as_a_whole_are_an_exact_match(made, wanted):
    expected = formats()["openai_chat"].read(messages("a", wanted))["spans"][0]["arguments"]
    rule = {"path": "", "rule": "equals", "value": expected}

    ours = passes("tool_call_match", {"tool": "a", "tool_params": [rule]}, messages("a", made))

    assert ours is agreed("superset", messages("a", made), messages("a", wanted), arguments="exact")
