"""`python -m devstack up`: start the local stack and leave it running until Ctrl-C."""

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType

from devstack.errors import StackError
from devstack.instructions import instructions
from devstack.stack import Stack


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 0 when it was stopped on purpose, 1 when the stack failed."""
    parser = argparse.ArgumentParser(prog="python -m devstack", description=__doc__)
    commands = parser.add_subparsers(required=True)
    up = commands.add_parser("up", help="start the stack, print how to use it, run until Ctrl-C")
    up.add_argument("--port", type=int, help="port on the loopback interface (default: a free one)")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        _stay_up(options.port)
    except KeyboardInterrupt:
        print("Stopped.")
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def _stay_up(port: int | None) -> None:
    with Stack(port=port) as stack:
        print(instructions(stack.endpoint, stack.outputs), flush=True)
        print("Ctrl-C stops the stack; its data are gone then.", flush=True)
        while stack.emulator.is_running():
            time.sleep(1)
        raise StackError(f"the emulator has ended by itself:\n{stack.emulator.log_tail()}")


if __name__ == "__main__":
    sys.exit(main())
