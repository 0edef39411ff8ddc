"""What the template promises, read off its transformed form: much of it an emulator accepts and forgets."""

import json
import pkgutil
from pathlib import Path

import pytest

from devstack.emulator.transformed import transformed
from evalbook import scorers
from evalbook.adapters.dynamodb.action_items import DUE_INDEX as ACTIONS_DUE_INDEX
from evalbook.adapters.dynamodb.budgets import DUE_INDEX
from evalbook.api.declarations import every_route, groups
from evalbook.api.route_table import declared
from evalbook.entrypoints.settings import (
    CalibrationsApiSettings,
    CalibrationWorkerSettings,
    DispatchSettings,
    ExhaustedSettings,
    GatewayClientSettings,
    JudgeRunSettings,
    PrepareSettings,
    PublishSettings,
    RegistrySettings,
    ResumeActionsSettings,
    SandboxApiSettings,
    SandboxWorkerSettings,
    ScoreSettings,
    SweepSettings,
)

ROOT = Path(__file__).parents[2]
FAMILIES = ["Text", "Structured", "Trace", "Retrieval", "Secrets"]
QUEUE_FAMILIES = [*FAMILIES, "Judge"]
STEPS = ["Prepare", "Ask", "Aggregate", "Publish"]
TEMPLATE = transformed()
RESOURCES = TEMPLATE["Resources"]
FOURTEEN_DAYS = 14 * 24 * 3600


def of_type(kind):
    return {name: each for name, each in RESOURCES.items() if each["Type"] == kind}


def properties(name):
    return RESOURCES[name]["Properties"]


def attribute_of(reference):
    """The logical id in {"Fn::GetAtt": [id, attribute]} or {"Ref": id}."""
    return reference["Ref"] if "Ref" in reference else reference["Fn::GetAtt"][0]


QUEUES = of_type("AWS::SQS::Queue")
FUNCTIONS = of_type("AWS::Lambda::Function")
MAPPINGS = of_type("AWS::Lambda::EventSourceMapping")
HTTP_FUNCTIONS = ["RegistryFunction", "SandboxFunction", "CalibrationsFunction"]
ONE_BY_ONE = {"SandboxQueue", "CalibrationsQueue", "CalibrationsExhaustedQueue"}
ROLES = of_type("AWS::IAM::Role")
SOURCES = [
    (attribute_of(each["Properties"]["EventSourceArn"]), attribute_of(each["Properties"]["FunctionName"]))
    for each in MAPPINGS.values()
]


def identity_statements():
    documents = [policy["PolicyDocument"] for role in ROLES.values() for policy in role["Properties"]["Policies"]]
    documents += [each["Properties"]["PolicyDocument"] for each in of_type("AWS::IAM::ManagedPolicy").values()]
    statements = [statement for document in documents for statement in document["Statement"]]
    return [each["Fn::If"][1] if "Fn::If" in each else each for each in statements]


def statements_of(role):
    return [each for policy in properties(role)["Policies"] for each in policy["PolicyDocument"]["Statement"]]


def listed(value):
    return value if isinstance(value, list) else [value]


def test_there_are_these_families():
    assert [f"{family}Queue" in QUEUES for family in FAMILIES] == [True] * 5


def test_every_family_of_scorers_has_its_queue():
    packages = {module.name for module in pkgutil.iter_modules(scorers.__path__) if module.ispkg}

    assert packages == {family.lower() for family in FAMILIES}


@pytest.mark.parametrize("family", FAMILIES[1:])
def test_every_family_looks_like_the_first(family):
    def block(name):
        of_family = {key: each for key, each in RESOURCES.items() if name in key}
        # The traces component is everybody's: its parameters only sound like a family's.
        text = json.dumps(of_family, sort_keys=True).replace("TracesUrl", "Url").replace("TracesSecretArn", "Secret")
        return json.loads(text.replace(name, "Family").replace(name.lower(), "family"))

    assert block(family) == block("Text")


@pytest.mark.parametrize(("queue", "function"), SOURCES)
def test_a_message_stays_invisible_for_six_times_the_functions_timeout(queue, function):
    assert properties(queue)["VisibilityTimeout"] >= 6 * properties(function)["Timeout"]


@pytest.mark.parametrize("family", QUEUE_FAMILIES)
def test_what_fails_five_times_is_exhausted(family):
    redrive = properties(f"{family}Queue")["RedrivePolicy"]

    assert redrive == {"deadLetterTargetArn": {"Fn::GetAtt": [f"{family}ExhaustedQueue", "Arn"]}, "maxReceiveCount": 5}


@pytest.mark.parametrize("family", QUEUE_FAMILIES)
def test_what_even_the_exhausted_function_cannot_handle_is_kept(family):
    redrive = properties(f"{family}ExhaustedQueue")["RedrivePolicy"]

    assert redrive["deadLetterTargetArn"] == {"Fn::GetAtt": [f"{family}DeadQueue", "Arn"]}


@pytest.mark.parametrize("family", QUEUE_FAMILIES)
@pytest.mark.parametrize(("target", "source"), [("ExhaustedQueue", "Queue"), ("DeadQueue", "ExhaustedQueue")])
def test_a_failure_queue_takes_from_its_own_queue_only(family, target, source):
    [arn] = properties(f"{family}{target}")["RedriveAllowPolicy"]["sourceQueueArns"]

    name = properties(f"{family}{source}")["QueueName"]["Fn::Sub"]
    assert arn == {"Fn::Sub": f"arn:${{AWS::Partition}}:sqs:${{AWS::Region}}:${{AWS::AccountId}}:{name}"}


@pytest.mark.parametrize("family", QUEUE_FAMILIES)
def test_dead_messages_and_results_have_no_consumer_here(family):
    consumed = {queue for queue, _ in SOURCES}

    assert {f"{family}DeadQueue", "ResultsQueue"}.isdisjoint(consumed)


@pytest.mark.parametrize("queue", QUEUES)
def test_a_queue_keeps_messages_for_fourteen_days(queue):
    assert properties(queue)["MessageRetentionPeriod"] == FOURTEEN_DAYS


@pytest.mark.parametrize("family", QUEUE_FAMILIES)
def test_a_dead_queue_takes_whatever_the_familys_queue_took_with_a_reason_of_a_kibibyte(family):
    taken = properties(f"{family}Queue")["MaximumMessageSize"]

    assert properties(f"{family}DeadQueue")["MaximumMessageSize"] - taken == 1024


@pytest.mark.parametrize("family", QUEUE_FAMILIES)
def test_an_exhausted_message_is_seen_by_its_function_before_it_is_buried(family):
    receives = properties(f"{family}ExhaustedQueue")["RedrivePolicy"]["maxReceiveCount"]

    assert receives > properties(f"{family}Queue")["RedrivePolicy"]["maxReceiveCount"]


@pytest.mark.parametrize("queue", QUEUES)
def test_a_queue_is_encrypted(queue):
    assert properties(queue)["SqsManagedSseEnabled"] is True


@pytest.mark.parametrize("queue", QUEUES)
def test_a_queue_refuses_requests_without_tls(queue):
    [policy] = [
        each["Properties"] for each in of_type("AWS::SQS::QueuePolicy").values()
        if {"Ref": queue} in each["Properties"]["Queues"]
    ]  # fmt: skip

    assert refuses_plain_http(policy["PolicyDocument"], "sqs:*")


def refuses_plain_http(document, action):
    return any(
        (statement.get("Effect"), statement.get("Principal"), statement.get("Action")) == ("Deny", "*", action)
        and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        for statement in document["Statement"]
    )


def test_the_bucket_refuses_requests_without_tls():
    assert refuses_plain_http(properties("BodiesBucketPolicy")["PolicyDocument"], "s3:*")


def test_the_bucket_is_private():
    block = properties("BodiesBucket")["PublicAccessBlockConfiguration"]

    assert block == dict.fromkeys(
        ["BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"], True
    )


def test_the_bucket_is_encrypted():
    [rule] = properties("BodiesBucket")["BucketEncryption"]["ServerSideEncryptionConfiguration"]

    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"


def test_bodies_are_deleted_after_some_days():
    [rule] = properties("BodiesBucket")["LifecycleConfiguration"]["Rules"]

    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", {"Ref": "BodiesRetentionDays"})


def test_only_the_evaluation_service_is_let_in_by_a_resources_own_policy():
    documents = [
        each["Properties"]["PolicyDocument"]
        for kind in ("AWS::SQS::QueuePolicy", "AWS::S3::BucketPolicy")
        for each in of_type(kind).values()
    ]

    conditional = [each["Fn::If"] for document in documents for each in document["Statement"] if "Fn::If" in each]
    plain = [each for document in documents for each in document["Statement"] if "Fn::If" not in each]
    assert {each["Effect"] for each in plain} == {"Deny"}
    assert {condition for condition, _, _ in conditional} == {"HasEvaluationService"}
    assert [statement["Principal"] for _, statement, _ in conditional] == (
        [{"AWS": {"Ref": "EvaluationServiceRoleArn"}}] * len(conditional)
    )


def test_the_registry_survives_the_stack_and_can_be_restored():
    table = RESOURCES["RegistryTable"]

    assert (table["DeletionPolicy"], table["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert table["Properties"]["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["Properties"]["SSESpecification"] == {"SSEEnabled": True}


def test_pins_expire():
    assert properties("RegistryTable")["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_failed_message_does_not_fail_its_batch(mapping):
    source = properties(mapping)

    batch = 1 if attribute_of(source["EventSourceArn"]) in ONE_BY_ONE else 10
    assert (source["BatchSize"], source["FunctionResponseTypes"]) == (batch, ["ReportBatchItemFailures"])
    assert source["ScalingConfig"]["MaximumConcurrency"]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_logs_to_a_group_of_its_own_with_retention(function):
    group = properties(function)["LoggingConfig"]["LogGroup"]["Ref"]

    sharing = [name for name in FUNCTIONS if properties(name)["LoggingConfig"]["LogGroup"]["Ref"] == group]
    assert sharing == [function]
    assert properties(group)["RetentionInDays"] == {"Ref": "LogRetentionDays"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_has_a_role_of_its_own(function):
    role = properties(function)["Role"]

    assert [name for name in FUNCTIONS if properties(name)["Role"] == role] == [function]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_runs_on_the_layers_runtime(function):
    assert (properties(function)["Runtime"], properties(function)["Architectures"]) == ("python3.13", ["arm64"])
    assert len(properties(function)["Layers"]) == 2


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_for_functions_and_takes_no_policy_from_elsewhere(role):
    [trust] = properties(role)["AssumeRolePolicyDocument"]["Statement"]

    service = "states" if role == "JudgePanelRole" else "lambda"
    scores_batches = role.startswith("Score") or role == "ExhaustedRole"
    assert trust["Principal"] == {"Service": f"{service}.amazonaws.com"}
    assert properties(role).get("ManagedPolicyArns", []) == ([{"Ref": "ScoringPolicy"}] if scores_batches else [])


def test_no_action_is_granted_by_wildcard():
    actions = [action for statement in identity_statements() for action in listed(statement["Action"])]

    assert [action for action in actions if "*" in action] == []


WILD = {
    "${CalibrationsBucket.Arn}/cases/*",
    "${CalibrationsBucket.Arn}/rows/*",
    "${BodiesBucket.Arn}/*",
    "${PanelsBucket.Arn}/*",
    "arn:${AWS::Partition}:states:${AWS::Region}:${AWS::AccountId}:execution:${JudgePanel.Name}:*",
}


def test_no_resource_is_granted_by_wildcard_but_objects_of_buckets_and_executions_of_the_judge_run():
    statements = [
        each for each in identity_statements() if each.get("Sid") not in {"DeliverLogs", "WriteTraceSegments"}
    ]

    resources = [resource for statement in statements for resource in listed(statement["Resource"])]

    assert {each["Fn::Sub"] for each in resources if "*" in json.dumps(each)} == WILD


def test_only_the_state_machine_and_tracing_may_do_what_knows_no_resources():
    everywhere = {each["Sid"]: each for each in identity_statements() if each["Resource"] == "*"}

    assert everywhere.keys() == {"DeliverLogs", "WriteTraceSegments"}
    assert everywhere["DeliverLogs"] in statements_of("JudgePanelRole")
    assert {action.partition(":")[0] for action in everywhere["WriteTraceSegments"]["Action"]} == {"xray"}


def test_traces_are_written_only_where_they_are_on_and_by_every_role():
    policy = RESOURCES["TracingPolicy"]

    assert policy["Condition"] == "HasTracing"
    assert {role["Ref"] for role in policy["Properties"]["Roles"]} == ROLES.keys()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_is_traced_only_where_that_is_asked_for(function):
    mode = {"Fn::If": ["HasTracing", "Active", "PassThrough"]}

    assert properties(function)["TracingConfig"] == {"Mode": mode}
    assert properties(function)["Environment"]["Variables"]["TRACING"] == {"Ref": "Tracing"}


READS = {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem"}


def table_statements():
    return [each for each in identity_statements() if any("dynamodb:" in action for action in listed(each["Action"]))]


def test_nobody_deletes_or_scans_a_table():
    actions = {action for statement in table_statements() for action in listed(statement["Action"])}

    assert actions == READS | WRITES


def test_who_writes_to_the_registry_is_bound_to_its_partitions():
    writers = {
        statement["Sid"]: listed(statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"])
        for statement in table_statements()
        if statement["Resource"] == {"Fn::GetAtt": ["RegistryTable", "Arn"]}
        and {"dynamodb:PutItem", "dynamodb:UpdateItem"} & set(listed(statement["Action"]))
    }

    assert writers == {
        "PinRuns": ["PIN#*"],
        "WriteRegistry": ["ORG#*", "IDEMPOTENCY#*", "AUDIT#*"],
        "ChangeRegistry": ["ORG#*", "IDEMPOTENCY#*"],
        "BringActionsOn": ["ORG#*", "AUDIT#*"],
        "ActivateVersions": ["ORG#*"],
        "WriteCalibrationsAndAnswers": ["CALIBRATIONS#*", "IDEMPOTENCY#*"],
        "KeepCalibrations": ["CALIBRATIONS#*"],
    }


def test_nobody_changes_what_was_recorded_of_an_action():
    for statement in table_statements():
        if "dynamodb:UpdateItem" in listed(statement["Action"]) and "RegistryTable" in json.dumps(statement):
            assert "AUDIT" not in json.dumps(statement["Condition"])


def test_the_registry_has_the_index_that_governed_actions_are_found_by():
    [index] = properties("RegistryTable")["GlobalSecondaryIndexes"]

    assert (index["IndexName"], index["Projection"]) == (ACTIONS_DUE_INDEX, {"ProjectionType": "KEYS_ONLY"})


def test_the_function_that_opens_budgets_is_not_let_at_the_calls_that_they_pay_for():
    [statement] = [each for each in statements_of("SandboxRole") if "BudgetsTable" in json.dumps(each)]

    assert statement["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": "BUDGET#*"}}


def test_nobody_changes_what_was_recorded_of_a_judge_run():
    for statement in table_statements():
        if "ResultsTable" in json.dumps(statement["Resource"]):
            assert "dynamodb:UpdateItem" not in listed(statement["Action"])


@pytest.mark.parametrize("family", FAMILIES)
def test_a_score_function_knows_its_family_and_its_queues(family):
    variables = properties(f"Score{family}Function")["Environment"]["Variables"]

    assert variables["SCORER_FAMILY"] == family.lower()
    assert variables["QUEUE_URL"] == {"Ref": f"{family}Queue"}
    assert variables["DEAD_QUEUE_URL"] == {"Ref": f"{family}DeadQueue"}


def test_the_exhausted_function_knows_where_each_familys_messages_end():
    text = properties("ExhaustedFunction")["Environment"]["Variables"]["DEAD_QUEUE_URLS"]["Fn::Sub"]

    assert json.loads(text) == {
        f"${{{family}ExhaustedQueue.Arn}}": f"${{{family}DeadQueue}}" for family in QUEUE_FAMILIES
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_knows_what_all_share(function):
    variables = properties(function)["Environment"]["Variables"]

    assert variables["REGISTRY_TABLE"] == {"Ref": "RegistryTable"}
    assert variables["BODIES_BUCKET"] == {"Ref": "BodiesBucket"}
    assert variables["RESULTS_QUEUE_URL"] == {"Ref": "ResultsQueue"}
    assert variables["POWERTOOLS_METRICS_NAMESPACE"] == "EvalBook"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_score_function_gets_every_variable_that_it_reads(family):
    variables = properties(f"Score{family}Function")["Environment"]["Variables"]

    assert required_by(ScoreSettings) <= variables.keys()


def test_the_exhausted_function_gets_every_variable_that_it_reads():
    assert required_by(ExhaustedSettings) <= properties("ExhaustedFunction")["Environment"]["Variables"].keys()


@pytest.mark.parametrize(
    ("function", "settings"),
    [
        ("RegistryFunction", RegistrySettings),
        ("ActionsFunction", ResumeActionsSettings),
        ("SandboxFunction", SandboxApiSettings),
        ("SandboxWorkFunction", SandboxWorkerSettings),
        ("CalibrationsFunction", CalibrationsApiSettings),
        ("CalibrateFunction", CalibrationWorkerSettings),
    ],
)
def test_a_function_of_the_api_gets_every_variable_that_it_reads(function, settings):
    assert required_by(settings) <= properties(function)["Environment"]["Variables"].keys()


def required_by(settings):
    return {field.alias for field in settings.model_fields.values() if field.is_required()}


def test_every_queue_is_among_the_outputs():
    values = [output["Value"] for output in TEMPLATE["Outputs"].values()]

    assert [queue for queue in QUEUES if {"Ref": queue} not in values] == []


def test_the_dependencies_layer_is_made_of_the_runtime_requirements():
    layer = ROOT / "layers" / "dependencies" / "requirements.txt"

    assert layer.read_bytes() == (ROOT / "requirements" / "runtime.txt").read_bytes()


def operations():
    """Every route of the API as the transform wrote it: method and path, and the operation."""
    for path, methods in properties("Api")["Body"]["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


SCOPES = {f"{route.method} {route.path}": [scope.value for scope in route.scopes] for route in every_route()}
DEFAULT = "X-AMAZON-APIGATEWAY-ANY-METHOD /$default"


def test_the_gateway_has_the_routes_and_scopes_that_the_functions_check():
    found = {key: operation["security"] for key, operation in operations()}

    assert found == {key: [{"Sso": scopes}] for key, scopes in {**SCOPES, DEFAULT: []}.items()}


def test_no_route_is_open():
    assert [key for key, operation in operations() if "NONE" in json.dumps(operation["security"])] == []


def test_tokens_come_from_the_issuer_that_the_deployment_names():
    scheme = properties("Api")["Body"]["components"]["securitySchemes"]["Sso"]["x-amazon-apigateway-authorizer"]

    assert scheme["jwtConfiguration"] == {"issuer": {"Ref": "TokenIssuer"}, "audience": [{"Ref": "TokenAudience"}]}
    assert scheme["identitySource"] == "$request.header.Authorization"


def test_a_route_leads_to_the_function_that_serves_it():
    served = {
        f"{route.method} {route.path}": group.function for group in groups() for route in declared(group).values()
    } | {DEFAULT: "Registry"}

    uris = {key: operation["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"] for key, operation in operations()}

    assert {key: uri.partition("functions/${")[2].partition("Function.Arn")[0] for key, uri in uris.items()} == served


def test_the_api_is_throttled_and_logs_no_payload():
    [stage] = [each["Properties"] for each in of_type("AWS::ApiGatewayV2::Stage").values()]

    logged = set(json.loads(stage["AccessLogSettings"]["Format"]).values())
    assert stage["DefaultRouteSettings"] == {"ThrottlingBurstLimit": 200, "ThrottlingRateLimit": 100}
    assert logged == {
        "$context.requestId", "$context.routeKey", "$context.status", "$context.responseLatency",
        "$context.error.messageString",
    }  # fmt: skip


@pytest.mark.parametrize("function", HTTP_FUNCTIONS)
def test_a_function_behind_the_api_answers_before_the_gateway_gives_up(function):
    assert properties(function)["Timeout"] < 30


def test_sandbox_runs_expire():
    assert properties("SandboxTable")["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert properties("SandboxTable")["SSESpecification"] == {"SSEEnabled": True}


def test_what_could_not_be_scored_in_the_sandbox_is_kept():
    redrive = properties("SandboxQueue")["RedrivePolicy"]

    assert redrive == {"deadLetterTargetArn": {"Fn::GetAtt": ["SandboxDeadQueue", "Arn"]}, "maxReceiveCount": 3}


MACHINE = json.loads((ROOT / "functions" / "judge" / "panel.asl.json").read_text(encoding="utf-8"))
ASK = MACHINE["States"]["AskAll"]["ItemProcessor"]["States"]["Ask"]
TASKS = {**{name: each for name, each in MACHINE["States"].items() if each["Type"] == "Task"}, "Ask": ASK}


def test_every_step_of_the_machine_has_its_function():
    substituted = properties("JudgePanel")["DefinitionSubstitutions"]

    assert substituted == {f"{step}FunctionArn": {"Fn::GetAtt": [f"Judge{step}Function", "Arn"]} for step in STEPS}
    assert {name: task["Resource"] for name, task in TASKS.items()} == {
        step: f"${{{step}FunctionArn}}" for step in STEPS
    }


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_given_up_only_after_its_function_has_ended(step):
    assert TASKS[step]["TimeoutSeconds"] > properties(f"Judge{step}Function")["Timeout"]


def test_a_judge_that_takes_all_its_time_does_not_outlast_its_function():
    assert properties("JudgeAskFunction")["Timeout"] >= 600 + 30


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_taken_again_with_full_jitter(step):
    assert {retry["JitterStrategy"] for retry in TASKS[step]["Retry"]} == {"FULL"}


@pytest.mark.parametrize("step", ["Prepare", "Ask"])
def test_a_step_that_cannot_be_taken_does_not_fail_the_case(step):
    named, everything = TASKS[step]["Catch"]

    assert named["ErrorEquals"] == ["States.Timeout", "Sandbox.Timedout", "Runtime.ExitError"]
    assert everything["ErrorEquals"] == ["States.ALL"]


def test_asking_is_not_taken_again_when_its_time_was_over():
    [retry] = ASK["Retry"]

    assert {"States.Timeout", "Sandbox.Timedout", "States.ALL"}.isdisjoint(retry["ErrorEquals"])


def test_the_machine_logs_no_execution_data():
    logging = properties("JudgePanel")["LoggingConfiguration"]

    assert (logging["IncludeExecutionData"], logging["Level"]) == (False, "ERROR")
    assert properties("JudgePanel")["StateMachineType"] == "STANDARD"


def test_a_judge_message_fits_what_an_execution_may_start_with():
    assert properties("JudgeQueue")["MaximumMessageSize"] == 256 * 1024


def test_judge_runs_texts_are_private_encrypted_and_short_lived():
    bucket = properties("PanelsBucket")
    [rule] = bucket["LifecycleConfiguration"]["Rules"]

    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", {"Ref": "BodiesRetentionDays"})
    assert refuses_plain_http(properties("PanelsBucketPolicy")["PolicyDocument"], "s3:*")


@pytest.mark.parametrize(("table", "attribute"), [("ResultsTable", "expires_at"), ("BudgetsTable", "delete_after")])
def test_what_judging_records_survives_the_stack_and_expires(table, attribute):
    assert (RESOURCES[table]["DeletionPolicy"], RESOURCES[table]["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert properties(table)["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert properties(table)["TimeToLiveSpecification"] == {"AttributeName": attribute, "Enabled": True}


def test_a_result_outlives_the_name_of_its_execution():
    running, redrivable, taken = MACHINE["TimeoutSeconds"] / 86_400, 14, 90
    parameter = TEMPLATE["Parameters"]["ResultsRetentionDays"]

    assert parameter["MinValue"] > running + redrivable + running + taken
    assert parameter["Default"] >= parameter["MinValue"]
    for step in ("Prepare", "Ask", "Aggregate"):
        assert properties(f"Judge{step}Function")["Environment"]["Variables"]["RESULTS_RETENTION_DAYS"]


def test_the_budgets_table_has_the_index_that_the_sweeper_asks():
    [index] = properties("BudgetsTable")["GlobalSecondaryIndexes"]

    assert (index["IndexName"], index["Projection"]) == (DUE_INDEX, {"ProjectionType": "KEYS_ONLY"})


def test_what_puts_things_right_comes_every_minute():
    rules = [each["Properties"] for each in of_type("AWS::Events::Rule").values()]

    assert {rule["ScheduleExpression"] for rule in rules} == {"rate(1 minute)"}
    assert {attribute_of(rule["Targets"][0]["Arn"]) for rule in rules} == {"ActionsFunction", "SweepFunction"}


@pytest.mark.parametrize(
    ("function", "settings"),
    [
        ("JudgeDispatchFunction", DispatchSettings),
        ("JudgePrepareFunction", PrepareSettings),
        ("JudgeAskFunction", GatewayClientSettings),
        ("JudgeAggregateFunction", JudgeRunSettings),
        ("JudgePublishFunction", PublishSettings),
        ("SweepFunction", SweepSettings),
    ],
)
def test_a_function_of_the_judge_gets_every_variable_that_it_reads(function, settings):
    assert required_by(settings) <= properties(function)["Environment"]["Variables"].keys()


def test_a_calibrations_texts_are_private_and_its_cases_live_shorter_than_its_rows():
    bucket = properties("CalibrationsBucket")

    kept = {rule["Prefix"]: rule["ExpirationInDays"] for rule in bucket["LifecycleConfiguration"]["Rules"]}
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert kept == {"cases/": {"Ref": "BodiesRetentionDays"}, "rows/": {"Ref": "CalibrationRetentionDays"}}
    assert refuses_plain_http(properties("CalibrationsBucketPolicy")["PolicyDocument"], "s3:*")


def test_a_visit_that_fails_five_times_is_given_up_and_what_cannot_be_given_up_is_kept():
    exhausted, dead = (properties(f"Calibrations{queue}")["RedrivePolicy"] for queue in ("Queue", "ExhaustedQueue"))

    assert exhausted == {
        "deadLetterTargetArn": {"Fn::GetAtt": ["CalibrationsExhaustedQueue", "Arn"]},
        "maxReceiveCount": 5,
    }
    assert dead == {"deadLetterTargetArn": {"Fn::GetAtt": ["CalibrationsDeadQueue", "Arn"]}, "maxReceiveCount": 10}


def test_what_works_on_calibrations_writes_nothing_of_scorers_and_budgets_but_their_end():
    written = [
        (each["Sid"], action)
        for each in statements_of("CalibrateRole") for action in listed(each["Action"])
        if action in WRITES
    ]  # fmt: skip

    assert written == [
        ("KeepCalibrations", "dynamodb:PutItem"),
        ("KeepCalibrations", "dynamodb:UpdateItem"),
        ("CloseBudgets", "dynamodb:UpdateItem"),
    ]


def sends_to(role):
    sending = [each for each in statements_of(role) if "sqs:SendMessage" in listed(each.get("Action", []))]
    return {attribute_of(target) for each in sending for target in listed(each["Resource"])}


def test_lambda_takes_a_function_that_sends_to_its_own_queue_for_no_runaway():
    own = {function for queue, function in SOURCES if queue in sends_to(attribute_of(properties(function)["Role"]))}

    assert {name for name in FUNCTIONS if properties(name).get("RecursiveLoop") == "Allow"} == own
    assert own == {
        *(f"Score{family}Function" for family in FAMILIES),
        "JudgeDispatchFunction",
        "SandboxWorkFunction",
        "CalibrateFunction",
    }


@pytest.mark.parametrize("metric", ["Errors", "Throttles"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_that_keeps_failing_or_being_throttled_raises_an_alarm(function, metric):
    alarm = properties(f"{function.removesuffix('Function')}{metric}Alarm")

    assert (alarm["Namespace"], alarm["MetricName"], alarm["Statistic"]) == ("AWS/Lambda", metric, "Sum")
    assert alarm["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": function}}]


def test_a_judge_run_that_ran_out_of_time_raises_an_alarm():
    alarm = properties("JudgePanelsTimedOutAlarm")

    assert (alarm["MetricName"], alarm["Threshold"]) == ("ExecutionsTimedOut", 0)
    assert alarm["Dimensions"] == [{"Name": "StateMachineArn", "Value": {"Ref": "JudgePanel"}}]


def test_an_api_that_keeps_failing_raises_an_alarm():
    alarm = properties("ApiFailuresAlarm")

    assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/ApiGateway", "5xx")
    assert alarm["Dimensions"] == [{"Name": "ApiId", "Value": {"Ref": "Api"}}]
