"""Whatever is split, delivered again, lost or killed: every case has one result id, and one content under it."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from evalbook.services.scoring.ports import Outgoing
from tests.fakes.batches import batch_of_texts, message, version
from tests.fakes.stores import MemoryQueue
from tests.fakes.worker import InProcessWorker
from tests.unit.services.conftest import House

MAX_RECEIVES = 5
PLENTY = 10**9

case_texts = st.builds(
    lambda form, case_id: form.replace(b"ID", case_id),
    st.sampled_from(
        [
            b'{"case_id": "ID", "output": "hello"}',
            b'{"output": {"b": 1.50, "a": 1e2}, "case_id": "ID"}',
            b'{"case_id": "ID", "output": NaN}',
            b'{"case_id": "ID", "output": "x", "output": "y"}',
            b'{"output": "ID"}',
            b'{"output": NaN}',
        ]
    ),
    st.sampled_from([b"a", b"b", b"c"]),
)


@dataclass(frozen=True)
class Delivery:
    """What happens when a message is delivered once."""

    room: int = PLENTY
    deadly: frozenset[int] = frozenset()
    results: str = "taken"
    put_back: str = "taken"
    registry_down: bool = False
    deleted: bool = True


answers = st.sampled_from(["taken", "refused", "taken, and the answer was lost"])
deliveries = st.builds(
    Delivery,
    st.sampled_from([-1, 0, 1, 2, 3, PLENTY]),
    st.frozensets(st.integers(0, 4), max_size=2),
    answers,
    answers,
    st.booleans(),
    st.booleans(),
)


@dataclass
class Unreliable(MemoryQueue):
    """A queue that answers as it is told."""

    answer: str = "taken"

    def send(self, messages: Sequence[Outgoing]) -> dict[str, str]:
        if self.answer != "refused":
            super().send(messages)
        return {} if self.answer == "taken" else dict.fromkeys((message.answers for message in messages), "Lost")


@dataclass
class Pump:
    """Delivers messages until none is left, as the queue, its redrive and both functions would."""

    schedule: list[Delivery]
    house: House = field(default_factory=lambda: House(results_queue=Unreliable(), queue=Unreliable()))

    def __post_init__(self) -> None:
        self.house.versions.put(version())

    def run(self, body: bytes) -> None:
        waiting = [(body, 1)]
        while waiting:
            body, receives = waiting.pop()
            if receives > MAX_RECEIVES:
                self._give_up(body)
                continue
            if not self._deliver(body, receives):
                waiting.append((body, receives + 1))
            waiting += [(rest, 1) for rest in self.house.queue.bodies]
            self.house.queue.bodies.clear()

    def _deliver(self, body: bytes, receives: int) -> bool:
        delivery = self._orders()
        return not self.house.score(message(body, receive_count=receives)).failed and delivery.deleted

    def _give_up(self, body: bytes) -> None:
        self._orders()
        while self.house.give_up(message(body)).failed:
            self._orders()

    def _orders(self) -> Delivery:
        delivery = self.schedule.pop() if self.schedule else Delivery()
        house = self.house
        house.worker = InProcessWorker(lambda: delivery.room, delivery.deadly)
        house.versions.down = delivery.registry_down
        house.results_queue.answer, house.queue.answer = delivery.results, delivery.put_back
        return delivery


@settings(max_examples=150, deadline=None)
@given(st.lists(case_texts, min_size=1, max_size=6), st.lists(deliveries, max_size=14))
def test_every_case_has_one_result_id_and_one_content_under_any_schedule(texts, schedule):
    body = batch_of_texts(texts)
    undisturbed = House()
    undisturbed.versions.put(version())
    undisturbed.score(message(body))
    pump = Pump(schedule)

    pump.run(body)

    contents = defaultdict(set)
    for result in pump.house.results:
        contents[result["result_id"]] |= {json.dumps(result)} if result["code"] != "SCORING_FAILED" else set()
    wanted = {result["result_id"]: {json.dumps(result)} for result in undisturbed.results}
    assert len(wanted) == len(texts)
    assert contents.keys() == wanted.keys()
    assert all(found <= wanted[result_id] for result_id, found in contents.items())
