"""Unit tests reach nobody and know no real credentials."""

import os
import socket

import pytest
from pytest_socket import SocketBlockedError


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_a_unit_test_cannot_open_a_network_socket(family):
    with pytest.raises(SocketBlockedError):
        socket.socket(family)


def test_a_unit_test_can_make_a_pipe_of_unix_sockets():
    left, right = socket.socketpair()

    with left, right:
        left.sendall(b"x")
        assert right.recv(1) == b"x"


def test_the_credentials_are_dummies():
    assert {os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]} == {"testing"}
    assert "AWS_PROFILE" not in os.environ
