import pytest

from devstack.instructions import instructions

API = "http://127.0.0.1:9/_aws/execute-api/a/$default"
OUTPUTS = {
    "TextQueueUrl": "http://127.0.0.1:9/0/evalbook-text",
    "ResultsQueueUrl": "http://127.0.0.1:9/0/evalbook-results",
    "RegistryTableName": "evalbook-registry",
    "BodiesBucketName": "bodies",
}


def test_every_output_is_listed():
    text = instructions("http://127.0.0.1:9", OUTPUTS, API)

    assert all(f"  {name}" in text and value in text for name, value in OUTPUTS.items())


@pytest.mark.parametrize("number", [1, 2])
def test_the_programs_are_valid_python(number):
    program = instructions("http://127.0.0.1:9", OUTPUTS, API).split("<<'END'\n")[number].split("\nEND\n")[0]

    compile(program, "pasted", "exec")


def test_the_commands_name_the_endpoint():
    assert "AWS_ENDPOINT_URL=http://127.0.0.1:9 " in instructions("http://127.0.0.1:9", OUTPUTS, API)


def test_the_api_is_named_so_that_a_shell_leaves_it_alone():
    assert f"export API='{API}'" in instructions("http://127.0.0.1:9", OUTPUTS, API)
