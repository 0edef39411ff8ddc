import json

import pytest

from evalbook.contracts.score_batch import ScoreBatch
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.versions import ScorerKey, VersionState
from evalbook.services.scoring.version_lookup import VersionLookup
from tests.fakes.batches import SCORER, head, version
from tests.fakes.stores import MemoryVersions

ACTIVE = {"name": SCORER.name, "version": "active"}


@pytest.fixture
def store() -> MemoryVersions:
    store = MemoryVersions()
    for number in (1, 2):
        store.put(version(number, state=VersionState.DRAFT))
    return store


def named(run_id: str = "run-1", **changes) -> ScoreBatch:
    return ScoreBatch.model_validate_json(json.dumps(head(run_id=run_id, cases=[], **changes)))


def test_the_active_version_is_the_one_that_was_active_when_the_run_first_asked(store):
    store.activate(SCORER, 1)
    VersionLookup(store, "text").find(named(scorer=ACTIVE))

    store.activate(SCORER, 2)

    assert VersionLookup(store, "text").find(named(scorer=ACTIVE)).scorer.version == 1


def test_a_run_that_first_asks_after_an_activation_uses_the_new_version(store):
    store.activate(SCORER, 1)
    lookup = VersionLookup(store, "text")
    lookup.find(named(scorer=ACTIVE))

    store.activate(SCORER, 2)

    assert lookup.find(named("run-2", scorer=ACTIVE)).scorer.version == 2


def test_a_run_whose_pin_another_container_wrote_first_uses_that(store):
    store.activate(SCORER, 1)
    store.pin(SCORER, "run-1", 1)
    store.activate(SCORER, 2)

    assert VersionLookup(store, "text").find(named(scorer=ACTIVE)).scorer.version == 1


def test_a_run_that_found_no_active_version_finds_none_after_an_activation_either(store):
    first = VersionLookup(store, "text").find(named(scorer=ACTIVE))

    store.activate(SCORER, 1)

    assert VersionLookup(store, "text").find(named(scorer=ACTIVE)) == first
    assert first.refusal.code == "VERSION_NOT_ACTIVATED"


def test_a_run_that_found_no_scorer_finds_none_after_its_creation_either(store):
    other = {"name": "other", "version": "active"}
    first = VersionLookup(store, "text").find(named(scorer=other))
    key = ScorerKey(SCORER.organization_id, SCORER.project_id, "other")
    store.put(version(scorer=key))
    store.activate(key, 1)

    assert VersionLookup(store, "text").find(named(scorer=other)) == first
    assert first.refusal.code == "VERSION_NOT_FOUND"


def test_a_run_without_an_active_version_that_another_container_pinned_first_has_none(store):
    store.activate(SCORER, 1)
    store.pin(SCORER, "run-1", 0)

    assert VersionLookup(store, "text").find(named(scorer=ACTIVE)).refusal.code == "VERSION_NOT_ACTIVATED"


def test_an_activated_version_is_read_once(store):
    store.activate(SCORER, 1)
    lookup = VersionLookup(store, "text")
    lookup.find(named())
    before = store.reads

    lookup.find(named())

    assert store.reads == before


def test_another_run_of_a_known_version_costs_its_pin_and_no_read_of_the_version(store):
    store.activate(SCORER, 1)
    lookup = VersionLookup(store, "text")
    lookup.find(named())
    before = store.reads

    lookup.find(named("run-2"))

    assert store.reads == before + 2


def test_a_draft_that_a_run_was_refused_stays_refused_for_that_run_after_its_activation(store):
    first = VersionLookup(store, "text").find(named())

    store.activate(SCORER, 1)

    assert VersionLookup(store, "text").find(named()) == first
    assert first.refusal.code == "VERSION_NOT_ACTIVATED"
    assert VersionLookup(store, "text").find(named("run-2")).refusal is None


def test_a_version_that_a_run_did_not_find_stays_unfound_for_that_run(store):
    missing = {"name": SCORER.name, "version": 3}
    first = VersionLookup(store, "text").find(named(scorer=missing))

    store.put(version(3))

    assert VersionLookup(store, "text").find(named(scorer=missing)) == first
    assert first.refusal.code == "VERSION_NOT_FOUND"


def test_an_active_version_that_is_pinned_is_read_once_a_run(store):
    store.activate(SCORER, 1)
    lookup = VersionLookup(store, "text")
    lookup.find(named(scorer=ACTIVE))
    before = store.reads

    lookup.find(named(scorer=ACTIVE))

    assert store.reads == before


def test_more_versions_than_are_kept_are_read_again(store):
    lookup = VersionLookup(store, "text")
    for number in range(1, 1_002):
        store.put(version(number))
        store.activate(SCORER, number)
        lookup.find(named(scorer={"name": SCORER.name, "version": number}))
    before = store.reads

    lookup.find(named())

    assert store.reads == before + 2


def test_a_store_that_does_not_answer_is_said_to_be_unavailable(store):
    store.down = True

    with pytest.raises(StoreUnavailable):
        VersionLookup(store, "text").find(named(scorer=ACTIVE))


def test_without_a_family_every_familys_version_is_found(store):
    store.put(version(3, implementation="numeric_tolerance", parameters={"absolute": 1}))

    found = VersionLookup(store, None).find(named(scorer={"name": SCORER.name, "version": 3}))

    assert (found.refusal, found.scorer.implementation) == (None, "numeric_tolerance")
