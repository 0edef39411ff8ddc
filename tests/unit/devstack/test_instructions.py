from devstack.instructions import instructions

OUTPUTS = {
    "TextQueueUrl": "http://127.0.0.1:9/0/evalbook-text",
    "ResultsQueueUrl": "http://127.0.0.1:9/0/evalbook-results",
    "BodiesBucketName": "bodies",
}


def test_every_output_is_listed():
    text = instructions("http://127.0.0.1:9", OUTPUTS)

    assert all(f"  {name}" in text and value in text for name, value in OUTPUTS.items())


def test_the_boto3_program_is_valid_python():
    program = instructions("http://127.0.0.1:9", OUTPUTS).split("<<'END'\n")[1].split("  END")[0]

    compile("\n".join(line.removeprefix("  ") for line in program.splitlines()), "pasted", "exec")


def test_the_commands_name_the_endpoint():
    assert "AWS_ENDPOINT_URL=http://127.0.0.1:9 " in instructions("http://127.0.0.1:9", OUTPUTS)
