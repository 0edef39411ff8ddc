"""The forms of credentials that secret_scan knows, with the day from which each is covered: `make secrets-forms`.

A new form is a row in `evalbook/scorers/secrets/_forms.py`, and a credential of it, with near misses, in its tests.
"""

from evalbook.scorers.secrets._forms import FORMS


def covered_forms() -> str:
    """Return the forms as a table in Markdown, the detectors in their order."""
    rows = [f"| `{form.detector}` | {form.title} | {form.since} |" for form in FORMS]
    return "\n".join(["| detector | form | covered since |", "| --- | --- | --- |", *rows])


def main() -> None:
    """Print the table."""
    print(covered_forms())


if __name__ == "__main__":
    main()
