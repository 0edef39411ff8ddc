from devstack.emulator.permissions import with_emulated_names


def test_sending_one_message_covers_sending_several():
    statement = {"Effect": "Allow", "Action": ["sqs:SendMessage", "sqs:ReceiveMessage"]}

    renamed = with_emulated_names({"Statement": [statement]})

    assert renamed["Statement"][0]["Action"] == ["sqs:SendMessage", "sqs:ReceiveMessage", "sqs:SendMessageBatch"]


def test_a_single_action_may_stand_without_a_list():
    assert with_emulated_names({"Action": "sqs:SendMessage"}) == {"Action": ["sqs:SendMessage", "sqs:SendMessageBatch"]}


def test_other_permissions_stay_as_they_are():
    statement = {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": {"Ref": "Table"}}

    assert with_emulated_names(statement) == statement
