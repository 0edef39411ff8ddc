"""A panel's texts in a bucket of their own, which deletes them after some days."""

from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from evalbook.adapters.aws import AWS_ERRORS, error_code
from evalbook.errors import StoreUnavailable, Unreadable
from evalbook.services.panel_ports import BodyRef

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_GONE: Final = frozenset({"NoSuchKey", "404"})


class S3PanelBodies:
    """A `PanelBodies`: keys are made of the panel and the text's digest, so a text never changes under its key."""

    def __init__(self, client: Callable[[], "S3Client"], bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def put(self, panel_id: str, body: bytes) -> BodyRef:
        """Hold *body*, and say where.

        Raises:
            StoreUnavailable: The bucket did not answer.
        """
        digest = sha256(body).hexdigest()
        ref = BodyRef(f"panels/{panel_id}/{digest}", digest)
        try:
            self._client().put_object(Bucket=self._bucket, Key=ref.key, Body=body)
        except AWS_ERRORS as error:
            raise StoreUnavailable(f"the panels bucket answered {error_code(error)}") from error
        return ref

    def read(self, ref: BodyRef) -> bytes:
        """The text.

        Raises:
            Unreadable: It is no longer there, or another one.
            StoreUnavailable: The bucket did not answer.
        """
        try:
            answer = self._client().get_object(Bucket=self._bucket, Key=ref.key)
            with closing(answer["Body"]) as stream:
                body = stream.read()
        except ClientError as error:
            if error_code(error) in _GONE:
                raise Unreadable("a text of the panel is no longer there") from None
            raise StoreUnavailable(f"the panels bucket answered {error_code(error)}") from error
        except AWS_ERRORS as error:
            raise StoreUnavailable("the panels bucket did not answer") from error
        if sha256(body).hexdigest() != ref.sha256:
            raise Unreadable("a text of the panel has another digest")
        return body
