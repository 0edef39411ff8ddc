"""The OpenAPI document as one page of HTML that needs no network and no script."""

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
code, pre { font: 14px/1.4 ui-monospace, monospace; background: #f4f4f4; border-radius: 4px; padding: 0 .2em; }
pre { padding: .6em; overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
td, th { border: 1px solid #ccc; padding: .25em .6em; text-align: left; vertical-align: top; }
summary { cursor: pointer; padding: .3em 0; } details details { margin-left: 1.2em; }
.method { display: inline-block; min-width: 4em; font-weight: bold; }
"""


def page(document: str) -> str:
    """Give the page of *document*, OpenAPI as JSON text."""
    api = json.loads(document)
    operations = [
        (path, method, operation) for path, methods in api["paths"].items() for method, operation in methods.items()
    ]
    body = "\n".join(
        [
            f"<h1>{escape(api['info']['title'])}</h1>",
            f"<p>{escape(_token(api))}</p>",
            "<h2>Routes</h2>",
            *(_operation(*each) for each in operations),
            "<h2>Bodies</h2>",
            *(_schema(name, schema) for name, schema in api["components"]["schemas"].items()),
        ]
    )
    title = escape(api["info"]["title"])
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _token(api: Mapping[str, Any]) -> str:
    return " ".join(scheme["description"] for scheme in api["components"]["securitySchemes"].values())


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> str:
    scopes = [scope for each in operation["security"] for names in each.values() for scope in names]
    named = " or ".join(f"<code>{escape(scope)}</code>" for scope in scopes)
    needs = f"Needs the scope {named}." if named else "Any valid token does."
    head = f'<span class="method">{method.upper()}</span> <code>{escape(path)}</code> {escape(operation["summary"])}'
    parts = [f"<p>{needs}</p>", _parameters(operation), _request(operation), _responses(operation)]
    return f"<details><summary>{head}</summary>{''.join(parts)}</details>"


def _parameters(operation: Mapping[str, Any]) -> str:
    rows = [
        (
            f"<code>{escape(each['name'])}</code>",
            escape(each["in"]) + (", required" if each.get("required") else ""),
            escape(each.get("description", "")),
            _type_of(each["schema"]),
        )
        for each in operation.get("parameters", [])
    ]
    return _table(("parameter", "in", "meaning", "type"), rows) if rows else ""


def _request(operation: Mapping[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    return "".join(f"<p>Body: {_type_of(each['schema'])}</p>{_example(each)}" for each in content.values())


def _example(body: Mapping[str, Any]) -> str:
    return f"<pre>{escape(json.dumps(body['example'], indent=1))}</pre>" if "example" in body else ""


def _responses(operation: Mapping[str, Any]) -> str:
    rows = [(status, escape(each["description"]), _bodies(each)) for status, each in operation["responses"].items()]
    return _table(("status", "meaning", "body"), rows)


def _bodies(response: Mapping[str, Any]) -> str:
    content = response.get("content", {})
    return "<br>".join(f"{_type_of(each.get('schema', {}))} ({escape(kind)})" for kind, each in content.items())


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    text = escape(json.dumps(schema, indent=1, sort_keys=True))
    about = escape(schema.get("description", ""))
    return (
        f'<details id="{escape(name)}"><summary><code>{escape(name)}</code> {about}</summary>'
        f"<pre>{text}</pre></details>"
    )


def _type_of(schema: Mapping[str, Any]) -> str:
    return " or ".join(_types(schema)) or "anything"


def _types(schema: Mapping[str, Any]) -> Iterator[str]:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        yield f'<a href="#{name}"><code>{name}</code></a>'
    for each in schema.get("anyOf", []):
        yield from _types(each)
    if "allOf" in schema:
        yield _narrowed(*schema["allOf"])
    if "type" in schema:
        yield escape(str(schema["type"]))


def _narrowed(problem: Mapping[str, Any], narrower: Mapping[str, Any]) -> str:
    """Return a problem's type with the codes that it can have here."""
    codes = ", ".join(f"<code>{escape(code)}</code>" for code in narrower["properties"]["code"]["enum"])
    return f"{_type_of(problem)} with the code {codes}"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{each}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"
