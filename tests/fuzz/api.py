"""Odd calls to every operation that the description of the JSON API lists."""

import json
from random import Random

from tests.fuzz import odd

PREFIX = "/api/v1"
ODD = (None, True, -1, 0, 1.5, 10**30, "", [], {}, [[]], {"a": {}}, *odd.ODD)


class Api:
    """The operations, as `openapi.json` lists them, and a key to call them with."""

    def __init__(self, client, key, rng: Random):
        self.client, self.rng = client, rng
        self.document = client.get(f"{PREFIX}/openapi.json").json()
        self.headers = {"Authorization": f"Bearer {key}"}
        self.parts = self.document.get("components", {}).get("schemas", {})

    def operations(self):
        """Return (method, path, operation) of each."""
        return [
            (method, path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
        ]

    def call(self, method, path, operation, headers=None):
        """Call an operation: mostly with fitting values, some of them odd."""
        query, filled = {}, path
        for one in operation.get("parameters", []):
            fitting = self.rng.random() < 0.7
            value = self.fitting(one["schema"]) if fitting else odd.odd(self.rng)[:200]
            if one["in"] == "path":
                filled = filled.replace(f"{{{one['name']}}}", quoted(value))
            elif one["in"] == "query":
                query[one["name"]] = str(value)
        return self.client.request(
            method.upper(),
            PREFIX + filled,
            params=query,
            headers={
                **(self.headers if headers is None else headers),
                "Content-Type": "application/json",
            },
            content=self.body(operation) if "requestBody" in operation else None,
        )

    def body(self, operation):
        if self.rng.random() < 0.15:
            return self.rng.choice(odd.BOMBS)
        [kind] = operation["requestBody"]["content"].values()
        value = self.fitting(kind["schema"])
        if isinstance(value, dict) and value and self.rng.random() < 0.7:
            name = self.rng.choice(sorted(value))
            if self.rng.random() < 0.2:
                del value[name]
            else:
                value[name] = self.rng.choice(ODD)
        return json.dumps(value).encode()

    def fitting(self, schema):
        """Return a value that fits a schema, as far as types and choices say."""
        while "$ref" in schema or "anyOf" in schema:
            named = self.parts.get(schema.get("$ref", "").rpartition("/")[2])
            schema = named or self.rng.choice(schema["anyOf"])
        if "enum" in schema or "const" in schema:
            return self.rng.choice(schema.get("enum") or [schema["const"]])
        if schema.get("type") == "object":
            return {name: self.fitting(one) for name, one in schema.get("properties", {}).items()}
        if schema.get("type") == "array":
            return [self.fitting(schema.get("items", {})) for _ in range(self.rng.randint(0, 3))]
        numbers = [1, 1, 1, 2, schema.get("minimum", 0), schema.get("maximum", 9)]
        kinds = {"integer": numbers, "number": numbers, "boolean": [True, False], "null": [None]}
        return self.rng.choice(kinds.get(schema.get("type"), ["A-Over", "check_location", "x"]))


def quoted(value):
    from urllib.parse import quote

    return quote(str(value), safe="") or "%20"
