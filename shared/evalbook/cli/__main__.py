"""The command line by its package: `python -m evalbook.cli`."""

import sys

from evalbook.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
