"""Every example of docs/python.md runs, in the page's order and in one namespace."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")


def test_the_examples_of_the_page_run():
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names = {}

    for block in blocks:
        exec(block, names)

    assert len(blocks) >= 5
    for name in ("test_the_answer_names_the_city", "test_the_total_is_right"):
        assert callable(names[name])
