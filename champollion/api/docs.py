"""The schema as rows for a page. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_METHODS = ("get", "post")


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a body or an answer."""

    name: str
    kind: str
    about: str
    is_required: bool


@dataclass(frozen=True)
class Operation:
    """One operation: its method and address, what it does, what it takes and what it answers."""

    id: str
    method: str
    path: str
    about: str
    needs_sign_in: bool
    parameters: list[Field]
    bodies: list[tuple[str, list[Field]]]
    answers: list[tuple[str, list[Field]]]


def operations_of(schema: Mapping[str, Any]) -> list[tuple[str, list[Operation]]]:
    """Return the operations of an OpenAPI schema by resource, in the order of the schema."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method in _METHODS:
            if method in methods:
                name = path.removeprefix("/api/v1/").split("/")[0] or "api"
                groups.setdefault(name, []).append(_operation(schema, path, method, methods[method]))
    return list(groups.items())


def _operation(schema: Mapping[str, Any], path: str, method: str, found: Mapping[str, Any]) -> Operation:
    bodies = found.get("requestBody", {}).get("content", {})
    answers = {code: answer for code, answer in found["responses"].items() if code.startswith("2")}
    return Operation(
        id=found["operationId"],
        method=method.upper(),
        path=path,
        about=found.get("description", ""),
        needs_sign_in={} not in found.get("security", []),
        parameters=[_parameter(one) for one in found.get("parameters", [])],
        bodies=[(kind, _fields(schema, one.get("schema", {}))) for kind, one in bodies.items()],
        answers=[
            (code, _fields(schema, one.get("schema", {})))
            for code, answer in answers.items()
            for one in answer.get("content", {}).values()
        ],
    )


def _parameter(found: Mapping[str, Any]) -> Field:
    about = found.get("description", "")
    return Field(found["name"], _kind(found.get("schema", {})), about, bool(found.get("required")))


def _fields(schema: Mapping[str, Any], found: Mapping[str, Any]) -> list[Field]:
    """Return the fields of a body or an answer; of a list those of its entries."""
    found = _resolved(schema, found)
    if found.get("type") == "array":
        return _fields(schema, found["items"])
    properties = found.get("properties", {})
    if "results" in properties:
        return _fields(schema, properties["results"])
    required = found.get("required", [])
    return [
        Field(name, _kind(one), str(_resolved(schema, one).get("description", "")), name in required)
        for name, one in properties.items()
    ]


def _resolved(schema: Mapping[str, Any], found: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = found.get("$ref", "")
    return schema["components"]["schemas"][reference.rsplit("/", 1)[-1]] if reference else found


def _kind(found: Mapping[str, Any]) -> str:
    """Return a word or two for a type."""
    if "$ref" in found:
        return str(found["$ref"]).rsplit("/", 1)[-1]
    for name in ("allOf", "oneOf", "anyOf"):
        if name in found:
            return " | ".join(_kind(one) for one in found[name])
    kind = found.get("type", "")
    kinds = kind if isinstance(kind, list) else [kind]
    if "array" in kinds:
        return f"{_kind(found.get('items', {}))}[]"
    return " | ".join(str(one) for one in [found.get("format") or kinds[0], *kinds[1:]] if one)
