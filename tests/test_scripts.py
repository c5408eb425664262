"""What our scripts read of a form is never a control of it: its name would hide the property."""

import re

from app.paths import folder

FORM = re.compile(r"\b(?:form|sent|command)(?:\(\))?\??\.(\w+)")
CONTROL = re.compile(r"<(?:button|input|select|textarea|fieldset|output|object)\b[^>]*>")
NAME = re.compile(r"""\b(?:name|id)="([\w-]+)\"""")
FIELDS = {"active_ms", "client_ms", "think_ms", "taps"}  # meant to be found on the form


def names_of_controls():
    pages = [path.read_text("utf-8") for path in folder("templates").rglob("*.html")]
    return {name for page in pages for tag in CONTROL.findall(page) for name in NAME.findall(tag)}


def test_no_script_reads_a_property_of_a_form_that_a_control_hides():
    """`form.save` was the button with this id, so annotators could not say who wrote a text."""
    read = {
        name
        for path in folder("static").glob("*.js")
        for name in FORM.findall(path.read_text("utf-8"))
    }
    assert {"save", "method"} <= names_of_controls()
    assert read & names_of_controls() == FIELDS & read
