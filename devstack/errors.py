"""What can go wrong while the local stack starts."""


class StackError(Exception):
    """The local stack cannot be started; the message says why and what to do."""
