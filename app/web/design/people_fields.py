"""The fields about people: how many, through which links, and what happens to their data."""

from app.web.design.parts import ANY_TIME, Entry, Section

PEOPLE = Section(
    "people",
    "Participants",
    "How many participants there are, who is excluded, and what happens to their data.",
    (
        Entry(
            "people.quota",
            "Players",
            "maybe",
            "Counts those who have finished and those who are active. Leave empty for no limit.",
        ),
        Entry(
            "people.cell_quota",
            "Players per cell",
            "maybe",
            "Applies to cells without a quota of their own.",
        ),
        Entry(
            "people.burst",
            "Participants who may enter at once from one address",
            "maybe",
            "For a class or laboratory behind one address, enter its size. Leave empty for a "
            f"quarter of the places, at most 30. {ANY_TIME}",
        ),
        Entry(
            "people.require",
            "To enter, a link must carry",
            "select",
            ANY_TIME,
            (
                ("nothing", "nothing"),
                ("id", "a participant's ID"),
                ("signature", "a signature: a signed entry link, or Prolific's"),
            ),
        ),
        Entry(
            "people.resume",
            "To come back, participants use",
            "select",
            f"A link with a signature always leads back. {ANY_TIME}",
            (
                ("id", "the link with their ID, or their own link"),
                ("link", "only their own link"),
            ),
        ),
        Entry(
            "people.groups",
            "Groups of participants",
            "list",
            "one per line, such as linguist; a link with ?group=linguist adds them to the group. A "
            "tag for the export: it does not choose what people play",
        ),
        Entry(
            "people.exclude_studies",
            "Turn away participants of these studies",
            "list",
            "addresses (slugs), one per line",
        ),
        Entry(
            "people.withdrawal",
            "When someone withdraws",
            "select",
            options=(
                ("erase", "erase what they did"),
                ("keep", "keep it, as the consent page says"),
            ),
        ),
        Entry("people.identifiers_days", "Days until platform IDs are deleted", "number"),
        Entry("people.process_data", "Record focus, pastes, keystrokes, window size", "check"),
        Entry(
            "options.id_parameters",
            "Link parameters with the participant’s ID",
            "list",
            "one per line; the first one found counts",
        ),
        Entry("options.study_parameter", "Link parameter with the platform’s study ID"),
        Entry("options.session_parameter", "Link parameter with the submission ID"),
    ),
)
