"""Headings that say what follows, made only of words about explaining, in three languages.

"Final rule:", "Step 1:" and "What they decide:" are such labels; "Guardians:" and "The sword:" are
not, because their words may be part of the explanation.
"""

import re

ENGLISH_WORDS = """
answer answers approach assumption assumptions caveat caveats claim conclusion conclusions
confidence decision decisions description details evidence example examples exception
exceptions explanation explanations final finding findings formula guess how hypothesis idea
input inputs insight interpretation justification logic mechanism method note notes observation
observations outcome output outputs overview pattern patterns point points prediction procedure
process question rationale reason reasoning reasons recap remark result results rule rules
solution statement step strategy structure summary takeaway takeaways theory tldr traits verdict
analysis why which what part section hint
"""
OTHERS_WORDS = """
antwort antworten ansatz annahme annahmen anmerkung ausgabe ausgaben ausnahme ausnahmen
begründung beispiel beispiele beobachtung beobachtungen beschreibung einschränkung eingabe
eingaben entscheidung ergebnis ergebnisse erkenntnis erklärung erläuterung fazit folgerung
formel frage grund gründe hinweis hypothese hypothesen idee lösung merkmale methode muster
notiz prinzip punkt regel regeln regelwerk schluss schlussfolgerung schritt struktur teil
theorie überblick übersicht vermutung verfahren vorgehen vorhersage warum was welche wie
zusammenfassung abschnitt logik
القاعدة قاعدة الإجابة إجابة الجواب جواب الشرح شرح التفسير تفسير الفرضية فرضية الملخص ملخص
الخلاصة خلاصة الاستنتاج استنتاج النتيجة نتيجة المدخلات مدخلات المخرجات مخرجات كيف ماذا لماذا
البنية بنية السمات سمات التعليل تعليل الخطوة خطوة ملاحظة الملاحظة السبب سبب مثال استثناء ما
"""
FILLER_WORDS = """
a about actual an and are as at best bottom brief briefly conclude complete core decide decides
determine determines did do does first for found fourth full general hence here hidden i in is
it key line long main matter matters my of on one or our overall own second secret short simple
so still that the their there these they third this thus to underlying used uses using we with
work works you your tl dr
aber alles also an am auf aus bei bestimmen bestimmt das dem den der des die drei dritte
dritter eigene eigentliche ein eine einen eins endgültige entscheidend entscheiden entscheidet
erste erster es finale für gesamte hier ich ihre im in insgesamt ist kern kurz kurze kurzum
lautet lange mein meine meiner mit sie sind so und verborgene versteckte vier vierte von wichtig
wichtige wichtigste zu zum zur zugrunde liegende zwei zweite zweiter zentrale
الخفية المخفية النهائية النهائي الأساسية الرئيسية المهمة الذي التي هي هو هذه هذا تحدده تحددها
أولا ثانيا ثالثا في من على رأيي باختصار إذن الأولى الثانية الثالثة
"""
ENGLISH = frozenset(ENGLISH_WORDS.split())
CORE = ENGLISH | frozenset(OTHERS_WORDS.split())
FILLER = frozenset(FILLER_WORDS.split())
MOST_WORDS = 6
WORD = r"[^\W\d_]+"
COUNT = r"(?:\d{1,2}|[A-Za-z]|[IVXivx]{1,4})"
PHRASE = re.compile(rf"{WORD}(?:[ /&;'-]{{1,2}}{WORD}){{0,{MOST_WORDS - 1}}}(?: {COUNT})?")
START = r"(?P<before>^|[.!?:;,][\"')\]]*\s+)"
AT_START = re.compile(rf"{START}(?P<label>{PHRASE.pattern})(?P<end>\s*:\s*|\s+-+\s)")
INLINE = re.compile(rf"(?<=[\w,;])\s+(?P<label>(?=[A-ZÄÖÜ]){PHRASE.pattern})\s*:\s+")
NUMBERED = re.compile(rf" {COUNT}$")


def is_label(phrase: str) -> bool:
    """Return whether a phrase says only that an explanation, or a part of it, follows."""
    words = re.findall(WORD, NUMBERED.sub("", phrase.casefold()))
    return bool(CORE.intersection(words)) and all(word in CORE | FILLER for word in words)


def unlabelled(line: str) -> str:
    """Return a line without labels at the start of its sentences; '' if it is a label.

    A capitalised label within a sentence starts a new one.
    """
    if PHRASE.fullmatch(line.rstrip(" :.-")) and is_label(line.rstrip(" :.-")):
        return ""

    def dropped(found: re.Match[str]) -> str:
        # "Input - output" may be a thought, "Final answer - " and "Step 1 - " are none
        is_sure = ":" in found["end"] or len(found["label"].split()) > 1
        return found["before"] if is_sure and is_label(found["label"]) else found[0]

    def parted(found: re.Match[str]) -> str:
        # only in English: German has capitals within sentences
        words = set(re.findall(WORD, found["label"].casefold()))
        return ". " if words & ENGLISH and is_label(found["label"]) else found[0]

    before = ""
    while before != line:
        before, line = line, INLINE.sub(parted, AT_START.sub(dropped, line)).strip()
    return line
