"""One HTTP exchange over real sockets: what is certainly unsent, what is lost, what ends in time."""

import socket
import time

import httpx
import pytest

from devstack.standins.http_service import HttpService, Response
from evalbook.adapters.http.request import HttpAnswer, HttpExchange, Loss

EXCHANGE = HttpExchange(most_bytes=1_000)


def ask(url, seconds=10.0):
    return EXCHANGE(httpx.Request("POST", url, content=b"question"), seconds)


@pytest.fixture
def echo():
    with HttpService(lambda request: Response(body=request.body, headers={"X-Method": request.method})) as service:
        yield service


@pytest.fixture
def deaf():
    """A port whose queue of connections is full, so that nobody ever gets through."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        waiting = []
        for _ in range(4):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(listening.getsockname())
            waiting.append(client)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        for client in waiting:
            client.close()


def test_an_answer_has_its_status_its_headers_and_its_body(echo):
    answer = ask(echo.url)

    assert (answer.status, answer.headers["x-method"], answer.body, answer.whole) == (200, "POST", b"question", True)


def test_a_proxy_of_the_environment_is_not_asked(echo, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")

    assert isinstance(ask(echo.url), HttpAnswer)


def test_a_port_that_nobody_listens_on_is_unsent():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"

        assert ask(url) is Loss.UNSENT


def test_a_connection_that_is_never_made_is_unsent(deaf):
    started = time.monotonic()

    assert ask(deaf, seconds=0.3) in (Loss.UNSENT, Loss.OUT_OF_TIME_UNSENT)
    assert time.monotonic() - started < 3


def test_a_name_that_nobody_has_is_unsent():
    assert ask("http://nobody.invalid") is Loss.UNSENT


def test_a_name_service_that_hangs_ends_in_time(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(1.5))
    started = time.monotonic()

    assert ask("http://nobody.invalid", seconds=0.2) in (Loss.UNSENT, Loss.OUT_OF_TIME_UNSENT)
    assert time.monotonic() - started < 1.2


def test_a_connection_that_speaks_no_tls_is_unsent(echo):
    assert ask(echo.url.replace("http:", "https:")) is Loss.UNSENT


@pytest.mark.parametrize("response", [Response(dropped=True), Response(dropped=True, reset=True)])
def test_a_connection_that_ends_without_an_answer_is_lost(response):
    with HttpService(lambda _: response) as service:
        assert ask(service.url) is Loss.LOST


def test_a_body_that_ends_early_is_lost():
    with HttpService(lambda _: Response(body=b"x" * 100, sent_bytes=50)) as service:
        assert ask(service.url) is Loss.LOST


def test_an_answer_that_drips_ends_in_time_although_every_byte_comes_in_time():
    started = time.monotonic()
    with HttpService(lambda _: Response(body=b"x" * 100, seconds_a_byte=0.05)) as service:
        loss = ask(service.url, seconds=0.4)

    assert loss is Loss.OUT_OF_TIME
    assert time.monotonic() - started < 3


def test_a_body_over_the_limit_is_cut_and_said_to_be():
    with HttpService(lambda _: Response(body=b"x" * 100_000)) as service:
        answer = ask(service.url)

    assert (len(answer.body), answer.whole) == (1_000, False)


def test_a_redirect_is_an_answer_and_not_followed(echo):
    with HttpService(lambda _: Response(307, headers={"Location": echo.url})) as service:
        assert ask(service.url).status == 307
