"""Faults of the gateway, and what has to hold after any of them."""

from collections import Counter

from devstack.standins.gateway_faults import Fault

GATEWAY_FAULTS = {
    "drop": Fault("drop"),
    "drop-uncharged": Fault("drop", charged=False),
    "reset": Fault("reset"),
    "truncated": Fault("truncated"),
    "malformed": Fault("malformed"),
    "html": Fault("html"),
    "html-uncharged": Fault("html", charged=False),
    "wrong-model": Fault("wrong_model"),
    "oversized": Fault("oversized"),
    "503": Fault("status", charged=False, status=503),
    "500-charged": Fault("status", status=500),
    "429": Fault("status", charged=False, status=429, headers={"Retry-After": "1"}),
    "400": Fault("status", charged=False, status=400),
    "402": Fault("status", charged=False, status=402, code="budget_exceeded"),
}


def assert_sound(world):
    """One charge a call, no less in the ledger than was charged, nothing reserved once the sweeper has run."""
    world.sweep_later()
    charges = Counter(charge.logical_id for charge in world.sso.charges)
    assert set(charges.values()) <= {1}
    money = world.money
    assert (money.reserved, money.available) == (0, money.limit - money.spent)
    assert money.spent >= world.charged
