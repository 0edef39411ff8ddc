import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from evalbook.adapters.dynamodb.table import Table, key
from evalbook.domain.errors import StoreUnavailable


class Failing:
    """A client whose every call raises *error*."""

    def __init__(self, error):
        self.error = error

    def __getattr__(self, _):
        def call(**_):
            raise self.error

        return call


def answered(code, **more):
    return ClientError({"Error": {"Code": code, "Message": "secret"}, **more}, "Anything")


def cancelled(*codes):
    return answered("TransactionCanceledException", CancellationReasons=[{"Code": code} for code in codes])


CALLS = {
    "read": lambda table: table.read(key("p", "s")),
    "put": lambda table: table.put(key("p", "s")),
    "update": lambda table: table.update(key("p", "s"), "SET a = :a", "a = :b", {}),
    "query": lambda table: table.query("p", "s", None, 1),
    "transact": lambda table: table.transact(("Put", {"Item": key("p", "s")})),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    "error", [answered("ThrottlingException"), EndpointConnectionError(endpoint_url="http://x")], ids=["error", "none"]
)
def test_a_table_that_does_not_answer_is_unavailable(call, error):
    with pytest.raises(StoreUnavailable) as caught:
        call(Table(Failing(error), "t"))

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("codes", [("ConditionalCheckFailed", "None"), ("None", "TransactionConflict")])
def test_a_transaction_that_others_got_in_the_way_of_is_to_be_decided_anew(codes):
    assert not Table(Failing(cancelled(*codes)), "t").transact(("Put", {"Item": key("p", "s")}))


@pytest.mark.parametrize("codes", [("ThrottlingError", "None"), ("ConditionalCheckFailed", "ValidationError")])
def test_a_transaction_cancelled_for_another_reason_is_an_error(codes):
    with pytest.raises(StoreUnavailable):
        Table(Failing(cancelled(*codes)), "t").transact(("Put", {"Item": key("p", "s")}))
