"""The de-identification report in words: what was left out of a bundle, and what remains."""

from typing import Any

from app.study.export import anonymity, unsearchable
from app.study.export.coarse import DAY, EXACT, RELATIVE
from app.study.export.searched import KINDS

COUNTED = ("ids_found", "texts_unread", "texts_included", "texts_with_names", "texts_with_numbers")
OPEN = (
    "Short text answers that were released are counted like choices, in small letters without "
    "punctuation. Longer texts are not counted: they may identify people too."
)
TIMES_KEPT = {
    EXACT: "Times are exact to the millisecond: someone who knows when a person took part, or an "
    "order of arrival, can identify them. Round times to the day, or make them relative.",
    DAY: "Times are rounded down to the day; durations are exact. If only a few people took part "
    "on a day, the day still identifies them.",
    RELATIVE: "Times are relative: each person starts at 2000-01-01T00:00Z. Durations of less than "
    "a day are exact; longer ones that a browser sent are left out, and so are the clocks of "
    "browsers that were a day or more off, because they would reveal when the person took part.",
}
NO_KEY = (
    "The file with the key of deleted IDs is missing, or it is not the key that this study's IDs "
    "were deleted with (`id_key_missing`). So this bundle has no texts that someone typed, no "
    "answers and no numbers of six digits or more from browsers, and how many people share the "
    "same answers was not computed. Restore the file and make the bundle again."
)
NOTHING_BESIDES = (
    "Nothing was found in what is not released text by text: names and IDs of models, items and "
    "groups, answers to closed questions, models' texts, and the study's own texts."
)
WHAT_TO_DO = (
    "These are in the bundle. Read each place. If it identifies someone, change it where it comes "
    "from (the study file, the file that was imported, the name of a model or group) and make the "
    "bundle again; if that is not possible, remove it from the files before you share them. "
    "Addresses and numbers of your own may stay. Ordinary words may look like names."
)
BESIDES = "Found in what is not released text by text"
READ = "Read and released"
UNREAD = "Unread texts"
THEIRS = "Texts of people whose IDs cannot be found"
WHAT_IS_UNREAD = (
    "Nobody has read these texts in hjstudy: closed answers, names, models' texts, the study's own "
    "texts, commands that the game understood. hjstudy finds some spellings and no others, so read "
    "each place. `marked` counts rows in which something was found."
)
BY_HAND = (
    "Read their texts in this bundle by hand; `deidentification.md` lists the columns and rows"
)
NONE_OF_THEIRS = "They have no texts in this bundle; only texts of others could name them"


def sentences(facts: dict[str, Any]) -> list[str]:
    """Return what a reader must know, in words: what was left out, and what remains."""
    people = [] if facts["id_key_missing"] else about_people(facts["anonymity"])
    return [
        *([NO_KEY] if facts["id_key_missing"] else []),
        *about_texts(facts),
        *about_emptied(facts["emptied"]),
        about_besides(facts["found_besides"]),
        *about_unread(facts["unread"]),
        *about_unsearchable(facts["unsearchable"]),
        *people,
        *about_options(facts),
    ]


def about_texts(facts: dict[str, Any]) -> list[str]:
    """Return sentences on texts."""
    found, unread, included, named, numbered = (facts[one] for one in COUNTED)
    left_out = (
        f"Left out: {found} texts, commands or answers with a platform ID, code, token, e-mail "
        f"address or telephone number in them, and {unread} texts or commands that no one has "
        "read. Each text counts once, also if two tables have it."
    )
    if not included:
        return [left_out]
    read = (
        f"{included} texts or commands are included because a researcher read and released them. "
        f"{named} of them contain a word that looks like a name. hjstudy marks such words by their "
        "form and by a list of common given and family names, and misses some: only a reader can "
        f"find all names. {numbered} contain a number of seven digits or more. "
        "`deidentification.json` lists the file, row and columns of each of these texts, "
        "and of their copies in `item` (`texts_listed`)."
    )
    return [left_out, read]


def about_emptied(emptied: list[dict[str, Any]]) -> list[str]:
    """Return a sentence on values left out of columns that have no `text_reason`."""
    if not emptied:
        return []
    number = sum(one["rows"] for one in emptied)
    columns = sorted({f"`{one['table']}.{one['column']}`" for one in emptied})
    line = (
        f"Also left out: {number} numbers from browsers, sums of such numbers, events' details, "
        f"and commands or answers of models, in {', '.join(columns)}. "
        "`deidentification.md` says why."
    )
    return [line]


def about_besides(found: list[dict[str, Any]]) -> str:
    """Return a sentence on what was found, and stays, in what nobody reads text by text."""
    if not found:
        return NOTHING_BESIDES
    kinds = [
        f"{KINDS[kind]} in {number_of(found, kind)}"
        for kind in KINDS
        if any(one["kind"] == kind for one in found)
    ]
    return (
        f"{BESIDES}: {'; '.join(kinds)}. `deidentification.md` lists these places, and "
        "`deidentification.json` their rows too (`found_besides`). They are not left out."
    )


def about_unread(unread: list[dict[str, Any]]) -> list[str]:
    """Return a sentence on what leaves without anyone having read it, found in it or not."""
    if not unread:
        return []
    rows, marked = (sum(one[name] for one in unread) for name in ("rows", "marked"))
    line = (
        f"{UNREAD}: {rows} rows or texts in {len(unread)} columns or texts are in this bundle "
        f"without having been read. In {rows - marked} of them nothing was found, which proves "
        "nothing. `deidentification.md` lists each place (`unread`)."
    )
    return [line]


def about_unsearchable(found: dict[str, Any]) -> list[str]:
    """Return a sentence on people whose IDs can no longer be found, why, and what to do."""
    if not found["people"]:
        return []
    why = "; ".join(
        f"{number} {unsearchable.REASONS[reason]}" for reason, number in found["people"].items()
    )
    rows = sum(one["rows"] for one in found["texts"])
    to_do = f"{BY_HAND} ({rows} rows)" if rows else NONE_OF_THEIRS
    line = (
        f"IDs of {sum(found['people'].values())} people cannot be found in texts, or only in part: "
        f"{why}. {to_do}. An ID in the usual form of a platform's is found whoever it belongs to."
    )
    return [line]


def number_of(found: list[dict[str, Any]], kind: str) -> str:
    """Return in how many rows or texts something of a kind was found, in words."""
    number = sum(one["rows"] for one in found if one["kind"] == kind)
    return f"{number} row or text" if number == 1 else f"{number} rows or texts"


def about_people(found: dict[str, Any]) -> list[str]:
    """Return sentences on how many people share the same answers."""
    if not found["attributes"]:
        return [f"There are no closed questions and no groups, so nothing was counted. {OPEN}"]
    classes = (
        f"By {', '.join(found['attributes'])}, {found['people']} people fall into "
        f"{found['classes']} classes; the smallest has {found['k']} (k-anonymity). "
        f"People who are alone in theirs: {found['alone']}. Others who share theirs with fewer "
        f"than {anonymity.SMALL - 1} others: {found['in_small_classes']}."
    )
    cells = [
        f"`{one['name']}`: {one['small_cells']} values are given by fewer than "
        f"{anonymity.SMALL} people."
        for one in found["by_attribute"]
        if one["small_cells"]
    ]
    sure = ", ".join(one["name"] for one in found["by_attribute"] if one["l"] == 1)
    diversity = f"For at least one person, the other answers determine {sure} (l-diversity 1)."
    return [classes, *cells, *([diversity] if sure else []), OPEN]


def about_options(facts: dict[str, Any]) -> list[str]:
    """Return sentences on times, bands and order."""
    lines = [TIMES_KEPT[facts["times"]]]
    lines += [f"`{key}` is given in bands of {width}." for key, width in facts["bands"].items()]
    if not facts["shuffled"]:
        lines.append("People are in order of arrival.")
    elif facts["times"] == EXACT:
        lines.append(
            "People are in random order, but the exact times reveal their order of arrival."
        )
    else:
        lines.append("People are in random order.")
    return lines


def besides(facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what was found besides texts that were read, each kind in words (`what`)."""
    return [{**one, "what": KINDS[one["kind"]]} for one in facts["found_besides"]]


def line(facts: dict[str, Any], *names: str) -> str:
    """Return a line of a table."""
    return "| " + " | ".join(str(facts[name]) for name in names) + " |"


def left_out(facts: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Return (table, reason, number of rows) of what is left out."""
    found = facts["left_out"]
    return [(name, why, found[name][why]) for name in found for why in sorted(found[name])]


def markdown(facts: dict[str, Any]) -> str:
    """Return the report as a page."""
    parts = ["# De-identification report", *(f"- {line}" for line in sentences(facts))]
    rows = left_out(facts)
    if rows:
        parts += ["", "## Left out", "", "| table | reason | rows |", "|---|---|---|"]
        parts += [f"| {table} | {reason} | {number} |" for table, reason, number in rows]
    if facts["emptied"]:
        parts += ["", "## Left out of columns without a reason", ""]
        parts += ["| table | column | reason | rows |", "|---|---|---|---|"]
        parts += [line(one, "table", "column", "reason", "rows") for one in facts["emptied"]]
    if facts["found_besides"]:
        parts += ["", f"## {BESIDES}", "", WHAT_TO_DO, ""]
        parts += ["| file | column or field | what | rows or texts |", "|---|---|---|---|"]
        parts += [line(one, "file", "column", "what", "rows") for one in besides(facts)]
    parts += about_places(facts)
    found = facts["anonymity"]["by_attribute"]
    if found:
        parts += ["", "## Answers and groups", "", "| attribute | values | smallest | small | l |"]
        parts += ["|---|---|---|---|---|"]
        parts += [line(one, "name", "values", "smallest", "small_cells", "l") for one in found]
    if facts["exact_columns"]:
        parts += ["", "## Exact times", "", ", ".join(f"`{one}`" for one in facts["exact_columns"])]
    return "\n".join([parts[0], "", *parts[1:]]) + "\n"


def about_places(facts: dict[str, Any]) -> list[str]:
    """Return tables of where texts are that someone read, that nobody read, and of whom."""
    parts = list[str]()
    if facts["texts_read"]:
        names = ("file", "column", "rows", "with_names", "with_numbers")
        parts += ["", f"## {READ}", "", "| file | column | rows | may be names | long numbers |"]
        parts += ["|---|---|---|---|---|", *(line(one, *names) for one in facts["texts_read"])]
    if facts["unread"]:
        parts += ["", f"## {UNREAD}", "", WHAT_IS_UNREAD, ""]
        parts += ["| file | column or field | rows or texts | different | marked |"]
        names = ("file", "column", "rows", "texts", "marked")
        parts += ["|---|---|---|---|---|", *(line(one, *names) for one in facts["unread"])]
    theirs = facts["unsearchable"]["texts"]
    if theirs:
        parts += ["", f"## {THEIRS}", "", "| file | column | rows |", "|---|---|---|"]
        parts += [line(one, "file", "column", "rows") for one in theirs]
    return parts
