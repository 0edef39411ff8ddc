"""The spelling that all records have for a moment."""

from datetime import datetime


def rfc3339(moment: datetime) -> str:
    """A moment in UTC as text, to the second: earlier moments are smaller texts."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
