"""AWS on a port of this machine, played by the backends that the mock in this process uses.

moto's own server would need a web framework that nothing else here needs. The one private thing used is
`botocore_stubber`, the mock's hook into botocore; moto is pinned.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from botocore.awsrequest import AWSPreparedRequest
from botocore.compat import HTTPHeaders
from moto.core.models import botocore_stubber

_OWN_HEADERS = frozenset({"content-length", "transfer-encoding", "connection"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002  (the base class's name)
        """Say nothing."""

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        # The signature's scope names the region and the service: `Credential=…/<date>/<region>/<service>/aws4_request`.
        _, region, service, _ = self.headers["Authorization"].split(",")[0].split("/", 1)[1].split("/")
        url = f"https://{service}.{region}.amazonaws.com{self.path}"
        headers = HTTPHeaders()
        for name, value in self.headers.items():
            headers[name] = value
        response = botocore_stubber.process_request(AWSPreparedRequest(self.command, url, headers, body, False))
        status, answered, content = response or (404, {}, b"")
        content = content.encode() if isinstance(content, str) else content
        self.send_response(status)
        for name, value in answered.items():
            if name.lower() not in _OWN_HEADERS:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = _answer  # noqa: N815  (the base class's names)


@contextmanager
def aws_server() -> Iterator[str]:
    """Serve what is mocked in this process at the URL that the block gets."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever, args=(0.02,))
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
