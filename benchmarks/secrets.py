"""secret_scan: MB a second on ordinary and on hostile texts, and on a labelled corpus recall and false alarms.

`python -m benchmarks.secrets FOLDER` also reads FOLDER/corpus.jsonl, lines of `{"parts", "detector", "label"}`: a text
in parts, the detector that is meant, and whether the text holds a credential.
"""

import json
import random
import string
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from detect_secrets import SecretsCollection
from detect_secrets.settings import default_settings

import evalbook
from benchmarks.measuring import calls_a_second, shown, table
from evalbook.domain.case import Case
from evalbook.jsonio.values import Json
from evalbook.services.scoring import catalog

CHARS = 1_000_000
PEER_CHARS = 50_000
WORDS = (
    "the",
    "task_name",
    "risk",
    "asked",
    "skeleton",
    "import",
    "user_id",
    "github",
    "key=value",
    "they",
    "AKA",
    "99",
)

Finds = Callable[[str], bool]


def repeated(unit: str, length: int = CHARS) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def ordinary() -> dict[str, Json]:
    """Texts of a million characters or so as outputs hold them."""
    generator = random.Random(1)
    sources = "".join(path.read_text("utf-8") for path in sorted(Path(evalbook.__file__).parent.rglob("*.py")))
    records = [
        {"id": number, "name": f"user {number}", "text": "rain in Oslo on most days"} for number in range(15_000)
    ]
    return {
        "words": " ".join(generator.choices(WORDS, k=CHARS // 6))[:CHARS],
        "Python": repeated(sources),
        "base64": "".join(generator.choices(string.ascii_letters + string.digits + "+/", k=CHARS)),
        "other than Latin": repeated("Дождь идёт в Осло почти каждый день. "),
        "JSON records": records,
    }


def hostile() -> dict[str, Json]:
    """Texts made of what starts a credential and goes on otherwise."""
    units = ("sk-", "-eyJ", "eyJhIjogMX0.", " evb_", "xoxb-1-", "AKIA", "\\nghp_", "-----BEGIN ", "github_pat_")
    return {repr(unit): repeated(unit) for unit in units}


def size_of(value: Json) -> int:
    return len(value) if isinstance(value, str) else len(json.dumps(value))


def ours() -> Finds:
    scorer = catalog.find("secret_scan").prepare({})
    return lambda text: scorer.score(Case("case", output=text)).outcome == "fail"


def peer(text: str) -> bool:
    """Whether detect-secrets finds anything in a file that holds *text*.

    Its `scan_line`, for single strings, takes every word for one of high entropy, which would be no fair comparison.
    """
    with tempfile.TemporaryDirectory() as folder, default_settings():
        path = Path(folder, "output.txt")
        path.write_text(text, "utf-8")
        secrets = SecretsCollection()
        secrets.scan_file(str(path))
        return bool(list(secrets))


def speeds() -> None:
    scorer = catalog.find("secret_scan").prepare({})
    rows = []
    for kind, texts in (("ordinary", ordinary()), ("hostile", hostile())):
        for name, value in texts.items():
            rate = calls_a_second(scorer.score, [Case("case", output=value)]) * size_of(value)
            rows.append((kind, name, shown(rate)))
    print(table(("text", "of", "characters a CPU second"), rows))
    sample = ordinary()["words"][:PEER_CHARS].replace(" the ", "\n")
    print(f"\ndetect-secrets on words: {shown(calls_a_second(peer, [sample], rounds=1) * PEER_CHARS)}")


def found(finds: Finds, corpus: Sequence[tuple[str, bool]]) -> tuple[str, ...]:
    """Recall, precision and false alarms over a labelled corpus."""
    flagged = [(finds(text), label) for text, label in corpus]
    right = sum(hit and label for hit, label in flagged)
    alarms = sum(hit and not label for hit, label in flagged)
    positives = sum(label for _, label in corpus)
    return f"{right / positives:.3f}", f"{right / max(right + alarms, 1):.3f}", f"{alarms} of {len(corpus) - positives}"


def main(folder: str | None = None) -> None:
    speeds()
    if folder is None:
        return
    lines = Path(folder, "corpus.jsonl").read_text("utf-8").splitlines()
    corpus = [("".join(row["parts"]), row["label"]) for row in map(json.loads, lines)]
    rows = [(name, *found(finds, corpus)) for name, finds in (("secret_scan", ours()), ("detect-secrets", peer))]
    print(f"\n{len(corpus)} texts\n")
    print(table(("scanner", "recall", "precision", "false alarms"), rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
