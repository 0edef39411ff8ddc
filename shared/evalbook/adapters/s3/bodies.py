"""Cases held in a bucket."""

from collections.abc import Callable
from contextlib import closing
from hashlib import sha256 as hash_sha256
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.domain.errors import StoreUnavailable, Unreadable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

MAX_BYTES: Final = 8 * 2**20
"""A body of nothing but the smallest cases takes 40 times its size in memory; a function has a gibibyte."""
_GONE: Final = frozenset({"NoSuchKey", "404", "KeyTooLongError"})
"""What S3 answers where there is no such object, and cannot be."""


class S3Bodies:
    """Reads objects of one bucket, whose name comes from configuration and never from a message.

    The client is made on the first read: most functions never read a body, and it costs a tenth of a second.
    """

    def __init__(self, client: Callable[[], "S3Client"], bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def read(self, key: str, sha256: str) -> bytes:
        """The object under *key*, whose SHA-256 digest is *sha256*.

        Raises:
            Unreadable: There is no such object, it is larger than 8 MiB, or its digest is another one.
            StoreUnavailable: The bucket did not answer.
        """
        try:
            answer = self._client().get_object(Bucket=self._bucket, Key=key)
            with closing(answer["Body"]) as stream:
                if answer["ContentLength"] > MAX_BYTES:
                    raise Unreadable("the object that cases_ref names is larger than 8 MiB")
                body = stream.read()
        except ClientError as error:
            if error_code(error) in _GONE:
                raise Unreadable("the object that cases_ref names does not exist") from None
            raise StoreUnavailable(f"the bodies bucket answered {error_code(error)}") from error
        except AWS_ERRORS as error:
            raise StoreUnavailable("the bodies bucket did not answer") from error
        if hash_sha256(body).hexdigest() != sha256:
            raise Unreadable("the object that cases_ref names has another digest")
        return body
