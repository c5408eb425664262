"""hjstudy alpha: figures from a CSV file, and messages for files that are not long rows."""

import json
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "data" / "alpha_reference_cases.json"
REFERENCE = json.loads(FILE.read_text("utf-8"))
LONG = [
    "item,rater,value",
    *(f"i{n},{r},{(n + k * (n % 5 == 0)) % 3}" for n in range(12) for r, k in (("a", 0), ("b", 1))),
]


@pytest.fixture
def csv(tmp_path):
    """Write lines to a file; return its path."""

    def write(*lines, encoding="utf-8"):
        path = tmp_path / "ratings.csv"
        path.write_text("\n".join(lines) + "\n", encoding)
        return path

    return write


def long_lines(matrix):
    return [
        f"u{unit},r{rater},{value}"
        for unit, row in enumerate(matrix)
        for rater, value in enumerate(row)
        if value is not None
    ]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_prints_the_published_value_and_the_result_object(facts, csv, level):
    case = REFERENCE["cases"][0]
    found = facts("alpha", csv("item,rater,value", *long_lines(case["data"])), "--level", level)
    assert found["alpha"] == pytest.approx(case["alpha"][level]["alpha"], abs=6e-7)
    assert (found["status"], found["n_units"], found["n_pairable"], found["n_single"]) == (
        *("ok", 12, 11, 1),
    )
    assert (found["domain"], found["raters"]) == ([1, 2, 3, 4, 5], ["r0", "r1", "r2", "r3"])
    assert (found["n_values"], found["n_pairable_values"]) == (41, 40)
    assert found["counts"][0] == {"value": 1, "count": 9}
    assert found["alpha"] == pytest.approx(1 - found["Do"] / found["De"])
    assert (found["interval"], found["interval_reason"]["code"]) == (None, "not_asked")
    assert len(found["data_hash"]) == 64


@pytest.mark.parametrize("case", REFERENCE["degenerate"], ids=lambda case: case["id"])
def test_undefined_alpha_is_null_with_its_status_and_ends_with_0(facts, csv, case):
    path = csv("item,rater,value", *long_lines(case["data"]))
    found = facts("alpha", path, "--level", "ordinal", "--bootstrap", "50")
    assert {"alpha": found["alpha"], "status": found["status"]} == case["expected"]
    assert (found["interval"], found["interval_reason"]["code"]) == (None, "undefined")


def test_bootstrap_gives_the_same_interval_for_the_same_seed(facts, csv):
    path = csv(*LONG)
    first, again, other = (
        facts("alpha", path, "--level", "ordinal", "--bootstrap", "400", "--seed", seed)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first["interval"]["low"] < first["alpha"] < first["interval"]["high"]
    assert first["interval"] != other["interval"]
    assert (first["interval"]["replicates"], first["interval"]["seed"]) == (400, 1)


def test_weights_column_gives_the_scaled_and_the_unweighted_coefficient(facts, csv):
    case = REFERENCE["stratified"]
    lines = [
        f"u{unit},{rater},{value},{weight},level {row[2]}"
        for unit, (row, weight) in enumerate(zip(case["rows"], case["weights"], strict=True))
        for rater, value in zip("xy", row[:2], strict=True)
    ]
    path = csv("item,rater,value,weight,stratum", *lines)
    found = facts("alpha", path, "--level", "ordinal")
    assert found["alpha"] == pytest.approx(0.655538, abs=6e-7)
    assert found["unweighted"]["alpha"] == pytest.approx(0.787555, abs=6e-7)
    assert found["weights"]["kind"] == "scaled"
    again = facts("alpha", path, "--level", "ordinal", "--weights", "frequency")
    assert again["alpha"] == pytest.approx(0.635884, abs=6e-7)


def test_words_may_be_rated_nominally_only(facts, hjstudy, csv):
    path = csv("item,rater,value", "a,x,yes", "a,y,yes", "b,x,no", "b,y,yes")
    assert facts("alpha", path, "--level", "nominal")["domain"] == ["no", "yes"]
    code, _, err = hjstudy("alpha", path, "--level", "ordinal")
    assert code == 2
    assert "line 2" in err


def test_without_json_it_reports_in_words(hjstudy, csv):
    code, out, _ = hjstudy("alpha", csv(*LONG), "--level", "ordinal", "--bootstrap", "200")
    assert code == 0
    assert out.startswith("Krippendorff's alpha (ordinal): ")
    assert "12 items: 12 with two or more values" in out
    assert "95%" in out


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["item,anna,ben", "i1,0,2"], ["rater, value is missing", "--wide raters"]),
        (["0,1,2", "0,1,1"], ["item, rater, value is missing"]),
        (["item,rater,value", "a,x,1", "a,y,1", "a,x,2"], ["line 4", "line 2", "rater x"]),
        (["item,rater,value,weight", "a,x,1,2", "", "a,y,1,3"], ["line 4", "line 2", "weight"]),
        (["item,rater,value,stratum", "a,x,1,s", "a,y,1,t"], ["line 3", "stratum"]),
        (["item,rater,value", "a,x,inf"], ["ratings.csv: line 2", "value 'inf' is not a number"]),
        (["item,rater,value", "a,x,1_0"], ["line 2", "'1_0' is not a number, such as 2"]),
        (["item,rater,value", 'a,x,"1,234"'], ["line 2", "1234 or 1.234"]),
        (["item,rater,value", "a,x,1,7"], ["line 2", "4 values"]),
        (["item,rater,value,wieght", "a,x,1,7"], ["wieght"]),
        (["item,rater,value", 'a,"x,1'], ["line 2", "is a quotation mark missing?"]),
        ([""], ["empty"]),
        (["item,rater,value,weight", "a,x,1,-2"], ["line 2", "above 0"]),
        (["item,rater,value,weight", "a,x,1,NA"], ["line 2", "weight 'NA' is not a number"]),
        (["item,rater,value,weight", "a,x,1,1e200"], ["line 2", "weight", "1e+100"]),
        (["item,rater,value", "a,x,1e200"], ["line 2", "9,007,199,254,740,992"]),
        (["item,rater,value", "a,x,1e-200"], ["line 2", "1e-150"]),
        (["item rater value", "a x 1"], ["Separate columns by commas, semicolons, tabs"]),
        (['[{"item": "a", "rater": "x", "value": 1},', "{"], ["line 2", "this is not JSON"]),
        (['{"item": "a", "rater": "x", "value": 1, "value": 2}'], ["line 1", "twice"]),
    ],
)
def test_file_that_is_not_long_rows_is_refused_with_2_and_a_hint(hjstudy, csv, lines, words):
    code, out, err = hjstudy("alpha", csv(*lines), "--level", "ordinal", "--json")
    assert (code, out) == (2, "")
    assert all(word in err for word in words), err


def test_missing_file_other_encoding_and_bad_scale_are_reported(hjstudy, csv):
    assert hjstudy("alpha", "nowhere.csv", "--level", "ordinal")[0] == 2
    code, out, err = hjstudy(
        "alpha", csv("item,rater,value", "ä,x,1", encoding="latin-1"), "--level", "ordinal"
    )
    assert (code, "1 items" in out) == (0, True)
    assert "not UTF-8 (line 2)" in err
    assert "ä" in err
    path = csv(*LONG)
    assert hjstudy("alpha", path, "--level", "ordinal", "--domain", "0;1")[0] == 2
    code, _, err = hjstudy("alpha", path, "--level", "ordinal", "--domain", "0,1")
    assert (code, "not on the scale" in err) == (2, True)
    assert hjstudy("alpha", path, "--level", "likert")[0] == 2


def test_byte_order_mark_and_other_column_order_are_read(facts, csv):
    path = csv("\ufeffvalue,item,rater", "1,a,x", "2,a,y")
    assert facts("alpha", path, "--level", "interval", "--domain", "0,1,2")["n_pairable"] == 1


SAME = "item,rater,value\nu1,a,1\nu1,b,1\nu2,a,2\nu2,b,1\nu3,a,0\nu3,b,0\n"
ROWS = [line.split(",") for line in SAME.splitlines()[1:]]
OBJECTS = [dict(zip(("item", "rater", "value"), row, strict=True)) for row in ROWS]
NUMBERED = "".join(f'"{n}",{line}\n' for n, line in enumerate(["", *SAME.splitlines()[1:]]) if line)
GAPS = "".join(f'"{n * n + 2}",{line}\n' for n, line in enumerate(SAME.splitlines()[1:]))
FENCED = "```json\n" + "".join(json.dumps(row) + "\n" for row in OBJECTS) + "```\n"
FORMS = {
    "semicolons and CRLF": SAME.replace(",", ";").replace("\n", "\r\n"),
    "tabs": SAME.replace(",", "\t"),
    "bars": SAME.replace(",", "|"),
    "sep line": "sep=;\n" + SAME.replace(",", ";"),
    "header case and blanks": SAME.replace("item,rater,value", " Item ,RATER, Value"),
    "blanks around values": SAME.replace("u1,a,1", " u1 , a ,1 ").replace("u2,b", "u2 ,b"),
    "row numbers of R": '"","item","rater","value"\n' + NUMBERED,
    "header of write.table": '"item","rater","value"\n' + NUMBERED,
    "row numbers of pandas": "Unnamed: 0,item,rater,value\n" + NUMBERED.replace('"', ""),
    "row numbers of R with gaps": '"","item","rater","value"\n' + GAPS,
    "header of write.table with gaps": '"item","rater","value"\n' + GAPS,
    "row numbers of pandas with gaps": "Unnamed: 0,item,rater,value\n" + GAPS.replace('"', ""),
    "floats of pandas": SAME.replace(",1\n", ",1.0\n").replace(",0\n", ",0.0\n"),
    "decimal commas": SAME.replace(",", ";").replace(";1\n", ";1,0\n"),
    "one rater writes 0 1 2, the other 0.0 01": SAME.replace("b,0", "b,0.0").replace("b,1", "b,01"),
    "missing values": SAME + "u1,c,NA\nu2,c,nan\nu3,c,\nu1,d,None\nu2,d,null\nu3,d,.\nu1,e,?\n",
    "other names": SAME.replace("item,rater,value", "unit,coder,rating"),
    "empty last column": SAME.replace("\n", ",\n"),
    "JSON Lines": "".join(json.dumps(row) + "\n" for row in OBJECTS),
    "JSON list": json.dumps(OBJECTS),
    "JSON printed over many lines": json.dumps(OBJECTS, indent=2),
    "objects printed over many lines": "\n".join(json.dumps(row, indent=1) for row in OBJECTS),
    "fenced JSON": FENCED,
    "fenced JSON after and before prose": f"Here are the ratings, as asked:\n\n{FENCED}\nDone.\n",
    "JSON numbers": json.dumps([{**row, "value": float(row["value"])} for row in OBJECTS]),
    "JSON NaN": json.dumps(OBJECTS)[:-1] + ', {"item": "u1", "rater": "z", "value": NaN}]',
}


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("form", FORMS)
def test_a_table_means_the_same_in_every_usual_form(facts, tmp_path, form, level):
    path, plain = tmp_path / "table.txt", tmp_path / "plain.csv"
    path.write_text(FORMS[form], "utf-8", newline="")
    plain.write_text(SAME, "utf-8")
    found, wanted = (facts("alpha", one, "--level", level) for one in (path, plain))
    assert (found["alpha"], found["domain"]) == (wanted["alpha"], [0, 1, 2])
    assert found["data_hash"] == wanted["data_hash"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "cp1252"])
def test_the_encoding_is_found(facts, tmp_path, encoding):
    path = tmp_path / "table.csv"
    path.write_text(SAME.replace(",a,", ",Jürgen,"), encoding)
    assert facts("alpha", path, "--level", "nominal")["raters"] == ["Jürgen", "b"]


def test_a_workbook_is_refused_with_what_to_do(hjstudy, tmp_path):
    path = tmp_path / "table.xlsx"
    path.write_bytes(b"PK\x03\x04" + bytes(100))
    code, _, err = hjstudy("alpha", path, "--level", "nominal")
    assert code == 2
    assert "workbook" in err
    assert "CSV in UTF-8" in err


def test_na_replaces_the_texts_that_mean_no_value(facts, hjstudy, csv):
    path = csv("item,rater,value", "a,x,NA", "a,y,NA", "b,x,-99", "b,y,1", "b,z,1")
    found = facts("alpha", path, "--level", "nominal", "--na", "-99, missing")
    assert (found["domain"], found["n_missing"]) == (["1", "NA"], 1)
    assert facts("alpha", path, "--level", "ordinal")["n_missing"] == 2
    assert "2 values are missing" in hjstudy("alpha", path, "--level", "ordinal")[1]


WRONG = {
    "The first column has no name": [",item,rater,value", "p,u1,a,1", "q,u1,b,1"],
    "line 3: rater: is missing": ["item,rater,value", "u1,a,1", "u1,,1"],
    "line 3: item: is missing": ["item,rater,value", "u1,a,1", ",b,1"],
    "line 1: value 'x' is not a number": ['{"item": "u1", "rater": "a", "value": "x"}'],
    "line 1: two names of this row mean the column `item`": [
        '{"item": "u1", "Item ": "u2", "rater": "a", "value": 1}'
    ],
}


@pytest.mark.parametrize("said", WRONG)
def test_an_error_names_the_line_and_the_column(hjstudy, csv, said):
    code, _, err = hjstudy("alpha", csv(*WRONG[said]), "--level", "interval")
    assert (code, said in err) == (2, True), err


@pytest.mark.parametrize("written", ["-99", "-99.0", "-99,0", " -099"])
def test_na_compares_numbers_as_numbers(facts, csv, written):
    path = csv("item;rater;value", "a;x;1", "a;y;1", "b;x;2", f"b;y;{written}", "b;z;2")
    for level in ("nominal", "interval"):
        found = facts("alpha", path, "--level", level, "--na=-99")
        assert (found["n_missing"], found["alpha"]) == (1, 1)


@pytest.mark.parametrize(
    ("wide", "lines"),
    [
        ("raters", ["item,a,b", "u1,1,1", "u2,2,1", "u3,0,0"]),
        ("raters", ["a,b", "1,1", "2,1", "0,0"]),
        ("raters", [",a,b", "u1,1,1", "u2,2,1", "u3,0,0"]),
        ("raters", ["a;b;c", "1,0;1;NA", "2;1;NA", "0;0;NA"]),
        ("items", ["rater,u1,u2,u3", "a,1,2,0", "b,1,1,0"]),
        ("items", ["u1,u2,u3", "1,2,0", "1,1,0"]),
    ],
)
def test_a_matrix_is_read_once_its_columns_are_declared(facts, csv, wide, lines):
    found = facts("alpha", csv(*lines), "--level", "interval", "--wide", wide)
    wanted = facts("alpha", csv(*SAME.splitlines()), "--level", "interval")
    assert (found["alpha"], found["n_units"]) == (wanted["alpha"], 3)


def test_long_numbers_as_labels_are_not_merged(facts, csv):
    path = csv("item,rater,value", "a,x,9007199254740992", "a,y,9007199254740993")
    assert len(facts("alpha", path, "--level", "nominal")["domain"]) == 2


def test_raters_can_be_drawn_too_but_two_or_three_are_too_few(facts, hjstudy, csv):
    path = csv(*LONG)
    asked = ("alpha", path, "--level", "nominal", "--bootstrap", 400)
    found = facts(*asked, "--over-raters")
    assert found["rater_interval"] is None
    assert found["rater_interval_reason"]["code"] == "too_few_raters"
    assert "two raters" in found["rater_warning"]
    assert "rater_interval" not in facts(*asked)
    items = dict.fromkeys(line.split(",")[0] for line in LONG[1:])
    third, fourth = ([f"{item},{who},1" for item in items] for who in ("third", "fourth"))
    more = facts("alpha", csv(*LONG, *third), *asked[2:], "--over-raters")
    assert more["rater_interval"] is None
    assert "three raters" in more["rater_warning"]
    more = facts("alpha", csv(*LONG, *third, *fourth), *asked[2:], "--over-raters")
    assert more["rater_interval"]["over"] == "items and raters"
    path = csv(*LONG)
    _, out, _ = hjstudy(*asked, "--over-raters")
    assert "Interval over items and raters: none: two raters are too few" in out
    assert "Note: With two raters" in out
