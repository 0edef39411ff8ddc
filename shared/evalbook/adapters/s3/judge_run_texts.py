"""Texts of judge runs and of calibrations in buckets of their own, which delete them after some days."""

from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.domain.errors import StoreUnavailable, Unreadable
from evalbook.services.judging.ports import BodyRef

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_GONE: Final = frozenset({"NoSuchKey", "404"})


class S3JudgeRunBodies:
    """A `JudgeRunBodies`: keys are made of the judge run and the text's digest, so a text never changes under its key.

    All are in one *folder* of the bucket.
    """

    def __init__(self, client: Callable[[], "S3Client"], bucket: str, folder: str = "panels") -> None:
        self._client = client
        self._bucket = bucket
        self._folder = folder

    def put(self, judge_run_id: str, body: bytes) -> BodyRef:
        """Hold *body*, and say where.

        Raises:
            StoreUnavailable: The bucket did not answer.
        """
        digest = sha256(body).hexdigest()
        ref = BodyRef(f"{self._folder}/{judge_run_id}/{digest}", digest)
        try:
            self._client().put_object(Bucket=self._bucket, Key=ref.key, Body=body)
        except AWS_ERRORS as error:
            raise StoreUnavailable(f"the bucket of texts answered {error_code(error)}") from error
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
                raise Unreadable("a text is no longer there") from None
            raise StoreUnavailable(f"the bucket of texts answered {error_code(error)}") from error
        except AWS_ERRORS as error:
            raise StoreUnavailable("the bucket of texts did not answer") from error
        if sha256(body).hexdigest() != ref.sha256:
            raise Unreadable("a text has another digest")
        return body
