"""Print the forms of credentials that secret_scan knows, with the day from which each is covered: `make secrets-forms`.

A new form is a row in `evalbook/scorers/secrets/_forms.py`, and a credential of it, with near misses, in its tests.
"""

from evalbook.scorers.secrets._forms import covered_forms

if __name__ == "__main__":
    print(covered_forms())
