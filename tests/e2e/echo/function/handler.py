"""Echo each message, or fail in the way that the message asks for."""

import os
import sys

import boto3
from botocore.exceptions import ClientError

from evalbook.domain.errors import CaseInvalid

sqs = boto3.client("sqs")


def lambda_handler(event, context):
    if "raise" in event:
        raise CaseInvalid(event["raise"])
    if "send_to_forbidden_queue" in event:
        return {"code": _code_of_sending_to(os.environ["FORBIDDEN_QUEUE_URL"])}
    failed = []
    for record in event["Records"]:
        if record["body"] == "fail":
            failed.append(record["messageId"])
            _let_it_come_again_at_once(record["receiptHandle"])
        else:
            _echo(record["body"])
    return {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}


def _echo(body):
    print(f"echoing {len(body)} characters")  # noqa: T201  (the test looks for it in the logs)
    client = "awslambdaric" if "awslambdaric" in sys.modules else "something else"
    sqs.send_message(QueueUrl=os.environ["OUT_QUEUE_URL"], MessageBody=f"{body} by {client}")


def _let_it_come_again_at_once(receipt_handle):
    sqs.change_message_visibility(
        QueueUrl=os.environ["IN_QUEUE_URL"], ReceiptHandle=receipt_handle, VisibilityTimeout=0
    )


def _code_of_sending_to(url):
    try:
        sqs.send_message(QueueUrl=url, MessageBody="x")
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "sent"
