"""Lists of recruitment platforms, as files, and their way through the pages."""

STORE = "/admin/studies/{}/recruit/import/store"
PROLIFIC = (
    "Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completed at,"
    "Reviewed at,Archived at,Time taken,Completion code,Total approvals,Fluent languages"
)

WHOLE = (
    f"{PROLIFIC},Age,Sex,Ethnicity simplified,Country of birth,Country of residence,Nationality,"
    "Language,Student status,Employment status"
)


def prolific(number, state, code="", started="2026-11-25T12:27:09.179000Z"):
    """Return a line as Prolific writes it."""
    return (
        f"sub{number},{number:024x},{state},Not Applicable,{started},2026-11-25T12:46:18.540000Z,"
        f',2026-11-25T12:46:19.217499Z,1150,{code},389,"Czech, English"'
    )


def whole(number, state, code):
    """Return a line with all 21 columns of WHOLE, as long as Prolific's lines are."""
    born = "United Kingdom of Great Britain and Northern Ireland"
    about = f"25,Female,White,{born},{born},{born},English,No,Full-Time"
    return f"{prolific(number, state, code)},{about}"


def page_of(researcher, slug):
    return researcher.get(f"/admin/studies/{slug}/recruit")


def preview(researcher, slug, text, **chosen):
    """Check a pasted list; return the page."""
    page = page_of(researcher, slug).send("text", text=text)
    columns = {f"column_{name}": column for name, column in chosen.items()}
    return page.send("packed", **columns) if columns else page


def import_list(researcher, slug, text, **chosen):
    """Check a pasted list and store it; return the recruitment page."""
    fields = preview(researcher, slug, text, **chosen).page.form("packed").fields
    answer = researcher.client.post(STORE.format(slug), data=fields)
    researcher.answer, researcher.page = answer, type(researcher.page)(answer.text)
    return researcher
