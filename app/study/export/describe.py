"""What describes a bundle: schema.org metadata for Psych-DS, README, CHANGES."""

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from app.study.column_kinds import KINDS, Column
from app.study.design.spec_people import Baseline
from app.study.design.studies import StudyView
from app.study.export.columns import EXPORT_COLUMNS, FORMAT_VERSION, SPECS

CONTEXT = "https://schema.org"
TEXTS = ("consent", "instructions", "debrief")
PUBLISH = (
    "Before you publish, add `author`, `license` and `citation` to `dataset_description.json`."
)
WITH_EPISODE = tuple(
    table
    for table, columns in EXPORT_COLUMNS.items()
    if any(column.name == "episode_index" for column in columns)
)
JOINS = (
    "`documentation/codebook.csv` says what every column means. Join tables by `participant_id`, "
    "`block_id`, `episode_id`, `explanation_id` = `item_id`, and `variant_hash`. Later episodes of "
    "a block are informed by earlier ones: `episode_index` is in every table whose rows can belong "
    f"to one episode ({', '.join(WITH_EPISODE)}); it is empty where a row belongs to none."
)
VERSIONS = (
    "The texts are those of the newest design version; `participant.design_version` and "
    "`consent_hash` tell who agreed to which."
)
Facts = Mapping[str, Any]


def as_json(document: Any) -> str:
    """Return a document as JSON text."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def variable(name: str, about: str, unit: str) -> dict[str, str]:
    """Return one variable as schema.org knows it."""
    found = {"@type": "PropertyValue", "name": name, "description": about}
    return {**found, "unitText": unit} if unit else found


def told_of(column: Column) -> str:
    """Return a column's meaning with its type."""
    return f"{column.about} ({KINDS[column.kind]})"


def sidecar(table: str) -> dict[str, Any]:
    """Return the metadata of one table's file: its own columns in order."""
    columns = EXPORT_COLUMNS[table]
    return {
        "@context": CONTEXT,
        "@type": "Dataset",
        "name": table,
        "description": f"One row: {SPECS[table].row}.",
        "variableMeasured": [variable(one.name, told_of(one), one.unit) for one in columns],
    }


def variables() -> list[dict[str, str]]:
    """Return every column of all tables once; what differs between tables is told of each."""
    meanings: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    units: dict[str, set[str]] = defaultdict(set)
    for table, columns in EXPORT_COLUMNS.items():
        for one in columns:
            meanings[one.name][told_of(one)].append(table)
            units[one.name].add(one.unit)
    found = []
    for name, by_text in meanings.items():
        texts = [
            text if len(by_text) == 1 else f"{', '.join(tables)}: {text}"
            for text, tables in by_text.items()
        ]
        unit = units[name].pop() if len(units[name]) == 1 else ""
        found.append(variable(name, "; ".join(texts), unit))
    return found


def dataset(study: StudyView, facts: Facts) -> dict[str, Any]:
    """Return dataset_description.json: a schema.org Dataset with every column."""
    return {
        "@context": CONTEXT,
        "@type": "Dataset",
        "name": study.title,
        "description": summary(study, facts),
        "schemaVersion": "Psych-DS 1.0",
        "identifier": study.slug,
        "version": f"{FORMAT_VERSION}, design {study.version}",
        "dateCreated": facts["exported_at"],
        "keywords": ["rule induction", "text game", "human baseline", study.kind],
        "measurementTechnique": "Hero's Journey, a text game of hidden rules, played in a browser",
        "isAccessibleForFree": True,
        "variableMeasured": variables(),
    }


def summary(study: StudyView, facts: Facts) -> str:
    """Return the dataset in a few sentences, the checklist of human baselines in short."""
    checklist = study.spec.baseline.model_dump()
    stated = " ".join(f"{words(name)}: {text}" for name, text in checklist.items() if text.strip())
    return (
        f"People play Hero's Journey, a text game in which a hidden rule is to be found. Study "
        f"'{study.title}' ({study.kind}). {people(facts)} {stated}"
    ).strip()


def people(facts: Facts) -> str:
    """Return in a sentence who is in the tables."""
    test = "Test people are among them." if facts["include_test"] else "Test people are left out."
    practice = "Practice is included." if facts["include_practice"] else "Practice is left out."
    return f"{test} {practice} Exclusions are flags, not deletions."


def words(name: str) -> str:
    """Return a field's name as words: `ai_use` -> `Ai use`."""
    return name.replace("_", " ").capitalize()


def readme(study: StudyView, facts: Facts) -> str:
    """Return README.md: what this is, the files, the checklist, what people read."""
    spec = study.spec
    made = (
        f"Made {facts['exported_at']} in format {FORMAT_VERSION} by version "
        f"{facts['code_version']} of the study server, design version {study.version}. "
        "`manifest.json` has the settings, row counts and sha256 of every file."
    )
    texts = (quoted(name, getattr(spec.texts, name)) for name in TEXTS)
    parts = [
        *(f"# {study.title}", summary(study, facts), made, flavour_note(facts["format"]), PUBLISH),
        *("## Tables", table_of_files(facts), JOINS),
        *("## Free text", free_text(facts)),
        *("## Human-baseline checklist", checklist(spec.baseline)),
        *("## What people read", *texts, VERSIONS),
    ]
    return "\n\n".join(parts) + "\n"


def flavour_note(flavour: str) -> str:
    """Return what this flavour is, and is not."""
    return {
        "csv": "This is a Psych-DS dataset: canonical CSV (UTF-8, RFC 4180), text as it was typed.",
        "excel": "This is the Excel flavour: text that a spreadsheet takes for a formula has a "
        "leading apostrophe. It is no Psych-DS dataset; analyse the plain CSV flavour.",
        "jsonl": "This is the JSON Lines flavour, one object a row; it is no Psych-DS dataset.",
    }[flavour]


def table_of_files(facts: Facts) -> str:
    """Return the tables with their rows."""
    lines = ["| table | rows | one row |", "|---|---|---|"]
    lines += [
        f"| `{file['name']}` | {file['rows']} | {SPECS[file['table']].row} |"
        for file in facts["files"]
    ]
    return "\n".join(lines)


def free_text(facts: Facts) -> str:
    """Return how much free text is unreviewed, and what this bundle does with it."""
    lines = ["| table | unreviewed | released | withheld |", "|---|---|---|---|"]
    for table, number in facts["free_text"].items():
        lines.append(
            f"| {table} | {number['unreviewed']} | {number['released']} | {number['withheld']} |"
        )
    if facts["shareable"]:
        tail = (
            "This bundle is shareable: texts that are not released are empty, `text_reason` says "
            "why; so are the words of researchers, raters and judges, and any text that holds a "
            "platform id, a code or a token; a command (`turn.raw`) that holds one is empty, all "
            "others stand as they were typed."
        )
    else:
        tail = (
            "This bundle holds all texts, unreviewed ones too: **do not pass it on**. "
            "Make a shareable one for that."
        )
    return "\n".join(lines) + "\n\n" + tail


def checklist(baseline: Baseline) -> str:
    """Return the checklist; what the researchers left empty is said."""
    fields = baseline.model_dump()
    lines = [
        f"- **{words(name)}**: {text.strip() or 'not stated'}" for name, text in fields.items()
    ]
    return "\n".join(lines)


def quoted(name: str, text: str) -> str:
    """Return a text that people read, as a quotation."""
    lines = "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
    return f"### {name.capitalize()}\n\n{lines}"


def changes(facts: Facts) -> str:
    """Return CHANGES.md."""
    return (
        "# Changes\n\n"
        f"## {facts['exported_at']}\n\n"
        f"- Exported from the study server, version {facts['code_version']}, format "
        f"{FORMAT_VERSION}, database {facts['schema_revision']}.\n"
    )
