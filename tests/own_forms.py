"""A test client that sends the login's form key with every form, as the pages' own forms do."""

import re

from starlette.testclient import TestClient

FIELD = re.compile(r'name="form_key" value="([^"]+)"')


class OwnForms(TestClient):
    """Takes the key from the last page that shows one; a key that a test sends comes first."""

    form_key = ""

    def request(self, method, url, **given):
        if method == "POST" and self.form_key and given.get("content") is None:
            given["data"] = {"form_key": self.form_key, **(given.get("data") or {})}
        answer = super().request(method, url, **given)
        if "html" in answer.headers.get("content-type", ""):
            found = FIELD.search(answer.text)
            self.form_key = found[1] if found else self.form_key
        return answer
