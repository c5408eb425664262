"""Bodies that no schema describes, to every operation of the JSON API that takes one.

schemathesis does the rest; see described.py.
"""

import json
from random import Random

from tests.fuzz import odd

PREFIX = "/api/v1"
ODD = (None, True, -1, 1.5, 10**30, [[]], {"a": {}}, *odd.ODD)
ENDLESS = b"9" * 5000  # more digits than Python reads


class Api:
    """The operations that take a body, as `openapi.json` lists them, and a key to call with."""

    def __init__(self, client, key, rng: Random):
        self.client, self.rng = client, rng
        self.document = client.get(f"{PREFIX}/openapi.json").json()
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def operations(self):
        """Return (path with numbers, fields of the body) of each."""
        parts = self.document["components"]["schemas"]
        found = []
        for path, methods in self.document["paths"].items():
            if body := methods.get("post", {}).get("requestBody"):
                [kind] = body["content"].values()
                fields = parts[kind["schema"]["$ref"].rpartition("/")[2]]["properties"]
                found.append((path, sorted(fields)))
        return found

    def bodies(self, fields):
        """Return every odd body for these fields, in random order."""
        found = [*odd.BOMBS, ENDLESS, b'{"%s": ' % fields[0].encode() + ENDLESS + b"}"]
        found += [json.dumps(dict.fromkeys(fields, value)).encode() for value in ODD]
        return self.rng.sample(found, len(found))

    def call(self, path, body):
        """Send a body to the first run, episode or variant."""
        for name in ("run", "episode", "variant"):
            path = path.replace(f"{{{name}}}", "1")
        return self.client.post(PREFIX + path, headers=self.headers, content=body)
