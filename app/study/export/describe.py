"""The description of a bundle: schema.org metadata for Psych-DS, README, CHANGES."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from app.study.column_kinds import KINDS, Column
from app.study.design.spec import BOTS
from app.study.design.spec_people import Baseline
from app.study.design.studies import StudyView
from app.study.export.columns import EXPORT_COLUMNS, FORMAT_VERSION, SPECS

CONTEXT = "https://schema.org"
KEYWORDS, OF_PEOPLE = ("rule induction", "text game"), "human baseline"
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
    "`documentation/codebook.csv` explains every column. Join tables by `participant_id`, "
    "`block_id`, `episode_id`, `explanation_id` = `item_id`, and `variant_hash`. Players learn "
    "from earlier episodes of a block, so every table whose rows can belong to an episode has "
    f"`episode_index` ({', '.join(WITH_EPISODE)}). It is empty if a row belongs to no episode."
)
VERSIONS = (
    "These are the texts of the newest design version. `participant.design_version` and "
    "`consent_hash` show which version each participant consented to."
)
LEAVES_OUT = "This bundle is shareable. It leaves out (`text_reason` says why):"
LEFT_OUT = (
    (
        "texts that no researcher has released. Commands (`turn.raw`) that the game did not "
        "understand count as texts. Commands that it understood are exactly as typed"
    ),
    (
        "texts, commands, answers to closed questions and texts of models in which hjstudy found a "
        "platform ID, session ID, code or token of the study, an e-mail address or a telephone "
        "number, released or not"
    ),
    (
        "what researchers, annotators and judges wrote, and models' prompts and answers, unless "
        "they were asked for"
    ),
)
KEPT = (
    "Numbers from browsers in which such an ID was found are left out too, with every sum that "
    "would reveal them. From a command that was left out to the end of its episode, `turn.digest` "
    "is empty. hjstudy finds IDs and addresses in the spellings that it knows, and no others. "
    "Names and IDs of models, items, judges, guidelines and groups, and the study's own texts, "
    "such as those on this page, are searched in the same way, but stay as they are: the next "
    "section says what was found in them."
)
REPORT = "`documentation/deidentification.md` has the numbers."
Facts = Mapping[str, Any]


def as_json(document: Any) -> str:
    """Return a document as JSON text."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def variable(name: str, about: str, unit: str) -> dict[str, str]:
    """Return one variable in the schema.org vocabulary."""
    found = {"@type": "PropertyValue", "name": name, "description": about}
    return {**found, "unitText": unit} if unit else found


def meaning_of(column: Column) -> str:
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
        "variableMeasured": [variable(one.name, meaning_of(one), one.unit) for one in columns],
    }


def variables() -> list[dict[str, str]]:
    """Return every column of all tables once, with each meaning if tables differ."""
    meanings: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    units: dict[str, set[str]] = defaultdict(set)
    for table, columns in EXPORT_COLUMNS.items():
        for one in columns:
            meanings[one.name][meaning_of(one)].append(table)
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
        "keywords": [*KEYWORDS, *([] if study.kind == BOTS else [OF_PEOPLE]), study.kind],
        "measurementTechnique": "Hero's Journey, a browser text game with hidden rules",
        "isAccessibleForFree": True,
        "variableMeasured": variables(),
    }


def summary(study: StudyView, facts: Facts) -> str:
    """Return a few sentences about the dataset, with the human-baseline checklist in short."""
    checklist = study.spec.baseline.model_dump()
    stated = " ".join(f"{words(name)}: {text}" for name, text in checklist.items() if text.strip())
    return (
        f"Participants play Hero's Journey, a text game in which they find a hidden rule. Study "
        f"'{study.title}' ({study.kind}). {people(facts)} {stated}"
    ).strip()


def people(facts: Facts) -> str:
    """Return a sentence on who is in the tables."""
    test = f"Test participants are {'included' if facts['include_test'] else 'left out'}."
    is_in = facts["include_practice"]
    practice = f"Practice is {'included' if is_in else 'left out, except its notebooks'}."
    return f"{test} {practice} Excluded participants are marked, not deleted."


def words(name: str) -> str:
    """Return a field's name as words: `ai_use` -> `Ai use`."""
    return name.replace("_", " ").capitalize()


def readme(study: StudyView, facts: Facts, remaining: Sequence[str]) -> str:
    """Return README.md: the dataset, its files, the checklist, and the texts for participants.

    `remaining`: what the de-identification report says of a shareable bundle.
    """
    spec = study.spec
    made = (
        f"Exported {facts['exported_at']} by hjstudy {facts['code_version']} in format "
        f"{FORMAT_VERSION}, design version {study.version}. `manifest.json` has the settings, "
        "row counts and the sha256 of every file."
    )
    texts = (quoted(name, getattr(spec.texts, name)) for name in TEXTS)
    parts = [
        *(f"# {study.title}", summary(study, facts), made, flavour_note(facts["format"]), PUBLISH),
        *("## Tables", table_of_files(facts), JOINS),
        *(() if facts["format"] == "excel" else ("## Recompute a report", recompute(facts))),
        *("## Free text", free_text(facts)),
        *(["## De-identification", bullets(remaining), REPORT] if remaining else []),
        *("## Human-baseline checklist", checklist(spec.baseline)),
        *("## Texts shown to participants", *texts, VERSIONS),
    ]
    return "\n\n".join(parts) + "\n"


def bullets(lines: Sequence[str]) -> str:
    """Return a list."""
    return "\n".join(f"- {line}" for line in lines)


def flavour_note(flavour: str) -> str:
    """Return a note on the format of the files."""
    return {
        "csv": "This is a Psych-DS dataset: CSV (UTF-8, RFC 4180) with text exactly as typed.",
        "excel": "This is CSV for Excel: text that a spreadsheet would run as a formula starts "
        "with an apostrophe. It is not a Psych-DS dataset. Use the plain CSV format for analysis.",
        "jsonl": "This is JSON Lines, one object per row. It is not a Psych-DS dataset.",
    }[flavour]


def table_of_files(facts: Facts) -> str:
    """Return the list of tables with row counts."""
    lines = ["| table | rows | one row is |", "|---|---|---|"]
    lines += [
        f"| `{file['name']}` | {file['rows']} | {SPECS[file['table']].row} |"
        for file in facts["files"]
    ]
    return "\n".join(lines)


def recompute(facts: Facts) -> str:
    """Return how to recompute the tables of a report with the bundle's own programs."""
    in_r = (
        " `Rscript analysis/recompute.R report` does the same in base R, without packages: it "
        "makes the random numbers of intervals and p values itself."
    )
    return (
        "`hjstudy report` makes a report of this bundle. `python3 analysis/recompute.py report` "
        "recomputes each table of that report from the files here and compares every value, to "
        "1e-9. It shares no code with hjstudy, needs Python 3.10 and, for intervals, NumPy. Its "
        "first lines say what it takes as given." + (in_r if facts["format"] == "csv" else "")
    )


def free_text(facts: Facts) -> str:
    """Return the counts of free texts by state, and how this bundle treats them."""
    lines = ["| table | unreviewed | released | withheld |", "|---|---|---|---|"]
    for table, number in facts["free_text"].items():
        lines.append(
            f"| {table} | {number['unreviewed']} | {number['released']} | {number['withheld']} |"
        )
    if facts["shareable"]:
        tail = f"{LEAVES_OUT}\n\n{bullets(LEFT_OUT)}\n\n{KEPT}"
    else:
        tail = (
            "This bundle contains all texts, including unreviewed ones. **Do not share it**: "
            "export a shareable bundle instead."
        )
    return "\n".join(lines) + "\n\n" + tail


def checklist(baseline: Baseline) -> str:
    """Return the checklist, with 'not stated' for empty fields."""
    fields = baseline.model_dump()
    lines = [
        f"- **{words(name)}**: {text.strip() or 'not stated'}" for name, text in fields.items()
    ]
    return "\n".join(lines)


def quoted(name: str, text: str) -> str:
    """Return a text for participants as a quotation."""
    lines = "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
    return f"### {name.capitalize()}\n\n{lines}"


def changes(facts: Facts) -> str:
    """Return CHANGES.md."""
    return (
        "# Changes\n\n"
        f"## {facts['exported_at']}\n\n"
        f"- Exported by hjstudy {facts['code_version']}, format {FORMAT_VERSION}, database "
        f"{facts['schema_revision']}.\n"
    )
