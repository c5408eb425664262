"""What a cell's page calls the parts of a certificate, in words that need no guide."""

from collections.abc import Mapping

# a condition under which the accounts determine the rule (game/certify.py) -> its heading
CONDITIONS: Mapping[str, str] = {
    "bipartite_connected": "Accounts link every class and role",
    "every_value_shown": "Every class and role in an account",
    "two_roles_per_class": "Two roles in accounts of each class",
    "every_role_in_each_regime": "Every role with both kinds of class",
    "base_shown_for_every_class": "Usual answer in accounts of each class",
    "override_shown_for_two_classes": "Exception in accounts of two classes",
    "override_withheld_for_one_class": "Exception held out for one class",
    "base_withheld_for_that_class": "Usual answer held out for that class",
}
BOTS: Mapping[str, str] = {
    "oracle": "knows the rule",
    "inducer": "tries what the accounts leave possible",
    "enumerator": "tries everything that the rule can ask for",
    "copycat": "tries what accounts show, then gives up",
    "eliminator": "tries first what accounts show least often",
    "neighbour": "copies accounts of the same class, then of the same role",
    "prior": "knows how such rules are made, but reads no account",
}
TERMS: tuple[tuple[str, str], ...] = (
    ("Words", "The lexicon: semantic (real words) or nonce (made-up words)."),
    ("Coverage", "The share of the accounts with the rule that players see; 2 shows two of each."),
    ("Distractors", "Accounts without a pattern, among the others."),
    (
        "Cell of the rule",
        "A class with a role. Held-out cells are in no account; people play them.",
    ),
    ("Rules of this form that fit", "How many rules explain every account. The true one is one."),
    ("Share of cells determined", "The share of held-out cells with only one possible answer."),
    ("Contextual bias", "The chance that copying any shown answer is right at the first attempt."),
    ("Twin", "A rule that fits as well, but in which class and role have changed places."),
    ("Rival", "A rule of another form that fits as well."),
    ("Floor", "What a bot scores that does not work out the rule."),
    ("ECSR", "The score: share of successes × their mean efficiency; 1 is perfect."),
)
