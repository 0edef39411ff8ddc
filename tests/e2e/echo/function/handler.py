"""Echo each message, or fail in the way that the message asks for."""

import os
import sys

import boto3
from botocore.exceptions import ClientError

from evalbook.errors import CaseInvalid

sqs = boto3.client("sqs")


def lambda_handler(event, context):
    if "raise" in event:
        raise CaseInvalid(event["raise"])
    if "send_to_forbidden_queue" in event:
        return {"code": _code_of_sending_to(os.environ["FORBIDDEN_QUEUE_URL"])}
    failed = [record["messageId"] for record in event["Records"] if record["body"] == "fail"]
    for record in event["Records"]:
        if record["messageId"] not in failed:
            print(f"echoing {len(record['body'])} characters")  # noqa: T201  (the test looks for it in the logs)
            client = "awslambdaric" if "awslambdaric" in sys.modules else "something else"
            sqs.send_message(QueueUrl=os.environ["OUT_QUEUE_URL"], MessageBody=f"{record['body']} by {client}")
    return {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}


def _code_of_sending_to(url):
    try:
        sqs.send_message(QueueUrl=url, MessageBody="x")
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "sent"
