"""A project's scorers, rubrics and fixtures as one document."""

from evalbook.jsonio.values import Json
from evalbook.services.registry.document import FORMAT
from evalbook.services.registry.transfer_port import RegistryApi


def export_registry(api: RegistryApi) -> Json:
    """The document of everything that the project's authors wrote; the same registry gives the same document."""
    rubrics = [_rubric(api, each) for each in api.pages("/rubrics")]
    scorers = [_scorer(api, each) for each in api.pages("/scorers")]
    return {"format": FORMAT, "rubrics": rubrics, "scorers": scorers}


def _rubric(api: RegistryApi, rubric: Json) -> Json:
    versions = [
        {"instructions": each["instructions"], "criteria": each["criteria"]}
        for each in api.pages(f"/rubrics/{rubric['name']}/versions")
    ]
    return {"name": rubric["name"], "description": rubric["description"], "versions": versions}


def _scorer(api: RegistryApi, scorer: Json) -> Json:
    return {
        "name": scorer["name"],
        "description": scorer["description"],
        "active_version": scorer["active_version"],
        "versions": [_version(api, each) for each in api.pages(f"/scorers/{scorer['name']}/versions")],
    }


def _version(api: RegistryApi, version: Json) -> Json:
    path = f"/scorers/{version['scorer']}/versions/{version['version']}/fixtures"
    found = api.get(path) if version["fixtures"] else None
    return {
        "implementation": version["implementation"],
        "parameters": version["parameters"],
        "time_limit_ms": version["time_limit_ms"],
        "fixtures": found["fixtures"] if found else [],
    }
