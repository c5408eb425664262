"""What is left of a template's indentation and wrapped lines on the page."""

import traceback

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError

from app.web.whitespace import Unindented


@pytest.fixture
def env():
    return Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Unindented],
    )


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("<ul>\n    <li>one</li>\n</ul>", "<ul>\n<li>one</li>\n</ul>"),
        ("<p>\n  A sentence\n  in two lines.\n</p>", "<p>\nA sentence in two lines.\n</p>"),
        ("<p>\n  {{ 1 }}\n  of {{ 2 }}\n</p>", "<p>\n1 of 2\n</p>"),
        ("<a\n   href='x'\n   class='y'>z</a>", "<a href='x' class='y'>z</a>"),
        ("{% if 1 %}\n  <b>x</b>\n{% endif %}\n", " <b>x</b>\n"),
        ("<i{% if 1 %} lang='x'{% endif %}\n   hidden>x</i>", "<i lang='x' hidden>x</i>"),
        ("<i{% if 1 %} hidden{% endif %}>x</i> y", "<i hidden>x</i> y"),
        ("a{% if 1 %} b{% endif %}", "a b"),
        ("<p>no break</p>  <p>two</p>", "<p>no break</p>  <p>two</p>"),
    ],
)
def test_line_break_and_indentation_become_one_character(env, source, page):
    assert env.from_string(source).render() == page


@pytest.mark.parametrize("name", ["textarea", "pre"])
def test_what_is_shown_as_typed_keeps_every_space(env, name):
    source = f"<div>\n  <{name}>\n  {{{{ text }}}}\n\n  end\n</{name}>\n  <p>x</p></div>"
    page = env.from_string(source).render(text="  a\n  b")
    assert page == f"<div>\n<{name}>\n    a\n  b\n\n  end\n</{name}>\n<p>x</p></div>"


def test_error_in_a_template_names_its_line(env):
    source = "<p>\n  wrapped\n  here\n</p>\n{{ nothing }}"
    with pytest.raises(UndefinedError) as caught:
        env.from_string(source).render()
    frames = traceback.extract_tb(caught.tb)
    assert [frame.lineno for frame in frames if frame.filename == "<template>"] == [5]
