"""Run every benchmark, or those that are named."""

import sys
from importlib import import_module

ALL = ("scorers", "handler", "cold_start", "patterns", "secrets", "budgets", "cost")


def main() -> int:
    for name in sys.argv[1:] or ALL:
        print(f"\n## {name}\n", flush=True)
        import_module(f"benchmarks.{name}").main()
    return 0


sys.exit(main())
