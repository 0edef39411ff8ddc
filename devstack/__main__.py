"""`python -m devstack up`: start the local stack and leave it running until Ctrl-C; `token`: a token for its API."""

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import Final

from devstack.errors import StackError
from devstack.instructions import instructions
from devstack.running import announced, token_of_running_stack
from devstack.stack import ROOT, Stack

EVERY_SCOPE: Final = (
    "scorer.read scorer.write scorer.approve sandbox.run budget.write calibration.run dataset.read_body"
)
DEMO: Final = "demo"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 0 when it was stopped on purpose, 1 when the stack failed."""
    parser = argparse.ArgumentParser(prog="python -m devstack", description=__doc__)
    commands = parser.add_subparsers(required=True)
    up = commands.add_parser("up", help="start the stack, print how to use it, run until Ctrl-C")
    up.add_argument("--port", type=int, help="port on the loopback interface (default: a free one)")
    up.set_defaults(run=lambda options: _stay_up(options.port))
    token = commands.add_parser("token", help="print a token of the running stack's issuer")
    token.add_argument("--scopes", default=EVERY_SCOPE, help="with spaces between them (default: %(default)s)")
    token.add_argument("--org", default=DEMO, help="the organization (default: %(default)s)")
    token.add_argument("--projects", default=DEMO, help="with spaces between them (default: %(default)s)")
    token.add_argument("--sub", default="developer", help="whose token it is (default: %(default)s)")
    token.set_defaults(run=_print_token)
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        options.run(options)
    except KeyboardInterrupt:
        print("Stopped.")
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def _print_token(options: argparse.Namespace) -> None:
    claims = {"scope": options.scopes, "org": options.org, "projects": options.projects, "sub": options.sub}
    print(token_of_running_stack(ROOT, claims))


def _stay_up(port: int | None) -> None:
    with Stack(port=port) as stack, announced(ROOT, stack.issuer.url):
        print(instructions(stack.endpoint, stack.outputs, stack.api_url), flush=True)
        print("Ctrl-C stops the stack; its data are gone then.", flush=True)
        while stack.emulator.is_running():
            time.sleep(1)
        raise StackError(f"the emulator has ended by itself:\n{stack.emulator.log_tail()}")


if __name__ == "__main__":
    sys.exit(main())
