"""Write a design as YAML, which `spec.parse_study` reads back. Comments are not kept."""

from typing import Any

import yaml

from app.study.design.spec import StudySpec
from app.study.design.yaml_text import is_plain

HEAD = "# A study file: docs/study-file.md describes each field. Comments are not kept.\n"


class Dumper(yaml.SafeDumper):
    """Writes multi-line texts as blocks and no aliases, for human readers."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Never use aliases."""
        return True


def is_block(text: str) -> bool:
    """Tell whether YAML keeps a multi-line text unchanged as a block."""
    lines = text.split("\n")
    plain = all(line.isprintable() and line.rstrip() == line for line in lines)
    return plain and len(lines) > 1 and lines[0] != "" and not lines[0][0].isspace()


def write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Return a text as YAML: a block if possible, with unusual characters escaped.

    Except in double quotes, PyYAML would lose characters such as U+0085, a line end in YAML, and
    write texts such as 08, which `yaml_text` refuses.
    """
    odd = not all(sign.isprintable() or sign == "\n" for sign in text)
    quotes = None if is_plain(text) else "'"
    style = "|" if is_block(text) else '"' if odd else quotes
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def write_list(dumper: yaml.SafeDumper, values: Any) -> yaml.SequenceNode:
    """Return a list as YAML: numbers on one line, anything else one per line."""
    short = bool(values) and all(isinstance(one, int) for one in values)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=short or None)


Dumper.add_representer(str, write_text)
Dumper.add_representer(list, write_list)


def to_yaml(document: Any) -> str:
    """Return the study file for the document of a spec or an unfinished draft."""
    text = yaml.dump(
        document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100, indent=2
    )
    return HEAD + text


def file_of(spec: StudySpec) -> str:
    """Return the study file of a checked design; reading it gives an equal design."""
    data = spec.model_dump(mode="json")
    for block in data["blocks"]:
        block["seeds"] = short_seeds(block["seeds"])
    return to_yaml(data)


def short_seeds(seeds: list[int]) -> str:
    """Return seeds in short form, such as `0-3,7`, in the same order."""
    parts = list[list[int]]()
    for seed in seeds:
        if parts and seed == parts[-1][1] + 1:
            parts[-1][1] = seed
        else:
            parts.append([seed, seed])
    return ",".join(f"{low}-{high}" if high > low else f"{low}" for low, high in parts)


def plain_yaml(value: Any) -> str:
    """Return a part of a file as YAML, without the header line."""
    return to_yaml(value).removeprefix(HEAD)
