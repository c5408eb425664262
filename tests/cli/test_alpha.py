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
        (["item,anna,ben", "i1,0,2"], ["rater, value is missing", "one line per rating"]),
        (["0,1,2", "0,1,1"], ["item, rater, value is missing"]),
        (["item,rater,value", "a,x,1", "a,y,1", "a,x,2"], ["line 4", "line 2", "rater x"]),
        (["item,rater,value,weight", "a,x,1,2", "", "a,y,1,3"], ["line 4", "line 2", "weight"]),
        (["item,rater,value,stratum", "a,x,1,s", "a,y,1,t"], ["line 3", "stratum"]),
        (["item,rater,value", "a,x,"], ["line 2", "empty"]),
        (["item,rater,value", "a,x,nan"], ["line 2", "finite"]),
        (["item,rater,value", "a,x,1,7"], ["line 2", "4 cells"]),
        (["item,rater,value,wieght", "a,x,1,7"], ["wieght"]),
        (["item,rater,value", 'a,"x,1'], ["not valid CSV"]),
        ([""], ["empty"]),
        (["item,rater,value,weight", "a,x,1,-2"], ["line 2", "above 0"]),
    ],
)
def test_file_that_is_not_long_rows_is_refused_with_2_and_a_hint(hjstudy, csv, lines, words):
    code, out, err = hjstudy("alpha", csv(*lines), "--level", "ordinal", "--json")
    assert (code, out) == (2, "")
    assert all(word in err for word in words), err


def test_missing_file_other_encoding_and_bad_scale_are_said(hjstudy, csv):
    assert hjstudy("alpha", "nowhere.csv", "--level", "ordinal")[0] == 2
    code, _, err = hjstudy(
        "alpha", csv("item,rater,value", "ä,x,1", encoding="latin-1"), "--level", "ordinal"
    )
    assert (code, "UTF-8" in err) == (2, True)
    path = csv(*LONG)
    assert hjstudy("alpha", path, "--level", "ordinal", "--domain", "0;1")[0] == 2
    code, _, err = hjstudy("alpha", path, "--level", "ordinal", "--domain", "0,1")
    assert (code, "not on the scale" in err) == (2, True)
    assert hjstudy("alpha", path, "--level", "likert")[0] == 2


def test_byte_order_mark_and_other_column_order_are_read(facts, csv):
    path = csv("\ufeffvalue,item,rater", "1,a,x", "2,a,y")
    assert facts("alpha", path, "--level", "interval", "--domain", "0,1,2")["n_pairable"] == 1
