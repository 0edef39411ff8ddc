"""How deep JSON may nest, wherever it is read: a value, and what a message, a file or an answer puts around it.

A value in a case (an output, say) may have `MAX_DEPTH` levels. Each limit below adds the containers that stand around
such a value in that place, so that a value which one door takes fits through every other.
"""

from typing import Final

from evalbook.jsonio.reader import MAX_DEPTH

CASE_DEPTH: Final = MAX_DEPTH + 1
"""A case: the object around its values."""

LINE_DEPTH: Final = CASE_DEPTH + 1
"""A line with a case, or with a document of another tool."""

BATCH_DEPTH: Final = CASE_DEPTH + 2
"""A score batch: the list of its cases, and the batch. A calibration's entries are as deep."""

TRACES_ANSWER_DEPTH: Final = MAX_DEPTH + 3
"""What the traces component answers: a content's value, its record, the answer."""

REQUEST_DEPTH: Final = BATCH_DEPTH + 1
"""A request's body: a list of fixtures with cases, inside a member."""

API_ANSWER_DEPTH: Final = REQUEST_DEPTH + 2
"""What the HTTP API answers: what was sent, in a page of items."""

REGISTRY_DOCUMENT_DEPTH: Final = API_ANSWER_DEPTH + 2
"""An exported registry: answers of the API, by scorer, in a document."""
