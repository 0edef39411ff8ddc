"""Files that share what is dear to set up run on one worker: `--dist loadfile` is told of each."""

import re
from pathlib import Path

from tests.conftest import SHARED_SETUP

ROOT = Path(__file__).parents[2]


def test_every_file_on_the_faulty_stack_is_named():
    asking = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests" / "e2e").glob("test_*.py")
        if re.search(r"^def \w+\([^)]*\bjudging\b", path.read_text("utf-8"), re.MULTILINE)
    }

    assert asking == SHARED_SETUP.keys()
