"""Helpers of the tests of the design pages."""


def part(walker, section, slug="winter"):
    """Open a section of a study's design, or the design as a file."""
    page = "design-file" if section == "file" else f"design/{section}"
    return walker.get(f"/admin/studies/{slug}/{page}")


def error_at(walker, name):
    """Return the error shown at a field; the field must refer to it."""
    text, ident = walker.answer.text, name.replace(".", "-") + "-error"
    assert f'aria-describedby="{ident}' in text, f"{name} does not point at its error"
    return text.split(f'class="error" id="{ident}">')[1].split("</p>")[0]
