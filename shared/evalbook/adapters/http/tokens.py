"""Bearer tokens as the HTTP adapters use them."""

from typing import Protocol


class Tokens(Protocol):
    """Where a bearer token comes from."""

    def token(self, *, fresh: bool = False) -> str:
        """The token; *fresh* asks the source again, for a token that was refused.

        Raises:
            StoreUnavailable: There is none to be had.
        """
