"""Runs and judgments: what is read and what is refused, and what evaluate makes of it."""

import bz2
import copy
import csv
import gzip
import io
import lzma
import math
import subprocess
import sys
import tracemalloc
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankedu import metrics, trec
from rankedu.trec import _progress, _read
from rankedu.trec._numbers import read_numbers
from rankedu.trec._texts import Texts

RUN = "q1 Q0 d2 1 2.5 bm25\nq1 Q0 d1 2 0.5 bm25\nq2 Q0 d1 1 -1e-3 bm25\n"
RUN_READ = {"q1": {"d2": 2.5, "d1": 0.5}, "q2": {"d1": -0.001}}
QRELS = "q1 0 d1 2\nq1 0 d3 0\nq2 0 d1 1\n"
QRELS_READ = {"q1": {"d1": 2, "d3": 0}, "q2": {"d1": 1}}


@pytest.fixture
def write(tmp_path):
    """Writes a file, text or bytes, and returns its path."""

    def write(content, name="run.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# ---------------------------------------------------------------- reading TREC files


def test_a_run_is_a_mapping_of_queries_to_documents_and_scores(write):
    run = trec.read_run(write(RUN))
    assert run == RUN_READ
    assert list(run) == ["q1", "q2"]
    assert run.name == "bm25"
    assert run.n_rows == 3
    assert run.doc_ids == ["d2", "d1", "d1"]
    assert run.scores.tolist() == [2.5, 0.5, -0.001]
    assert run.query_index.tolist() == [0, 0, 1]
    assert run.ranks.tolist() == [1, 2, 1]


def test_judgments_are_a_mapping_of_queries_to_documents_and_whole_grades(write):
    qrels = trec.read_qrels(write(QRELS))
    assert qrels == QRELS_READ
    assert all(type(grade) is int for grades in qrels.values() for grade in grades.values())
    assert qrels.to_dict() == QRELS_READ


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(RUN.replace(" ", "\t"), id="tabs"),
        pytest.param(RUN.replace(" ", " \t  "), id="several-spaces"),
        pytest.param("  " + RUN.replace("\n", "  \n  "), id="indented-and-trailing-spaces"),
        pytest.param(RUN.replace("\n", "\r\n"), id="windows-line-ends"),
        pytest.param(RUN.replace("\n", "\r"), id="old-mac-line-ends"),
        pytest.param("\n\n" + RUN.replace("\n", "\n\n \t \n"), id="blank-lines"),
        pytest.param(RUN.rstrip(), id="no-last-newline"),
        pytest.param("\ufeff" + RUN, id="byte-order-mark"),
        pytest.param(RUN.replace("bm25\n", "bm25 and more 7\n", 2), id="further-columns"),
        pytest.param(gzip.compress(RUN.encode()), id="gzip"),
        pytest.param(gzip.compress(("\ufeff" + RUN.replace("\n", "\r\n")).encode()), id="gzip-bom-windows"),
    ],
)
def test_read_through(write, text):
    assert trec.read_run(write(text)) == RUN_READ


def test_judgments_may_have_further_columns(write):
    assert trec.read_qrels(write(QRELS.replace("\n", " assessor-3 # sure\n", 2))) == QRELS_READ


def test_a_file_packed_with_gzip_needs_no_gz_in_its_name(write):
    assert trec.read_qrels(write(gzip.compress(QRELS.encode()), "qrels")) == QRELS_READ


def test_queries_may_come_in_any_order(write):
    run = trec.read_run(write("a Q0 x 1 1 t\nb Q0 x 1 2 t\na Q0 y 2 3 t\n\u00e9 Q0 \u00fc 1 4 t\n"))
    assert run == {"a": {"x": 1.0, "y": 3.0}, "b": {"x": 2.0}, "\u00e9": {"\u00fc": 4.0}}


def test_a_query_may_be_asked_for_by_its_number(write):
    run = trec.read_run(write("301 Q0 x 1 1 t\n"))
    assert run[301] == run["301"] == {"x": 1.0}
    assert 301 in run
    assert 302 not in run
    assert None not in run


@pytest.mark.parametrize(
    "written",
    [
        *["1", "-1", "+1", "0", "007", "1.", ".5", "-.5", "1.25", "123456.789012", "0.1", "2.675"],
        *["1e5", "1E-7", "-2.5e+10", "5e-324", "1e400", "inf", "-inf", "Infinity", "nan"],
        *["123456789012345", "1234567890123456789", "0.12345678901234567", "17.976931348623157"],
        *["9007199254740993", "123456789012345678901234567890.5"],
    ],
)
@pytest.mark.parametrize("file", [trec.read_run, trec.read_qrels], ids=["score", "grade"])
def test_numbers_are_the_nearest_float64_to_what_is_written(write, written, file):
    line = f"q Q0 d 1 {written} t\n" if file is trec.read_run else f"q 0 d {written}\n"
    assert np.array_equal(file(write(line)).numbers, [float(written)], equal_nan=True)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param(
            "q1 Q0 d9 3 2.5", "5 columns where 6 are needed (query Q0 document rank score tag)", id="no-tag"
        ),
        pytest.param("q1 0 d9 1", "as in a file of judgments", id="judgments-for-a-run"),
        pytest.param("q1 Q0 d9 3 high bm25", "the score 'high' is not a number", id="word-for-score"),
        pytest.param("q1 Q0 d9 3 1,5 bm25", "the score '1,5' is not a number", id="decimal-comma"),
        pytest.param("q1 Q0 d9 3 1,5 bm25", "is not a number: write a decimal point", id="decimal-point"),
        pytest.param("q1,d9,1.5", "a file with commas needs a first line with column names", id="commas"),
        pytest.param("q1 Q0 d9 3 1_5 bm25", "the score '1_5' is not a number", id="underscore"),
        pytest.param("q1 Q0 d9 3 1.2.3 bm25", "the score '1.2.3' is not a number", id="two-points"),
        pytest.param("q1 Q0 d9 3 - bm25", "the score '-' is not a number", id="sign-alone"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\n\n"])
def test_a_line_that_cannot_be_read_is_named(write, line, says, newline):
    path = write(newline.join([*RUN.splitlines(), line, "q3 Q0 d 1 1 t"]))
    with pytest.raises(ValueError, match=r"run\.txt, line") as error:
        trec.read_run(path)
    number = 4 if newline != "\n\n" else 7
    for part in (str(path), f"line {number}:", says, repr(line)):
        assert part in str(error.value)


@pytest.mark.parametrize("second", ["Q0", "q0", "0", "iter"])
@pytest.mark.parametrize("above", [0, 1])
def test_a_run_given_as_judgments_is_refused_since_its_ranks_would_pass_for_grades(write, second, above):
    text = "q0 0 d0 1\n" * above + RUN.replace("Q0", second)
    with pytest.raises(ValueError, match=rf"line {above + 1}: a line of a run, not of judgments"):
        trec.read_qrels(write(text))


@pytest.mark.parametrize(
    ("read", "line", "says"),
    [
        pytest.param(
            trec.read_run,
            "q1 Q0 my doc 2 0.98 t",
            "7 columns where 6 are expected (query Q0 document rank score tag), "
            "and the rank 'doc' is not a number: an id with a space in it?",
            id="document-of-a-run",
        ),
        pytest.param(trec.read_run, "new york Q0 d1 1 0.9 t", "and Q0 stands in column 3", id="query"),
        pytest.param(
            trec.read_run, "new york q0 17 1 0.9 t", "and Q0 stands in column 3", id="number-behind"
        ),
        pytest.param(
            trec.read_qrels,
            "new york 0 17 1",
            "5 columns where 4 are expected (query iteration document grade), "
            "and the iteration 'york' is not a number: an id with a space in it?",
            id="query-of-judgments",
        ),
        pytest.param(trec.read_qrels, "q1 0 my doc 1", "and the grade 'doc' is not", id="judged-document"),
    ],
)
def test_an_id_with_a_space_is_refused_since_it_moves_the_columns(write, read, line, says):
    path = write((RUN if read is trec.read_run else QRELS) + line + "\n")
    with pytest.raises(ValueError, match=r"run\.txt, line 4: ") as error:
        read(path)
    assert says in str(error.value)
    assert repr(line) in str(error.value)


@pytest.mark.parametrize(
    "line", ["q 0 d 2 sure", "q Q0 d 2 sure", "q 0 d 2 # 1 2", "q 0 d 2 5", "q 0 d 2 A1 5 7", "q -1 d 2 in 3"]
)
def test_further_columns_of_judgments_may_hold_anything(write, line):
    assert trec.read_qrels(write(f"{line}\nr 0 d 1\n")) == {"q": {"d": 2}, "r": {"d": 1}}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(RUN.encode("utf-16"), "UTF-16; save it as UTF-8", id="utf-16"),
        pytest.param(b"q3 Q0 d\0d 1 1 t\n", "line 1: a NUL byte", id="nul"),
        pytest.param(b"\nq3 Q0 caf\xe9 1 1 t\n", "line 2: not UTF-8: 'q3 Q0 caf", id="latin-1"),
        pytest.param(b"q Q0 caf\xe9 1 1 t\n", "1 1 t'; save the file as UTF-8", id="latin-1-advice"),
        pytest.param(b"PK\x03\x04\0\0", "an Excel or zip file; save the sheet as CSV", id="xlsx"),
        pytest.param(b"PAR1\0\n\xffPAR1", "a parquet file; read it with pandas or polars", id="parquet"),
        pytest.param(bz2.compress(RUN.encode()), "a bzip2 file; unpack it", id="bzip2"),
        pytest.param(lzma.compress(RUN.encode()), "an xz file; unpack it", id="xz"),
        pytest.param(b'{"q1": {"d1": 1}}', "looks like JSON: load it", id="json"),
        pytest.param(b'[\n {"q1": {"d1": 1}}]', "looks like JSON: load it", id="json-list"),
        pytest.param(gzip.compress(RUN.encode())[:-9], "cannot be unpacked", id="gzip-cut-short"),
    ],
)
def test_a_file_that_is_not_text_is_refused(write, content, says):
    path = write(content)
    with pytest.raises(ValueError, match=r"run\.txt") as error:
        trec.read_run(path)
    assert says in str(error.value)


def test_a_missing_file_is_the_usual_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        trec.read_run(tmp_path / "nowhere.txt")


def test_an_empty_file_is_an_empty_table(write):
    assert trec.read_run(write("")) == {}
    assert trec.read_qrels(write("\n\n")) == {}


SOME_TEXT = st.text('qd01.,-e+nif \t\n"é', max_size=80)
A_WORD = st.sampled_from(["q1", "Q0", "d", "1", "-2.5", "t"])
SOME_LINES = st.lists(
    st.lists(st.sampled_from(["q1", "Q0", "d", "1", "-2.5", ".", "1e3", "nan", "é", '"x"', ""]), max_size=8)
    | st.lists(A_WORD, min_size=4, max_size=7),
    max_size=5,
)


@given(SOME_TEXT | SOME_LINES.map(lambda lines: "\n".join(" ".join(line) for line in lines)))
@pytest.mark.parametrize("table", [trec.Run, trec.Qrels])
def test_the_fast_reader_and_the_careful_one_agree_on_a_trec_file(table, text):
    layout = _read.RUN if table is trec.Run else _read.QRELS
    assert_readers_agree(text, 0, layout, table)


@given(SOME_TEXT | SOME_LINES.map(lambda lines: "\n".join(",".join(line) for line in lines)))
def test_the_fast_reader_and_the_careful_one_agree_on_a_file_with_named_columns(text):
    header = "query_id,doc_id,score\n"
    assert_readers_agree(header + text, len(header), _read.Layout(0, 1, 2, 3, "", ","), trec.Run)


def assert_readers_agree(text, body, layout, table):
    raw = text.encode() + b"\n" * 9
    fast = _read._read_blocks(raw, body, layout, table, "file")
    bad = []
    careful = _read._read_lines(raw, body, layout, table, "file", bad)
    if fast is None:
        return
    assert bad == []
    assert (fast[0], fast[1].tolist()) == (careful[0], careful[1].tolist())
    assert fast[2].tolist() == careful[2].tolist()
    assert np.array_equal(fast[3], careful[3], equal_nan=True)
    rows = range(len(fast[3]))
    assert [fast[4](row) for row in rows] == [careful[4](row) for row in rows]


@given(st.lists(st.floats() | st.decimals(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_a_number_is_read_as_python_reads_it(numbers):
    tokens = [str(number) for number in numbers]
    data = np.frombuffer(" ".join(tokens).encode() + b" " * 9, dtype=np.uint8)
    lengths = np.array([len(token) for token in tokens])
    read = read_numbers(data, np.cumsum(lengths + 1) - lengths - 1, lengths)
    assert np.array_equal(read, [float(token) for token in tokens], equal_nan=True)


@given(st.integers(2**52, 2**53 - 1), st.integers(0, 6), st.sampled_from([-1, 0, 1]))
def test_a_number_half_way_between_two_floats_is_rounded_to_even(whole, decimals, nudge):
    """The hardest decimals: 2n + 1 halves of a unit in the last place, and their neighbours."""
    digits = str(((2 * whole + 1) * 5**decimals) + nudge).rjust(decimals + 1, "0")
    token = digits[: len(digits) - decimals] + "." + digits[len(digits) - decimals :]
    data = np.frombuffer(token.encode() + b" " * 9, dtype=np.uint8)
    assert read_numbers(data, np.array([0]), np.array([len(token)]))[0] == float(token)


def test_an_odd_line_in_a_large_file_changes_nothing_else(write):
    """The whole-block reader and the line-by-line reader agree."""
    lines = [f"q{i // 50} Q0 doc{i * 7919 % 1000:03} {i % 50} {i * 0.37:.5f} t" for i in range(60_000)]
    regular = trec.read_run(write("\n".join(lines)))
    lines[31_234] += " \x01"  # a control character: not white space, so the careful reader takes over
    careful = trec.read_run(write("\n".join(lines)))
    assert regular == careful
    assert regular.n_rows == 60_000


@pytest.mark.parametrize("odd", ["", "q2 Q0 e \x01 2 t\n"], ids=["whole-blocks", "line-by-line"])
def test_digits_of_every_script_are_digits_in_scores_and_ranks(write, odd):
    run = trec.read_run(write("q Q0 d \u0661 \u0663.5 t\nq Q0 e 2 2 t\n" + odd))
    assert run["q"] == {"d": 3.5, "e": 2.0}
    assert run.ranks.tolist()[:2] == [1, 2]
    assert len(run.ranks) == run.n_rows


def test_a_row_knows_its_line(write):
    run = trec.read_run(write("\n" + RUN.replace("\n", "\n\n")))
    assert [run.line_of(row) for row in range(3)] == [2, 4, 6]


# ---------------------------------------------------------------- other sources

ROWS = [("q1", "d2", 2.5), ("q1", "7", 0.5), ("q2", "d2", -1.0)]
ROWS_READ = {"q1": {"d2": 2.5, "7": 0.5}, "q2": {"d2": -1.0}}
COLUMNS = ["query_id", "doc_id", "score"]


class Scored(NamedTuple):
    """A row as ir_measures and ir_datasets have it."""

    query_id: str
    doc_id: str
    score: float


def as_pandas(rows, columns=COLUMNS):
    return pytest.importorskip("pandas").DataFrame(rows, columns=columns)


class Frame:
    """As little of a data frame as there can be: names of columns, and columns that can become lists."""

    class Column:
        def __init__(self, values):
            self.to_list = lambda: list(values)

    def __init__(self, rows, columns=COLUMNS):
        self.columns = columns
        self._values = dict(zip(columns, zip(*rows, strict=True), strict=True))

    def __getitem__(self, name):
        return self.Column(self._values[name])


def as_polars(rows, columns=COLUMNS):
    return pytest.importorskip("polars").DataFrame(rows, schema=columns, orient="row")


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(lambda: ROWS, id="rows"),
        pytest.param(lambda: iter(ROWS), id="iterator-of-rows"),
        pytest.param(lambda: [list(row) for row in ROWS], id="lists"),
        pytest.param(lambda: [Scored(*row) for row in ROWS], id="named-tuples"),
        pytest.param(
            lambda: [dict(zip(COLUMNS, row, strict=True)) for row in ROWS], id="rows-as-dictionaries"
        ),
        pytest.param(lambda: [("q1", "d2", 2.5), ("q1", 7, 0.5), ("q2", "d2", -1)], id="ints-are-ids-too"),
        pytest.param(lambda: [(q, d, str(score)) for q, d, score in ROWS], id="numbers-as-text"),
        pytest.param(lambda: ROWS_READ, id="dictionary-of-dictionaries"),
        pytest.param(lambda: {"q1": {"d2": 2.5, 7: 0.5}, "q2": {"d2": -1}}, id="dictionary-with-ints"),
        pytest.param(
            lambda: dict(zip(COLUMNS, zip(*ROWS, strict=True), strict=True)), id="dictionary-of-columns"
        ),
        pytest.param(lambda: trec.read_run(ROWS), id="a-run"),
        pytest.param(lambda: as_pandas(ROWS), id="pandas"),
        pytest.param(
            lambda: as_pandas(ROWS).astype({"query_id": "category", "doc_id": "string"}), id="pandas-types"
        ),
        pytest.param(lambda: as_pandas(ROWS)[::-1][::-1].set_index("score", drop=False), id="pandas-index"),
        pytest.param(lambda: as_pandas(ROWS).to_records(index=False), id="structured-array"),
        pytest.param(lambda: as_pandas(ROWS, ["user_id", "item_id", "prediction"]), id="pandas-recommender"),
        pytest.param(lambda: Frame(ROWS), id="any-frame-with-columns"),
        pytest.param(lambda: as_polars(ROWS), id="polars"),
        pytest.param(lambda: as_polars(ROWS, ["qid", "docno", "Score"]), id="polars-pyterrier-names"),
    ],
)
def test_a_run_may_come_from(source):
    run = trec.read_run(source())
    assert run == ROWS_READ
    assert list(run) == ["q1", "q2"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("query_id,doc_id,score\nq1,d2,2.5\nq1,7,0.5\nq2,d2,-1\n", id="comma"),
        pytest.param("query_id;doc_id;score\nq1;d2;2.5\nq1;7;0.5\nq2;d2;-1\n", id="semicolon"),
        pytest.param("query_id\tdoc_id\tscore\nq1\td2\t2.5\nq1\t7\t0.5\nq2\td2\t-1\n", id="tab"),
        pytest.param("\ufeffquery_id,doc_id,score\r\nq1,d2,2.5\r\n\r\nq1,7,.5\r\nq2,d2,-1", id="excel"),
        pytest.param('"query_id","doc_id","score"\n"q1","d2",2.5\n"q1","7","0.5"\nq2,d2,-1\n', id="quotes"),
        pytest.param("query_id, doc_id, score\nq1, d2, 2.5\nq1 ,7 ,0.5\nq2,d2,-1\n", id="spaces-around"),
        pytest.param("rank,qid,docno,score\n1,q1,d2,2.5\n2,q1,7,0.5\n1,q2,d2,-1\n", id="further-columns"),
        pytest.param("User-ID,Item ID,Prediction\nq1,d2,2.5\nq1,7,0.5\nq2,d2,-1\n", id="other-names"),
    ],
)
@pytest.mark.parametrize("name", ["run.csv", "run.tsv", "run.txt"])
def test_a_file_with_named_columns(write, text, name):
    """The header says what the file is; its name does not matter."""
    assert trec.read_run(write(text, name)) == ROWS_READ
    assert trec.read_run(write(gzip.compress(text.encode()), name + ".gz")) == ROWS_READ


def test_columns_may_be_named(write):
    text = "who,what,how_much,other\nq1,d2,2.5,1\nq1,7,0.5,1\nq2,d2,-1,1\n"
    names = {"query_id": "who", "doc_id": "what", "score": "how_much"}
    assert trec.read_run(write(text), columns=names) == ROWS_READ
    frame = as_pandas([(*row, 9) for row in ROWS], ["who", "what", "how_much", "other"])
    assert trec.read_run(frame, columns=names) == ROWS_READ
    grades = trec.read_qrels(frame, columns={"query_id": "who", "doc_id": "what", "grade": "other"})
    assert grades == {"q1": {"d2": 9, "7": 9}, "q2": {"d2": 9}}


def test_the_line_that_names_the_separator_for_excel_is_skipped(write):
    run = trec.read_run(write("sep=;\r\nquery_id;doc_id;score\r\nq;d;1\r\n", "run.csv"))
    assert run == {"q": {"d": 1.0}}
    assert run.line_of(0) == 3


@pytest.mark.parametrize("name", ["run.csv", "run.tsv", "RUN.CSV", "run.csv.gz"])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty; it needs a first line with column names, such as query_id,doc_id,score"),
        ("\n \n", "the file is empty"),
        ("q1,d1,0.9\nq1,d2,0.8\n", "it needs a first line with column names, such as query_id,doc_id,score"),
        ("q1;d1;0,9\n", "its first line is 'q1;d1;0,9'"),
        ("q1\td1\t0.9\n", "its first line is 'q1"),
    ],
)
def test_a_csv_needs_names_of_columns(write, name, text, says):
    with pytest.raises(ValueError, match=r"(?i)run\.[ct]sv") as error:
        trec.read_run(write(text, name))
    assert says in str(error.value)


@pytest.mark.parametrize("name", ["run.csv", "run.tsv", "run"])
def test_a_trec_file_may_have_any_name(write, name):
    assert trec.read_run(write(RUN, name)) == RUN_READ
    assert trec.read_qrels(write(QRELS, name)) == QRELS_READ


@pytest.mark.parametrize(
    "source",
    [
        pytest.param({"q": {("d" * 5_000_000,): 1}}, id="no-id"),
        pytest.param({"q" * 5_000_000: {"d": "x"}}, id="place"),
        pytest.param({"q" * 5_000_000: 1}, id="no-documents"),
        pytest.param({"q": {"d": "x" * 5_000_000}}, id="no-number"),
    ],
)
def test_a_message_does_not_fill_the_screen(source):
    with pytest.raises((TypeError, ValueError)) as error:
        trec.read_run(source)
    assert len(str(error.value)) < 600
    assert len(str(trec.diagnose({"q": {"d": 1}}, source))) < 1200


def test_a_finding_does_not_fill_the_screen():
    doc, query = "d" * 1_000_000, "q" * 1_000_000
    found = trec.diagnose([(query, doc, 1), (query, doc, 2)], [(query, doc.upper(), 1.0), ("r", doc, 1.0)])
    assert {"duplicate-in-judgments", "document-ids-differ", "extra-queries"} <= set(found.kinds)
    assert max(len(example) for finding in found for example in finding.examples) < 400


def test_one_frame_may_hold_labels_and_scores():
    frame = as_pandas([("u1", "a", 1, 0.9), ("u1", "b", 0, 0.8)], ["user", "item", "label", "score"])
    assert trec.read_qrels(frame) == {"u1": {"a": 1, "b": 0}}
    assert trec.read_run(frame) == {"u1": {"a": 0.9, "b": 0.8}}


def test_judgments_as_published_elsewhere(write):
    assert trec.read_qrels(write("query-id\tcorpus-id\tscore\nq\td\t2\n", "qrels.tsv")) == {
        "q": {"d": 2}
    }  # BEIR
    assert trec.read_qrels(write("q\t0\td\t2\n", "qrels.tsv")) == {"q": {"d": 2}}  # MS MARCO: no header


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(
            "a,b,c\nx,y,z\n", "no column for the query_id (such as 'query_id', 'qid'", id="names-unknown"
        ),
        pytest.param("query_id,score\nq,1\n", "no column for the doc_id", id="no-documents"),
        pytest.param(
            "qid,user_id,doc_id,score\n1,2,3,4\n", "'qid' and 'user_id' may all be the query_id", id="unclear"
        ),
        pytest.param("query_id,doc_id,score\nq,d\n", "line 2: 2 columns where 3 are needed", id="too-few"),
        pytest.param(
            "query_id,doc_id,score\nq,d,1,5\n", "line 2: 4 columns where 3 are needed", id="too-many"
        ),
        pytest.param("query_id,doc_id,score\nq,d,1\nq,,1\n", "line 3: no document id", id="empty-id"),
        pytest.param(
            "query_id,doc_id,score\nq,d,1\n\nq,e,x\n",
            "line 4: the score 'x' is not a number: 'q,e,x'",
            id="word",
        ),
        pytest.param(
            'query_id,doc_id,score\n"q\n1",d,1\nq,e,x\n', "line 4: the score 'x'", id="line-break-in-quotes"
        ),
        pytest.param(
            "query_id;doc_id;score\nq;d;0,5\n", "line 2: the score '0,5' is not a number", id="decimal-comma"
        ),
    ],
)
def test_a_file_with_named_columns_that_cannot_be_read(write, text, says):
    path = write(text, "run.csv")
    with pytest.raises(ValueError, match=r"run\.csv") as error:
        trec.read_run(path)
    assert says in str(error.value)


UNCLOSED = "line 3: a quote opens here that nothing closes: 'q1,d2,0.8,\"12 inch'"
SWALLOWED = "line 3: a quoted text runs from line 3 to line {}: is a quote missing?: 'q1,d2,0.8,\"12 inch'"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        pytest.param(["q2,d3,0.7,c"], UNCLOSED, id="up-to-the-end"),
        pytest.param([], UNCLOSED, id="on-the-last-line"),
        pytest.param(["q2,d3,0.7,c", 'q2,d4,0.6,"d"'], SWALLOWED.format(5), id="up-to-a-quoted-field"),
        pytest.param(['q2,d3,0.7,"d"'], SWALLOWED.format(4), id="up-to-the-next-line"),
        pytest.param(["q2,d3,0.7,c", 'q2,d4,0.6,9"'], SWALLOWED.format(5), id="up-to-a-mark-for-inches"),
        pytest.param(['q2,d3,0.7,9"'], SWALLOWED.format(4), id="up-to-a-mark-on-the-next-line"),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("number", ["score", "grade"])
def test_a_quote_that_is_missing_drops_no_row_in_silence(write, rows, says, delimiter, number):
    lines = [f"query_id,doc_id,{number},title", "q1,d1,0.9,a", 'q1,d2,0.8,"12 inch', *rows]
    path = write("\n".join(lines).replace(",", delimiter), "run.csv")
    with pytest.raises(ValueError, match=r"run\.csv") as error:
        (trec.read_run if number == "score" else trec.read_qrels)(path)
    assert repr(says.replace(",", delimiter))[1:-1] in repr(str(error.value).replace("\\t", "\t"))
    if number == "score":
        found = trec.diagnose({"q1": {"d1": 1}}, path)
        assert "unreadable-run" in found.kinds
        assert "line 3" in str(found)


def test_the_line_of_a_missing_quote_is_that_of_its_field_and_not_of_its_row(write):
    text = 'query_id,doc_id,score,title,text\nq,a,1,"one\ntwo","three\nq,b,1,x,y\n'
    with pytest.raises(ValueError, match="line 3: a quote opens here that nothing closes"):
        trec.read_run(write(text))
    with pytest.raises(ValueError, match="line 3: a quoted text runs from line 3 to line 4"):
        trec.read_run(write(text.replace(",y", ',y"')))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('q1,d1,0.9,"a text, with commas,\nof two, or, three lines"', id="line-break"),
        pytest.param('"q1",d1,0.9,"a\n\n""b"", c"', id="blank-line-and-doubled-quotes"),
        pytest.param('q1,d1,0.9,12" pipe', id="mark-for-inches"),
        pytest.param('q1,d1,0.9,"12" pipe', id="text-behind-a-quote"),
        pytest.param(f'q1,d1,0.9,"{"x" * 200_000}"', id="long-text"),
        pytest.param(f"q1,d1,0.9,{'x' * 200_000}", id="long-text-without-quotes"),
    ],
)
def test_a_quoted_text_may_hold_what_it_likes(write, text):
    limit = csv.field_size_limit()
    path = write(f"query_id,doc_id,score,title\n{text}\nq2,d2,0.5,b\n", "run.csv")
    run = trec.read_run(path)
    assert run == {"q1": {"d1": 0.9}, "q2": {"d2": 0.5}}
    assert run.line_of(1) == path.read_text().count("\n")
    assert csv.field_size_limit() == limit


def written(titles, place, quoting):
    """A CSV file as others write it, one row for each title, and the run that it holds."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=quoting, lineterminator="\n")
    for row in [
        ["query_id", "doc_id", "score"],
        *([f"q{i % 2}", f"d{i}", i / 8] for i in range(len(titles))),
    ]:
        row.insert(place, "title" if row[0] == "query_id" else titles[int(row[1][1:])])
        writer.writerow(row)
    rows = [(f"q{i % 2}", f"d{i}", i / 8) for i in range(len(titles))]
    return file.getvalue(), rows


QUOTING = st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])


@given(st.lists(st.text('ab",\n \u00e9', max_size=12), max_size=6), st.integers(0, 3), QUOTING)
def test_texts_come_through_as_others_write_them(tmp_path_factory, titles, place, quoting):
    text, rows = written(titles, place, quoting)
    path = tmp_path_factory.mktemp("csv") / "run.csv"
    path.write_text(text, encoding="utf-8")
    run = trec.read_run(path)
    assert run == trec.read_run(rows)
    ends = [text[: text.index(f"d{i}")].count("\n") + 1 for i in range(len(rows))]
    assert all(run.line_of(i) <= end for i, end in enumerate(ends))


@given(st.lists(st.text("ab, ", max_size=6), min_size=1, max_size=6), st.integers(0, 3), QUOTING, st.data())
def test_with_any_one_quote_missing_every_row_is_there_or_it_is_an_error(
    tmp_path_factory, titles, place, quoting, data
):
    text, rows = written(titles, place, quoting)
    header, body = text.split("\n", 1)
    quotes = [i for i, character in enumerate(body) if character == '"']
    if not quotes:
        return
    missing = data.draw(st.sampled_from(quotes))
    path = tmp_path_factory.mktemp("csv") / "run.csv"
    path.write_text(f"{header}\n{body[:missing]}{body[missing + 1 :]}", encoding="utf-8")
    try:
        run = trec.read_run(path)
    except ValueError:
        return
    assert run.scores.tolist() == [score for _, _, score in rows]


def test_a_line_of_any_length_is_an_error_as_another(write):
    limit = csv.field_size_limit()
    path = write("q1 Q0 " + "x" * 500_000)
    with pytest.raises(ValueError, match=r"line 1: 3 columns where 6 are needed") as error:
        trec.read_run(path)
    assert len(str(error.value)) < 600
    assert trec.diagnose({"q1": {"d1": 1}}, path).kinds[0] == "unreadable-run"
    with pytest.raises(ValueError, match=r"line 2: the score 'x' is not"):
        trec.read_run(write('query_id,doc_id,score\n"q",d,x\n' + "y" * 200_000))
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2028", "\x85"])
def test_an_id_is_the_same_with_quotes_elsewhere_in_the_file_or_without(write, space):
    rows = f"17{space},{space}d,1\nq, e ,2\n"
    expected = {f"17{space}": {f"{space}d": 1.0}, "q": {"e": 2.0}}
    assert trec.read_run(write("query_id,doc_id,score\n" + rows)) == expected
    assert trec.read_run(write("query_id,doc_id,score\n" + rows.replace("q,", '"q",'))) == expected
    assert trec.read_run(write("query_id,doc_id,score\n" + rows.split("\n")[0])) == {
        f"17{space}": {f"{space}d": 1.0}
    }


@pytest.mark.parametrize(
    ("source", "error", "says"),
    [
        pytest.param(
            5, TypeError, "must be a path, a data frame, {query: {document: score}}, or rows", id="number"
        ),
        pytest.param(None, TypeError, "got NoneType", id="none"),
        pytest.param(
            {"q": ["a", "b"]}, TypeError, "query 'q': must be {document: score}; got a list", id="no-scores"
        ),
        pytest.param({"q": {"a": None}}, None, "", id="missing-score-is-nan"),
        pytest.param(
            {"q": {"a": "high"}}, ValueError, "query 'q', document 'a': the score 'high' is not", id="word"
        ),
        pytest.param(
            {"user": ["q"], "sku": ["d"]}, TypeError, "say which is which: columns={'doc_id'", id="columns"
        ),
        pytest.param(
            {"q": {"a": "0,5"}},
            ValueError,
            "'0,5' is not a number: write a decimal point",
            id="decimal-comma",
        ),
        pytest.param({"q": {"a": "1_0"}}, ValueError, "the score '1_0' is not a number", id="underscore"),
        pytest.param({"q": {"a": [1]}}, TypeError, "the score [1] is not a number", id="list-for-score"),
        pytest.param({"q": {"a": 10**400}}, ValueError, "is not a number", id="beyond-float"),
        pytest.param(
            {"q": {None: 1}}, TypeError, "an id must be text or a whole number; got None", id="no-id"
        ),
        pytest.param({"q": {b"a": 1}}, TypeError, "got b'a', a bytes", id="bytes-id"),
        pytest.param({True: {"a": 1}}, TypeError, "got True, a bool", id="bool-id"),
        pytest.param({1.0: {"a": 1}}, TypeError, "convert it with .astype('Int64')", id="float-id"),
        pytest.param(
            [("q", "a")], ValueError, "row 1: must be (query, document, score): ('q', 'a')", id="pair"
        ),
        pytest.param(
            [("q", "a", 1), 7], TypeError, "row 2: must be (query, document, score): 7", id="not-a-row"
        ),
        pytest.param(["q a 1"], TypeError, "row 1", id="text-for-row"),
        pytest.param(
            [{"query_id": "q", "doc_id": "d"}], ValueError, "no column for the score", id="row-without-score"
        ),
        pytest.param(
            [{"qid": 1, "doc": 2, "score": 3}, {"qid": 1}],
            ValueError,
            "row 2: no field 'doc'",
            id="row-lacks",
        ),
    ],
)
def test_what_is_not_a_run_is_refused_with_its_place(source, error, says):
    if error is None:
        assert np.isnan(trec.read_run(source).scores).all()
        return
    with pytest.raises(error) as raised:
        trec.read_run(source)
    assert says in str(raised.value)


@pytest.mark.parametrize("read", [trec.read_run, trec.read_qrels])
@pytest.mark.parametrize("number", [1 + 2j, np.complex64(1 + 2j), np.complex128(1)])
def test_a_complex_number_is_refused(read, number):
    with pytest.raises(TypeError, match=r"query 'q', document 'd': the (score|grade) .* is not a number"):
        read({"q": {"d": number}})


@pytest.mark.parametrize("grade", [2**53, 2**63, -(2**70), 1e300])
def test_a_whole_grade_of_any_size_stays_what_it_is(grade):
    qrels = trec.read_qrels({"q": {"d": grade, "e": 1}})
    assert qrels["q"] == {"d": int(grade), "e": 1}
    assert all(type(value) is int for value in qrels["q"].values())


@pytest.mark.parametrize("key", [None, 1.5, True])
def test_a_query_without_documents_needs_an_id_too(key):
    with pytest.raises(TypeError, match=rf"the run, query {key}: an id must be text or a whole number"):
        trec.read_run({"q": {"d": 1}, key: {}})
    for found, kind in [
        (trec.diagnose({"q": {"d": 1}}, {"q": {"d": 1}, key: {}}), "unreadable-run"),
        (trec.diagnose({"q": {"d": 1}, key: {}}, {"q": {"d": 1}}), "unreadable-judgments"),
    ]:
        assert found.kinds[0] == kind
        assert f"query {key}: an id must be text" in found[0].examples[0]


def test_float_ids_of_a_frame_with_gaps_are_refused():
    frame = as_pandas([(1, "a", 0.5), (None, "b", 0.4)])
    with pytest.raises(TypeError, match=r"row 1: an id must be text or a whole number; got 1\.0"):
        trec.read_run(frame)


def test_columns_must_name_columns_that_are_there():
    with pytest.raises(ValueError, match=r"columns may name 'query_id', 'doc_id', 'score'; got 'grade'"):
        trec.read_run(as_pandas(ROWS), columns={"grade": "score"})
    with pytest.raises(ValueError, match=r"no column 'who' among"):
        trec.read_run(as_pandas(ROWS), columns={"query_id": "who"})
    with pytest.raises(ValueError, match=r"columns names .*; got a dictionary of dictionaries"):
        trec.read_run(ROWS_READ, columns={"query_id": "who"})
    with pytest.raises(ValueError, match=r"columns names the columns of .*; got a tuple"):
        trec.read_run(ROWS, columns={"query_id": "who"})
    with pytest.raises(ValueError, match=r"no column 'who' among"):
        trec.read_run({"user": ["q"], "item": ["d"], "score": [1.0]}, columns={"query_id": "who"})


class Ranked(NamedTuple):
    """A row with names of its own."""

    user: str
    sku: str
    score: float


@pytest.mark.parametrize(
    "source",
    [
        pytest.param({"user": ["q"], "sku": ["d"], "score": [1.0]}, id="dictionary-of-columns"),
        pytest.param([{"user": "q", "sku": "d", "score": 1.0}], id="rows-as-dictionaries"),
        pytest.param([Ranked("q", "d", 1.0)], id="named-tuples"),
    ],
)
def test_columns_name_what_has_names(source):
    assert trec.read_run(source, columns={"doc_id": "sku"}) == {"q": {"d": 1.0}}
    if isinstance(source, list):
        with pytest.raises(ValueError, match=r"no column for the doc_id .* say which: columns="):
            trec.read_run(source)


@pytest.mark.parametrize("source", [ROWS, ROWS_READ, "nowhere.csv", {"query_id": ["q"], "doc_id": ["d"]}])
@pytest.mark.parametrize("columns", [3, "query_id", ["query_id", "doc_id", "score"]])
def test_columns_must_be_a_dictionary(source, columns):
    with pytest.raises(TypeError, match=r"columns must be a dictionary such as {'query_id': .* got"):
        trec.read_run(source, columns=columns)


@pytest.mark.parametrize(
    "columns", [{"query_id": "doc_id"}, {"doc_id": "score"}, {"query_id": "doc_id", "doc_id": "doc_id"}]
)
def test_one_column_cannot_be_two_things(write, columns):
    path = write("query_id,doc_id,score\nq,d,1\n")
    for source in [path, {"query_id": ["q"], "doc_id": ["d"], "score": [1.0]}]:
        with pytest.raises(ValueError, match=r"the column '.*' cannot be both the .* and the"):
            trec.read_run(source, columns=columns)


def test_two_columns_of_one_name_cannot_be_told_apart(write):
    with pytest.raises(ValueError, match=r"'score' and 'score' may all be the score; rename one"):
        trec.read_run(write("query_id,doc_id,score,score\nq,d,1,2\n"))


def test_a_lazy_frame_is_to_be_collected():
    frame = as_polars(ROWS)
    assert trec.read_run(frame.lazy().collect()) == ROWS_READ
    with pytest.raises(
        TypeError, match=r"a LazyFrame holds no rows yet; give what its \.collect\(\) returns"
    ):
        trec.read_run(frame.lazy())


def test_judgments_for_the_run_are_noticed():
    with pytest.raises(TypeError, match="judgments given as the run: are the two arguments swapped"):
        trec.read_run(trec.read_qrels({"q": {"d": 1}}))


# ---------------------------------------------------------------- measures


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        *[
            (name, name)
            for name in ["nDCG@10", "nDCG", "AP", "AP@100", "RR", "RR@10", "P@5", "R@100", "Success@1"]
        ],
        *[(name, name) for name in ["F1@5", "DCG@10", "NumRet", "NumRel", "NumRelRet"]],
        *[(name, name) for name in ["P(rel=2)@5", "AP(rel=2)", "NumRel(rel=3)", "P(rel=0.5)@5"]],
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ('nDCG(dcg="exp-log2")@10', "nDCG(dcg='exp-log2')@10"),
        ("nDCG(dcg='log2')@10", "nDCG@10"),
        ("P(rel=1)@5", "P@5"),
        ("P( rel = 2 )@5", "P(rel=2)@5"),
        ("NDCG@10", "nDCG@10"),
        ("MAP", "AP"),
        ("MRR@10", "RR@10"),
        ("Precision@5", "P@5"),
        ("Recall@5", "R@5"),
        ("NumRet(rel=2)", "NumRelRet(rel=2)"),
    ],
)
def test_measure_names(written, canonical):
    assert str(trec.parse_measure(written)) == canonical


def test_measure_names_are_those_of_ir_measures():
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is in the extra peers")
    for name in ["nDCG@10", "nDCG(dcg='exp-log2')@10", "AP", "AP(rel=2)@100", "RR@10", "P(rel=2)@5", "R@9"]:
        measure = ir_measures.parse_measure(name)
        assert str(trec.parse_measure(measure)) == str(trec.parse_measure(name)) == str(measure)
    assert str(trec.parse_measure(ir_measures.NumRelRet)) == "NumRelRet"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        *[(name, "did you mean 'nDCG@10'?") for name in ["ndcg@10", "NDGC@10", "ndcg_cut_10", "NDCG10"]],
        ("map", "did you mean 'AP'?"),
        ("recip_rank", "did you mean 'RR'?"),
        *[(name, "did you mean 'P@5'?") for name in ["P_5", "P5"]],
        ("R30", "did you mean 'R@30'?"),
        *[(name, "did you mean 'F1@5'?") for name in ["F15", "f1_5"]],
        ("f1", "did you mean 'F1@10'?"),
        ("precision@5", "did you mean 'P@5'?"),
        ("recall_100", "did you mean 'R@100'?"),
        ("hit_rate@5", "did you mean 'Success@5'?"),
        ("f1@5", "did you mean 'F1@5'?"),
        ("num_rel_ret", "did you mean 'NumRelRet'?"),
        ("bpref", "the measures are nDCG, DCG, AP,"),
        ("", "the measures are"),
        ("nDCG@0", "k must be a whole number of at least 1; got '0' in the measure 'nDCG@0'"),
        ("nDCG@-1", "k must be a whole number of at least 1"),
        ("RR@9223372036854775808", "k must be at most 1,000,000,000"),
        ("nDCG@1.5", "k must be a whole number of at least 1"),
        ("nDCG@", "k must be a whole number of at least 1"),
        ("P", "'P' needs a cut-off, as in 'P@5'"),
        ("NumRet@5", "NumRet has no cut-off"),
        ("P(rel=0)@5", "rel must be a number above 0"),
        ("P(rel='2')@5", "rel must be a number above 0"),
        ("nDCG(rel=2)@5", "nDCG takes one parameter, as in nDCG(dcg='exp-log2')"),
        ("nDCG(dcg='ln')@5", "dcg must be 'log2' (linear gain) or 'exp-log2'"),
        ("P(judged_only=True)@5", "P takes one parameter, as in P(rel=2)"),
    ],
)
def test_measures_that_are_none(written, says):
    with pytest.raises(ValueError, match=r".") as error:
        trec.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["AP", written])
    assert says in str(error.value)


@pytest.mark.parametrize("measures", [5, None, [5], [None]])
def test_a_measure_is_text(measures):
    with pytest.raises(TypeError, match="a measure must be text such as 'nDCG@10'"):
        trec.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, measures)


# ---------------------------------------------------------------- evaluating

QRELS_2 = {"q1": {"a": 2, "b": 1, "z": 1}, "q2": {"a": 1, "c": 0}}
RUN_2 = {"q1": {"b": 3.0, "x": 2.0, "a": 1.0}, "q2": {"c": 2.0, "a": 1.0}}
LOG3 = math.log2(3)


@pytest.mark.parametrize(
    ("measure", "q1", "q2"),
    [
        ("nDCG@10", (1 + 2 / 2) / (2 + 1 / LOG3 + 1 / 2), 1 / LOG3),
        ("nDCG@1", 1 / 2, 0.0),
        ("nDCG(dcg='exp-log2')@10", (1 + 3 / 2) / (3 + 1 / LOG3 + 1 / 2), 1 / LOG3),
        ("DCG@10", 2.0, 1 / LOG3),
        ("DCG(dcg='exp-log2')@10", 2.5, 1 / LOG3),
        ("AP", (1 + 2 / 3) / 3, 1 / 2),
        ("AP@2", 1 / 3, 1 / 2),
        ("AP(rel=2)", 1 / 3, 0.0),
        ("RR", 1.0, 1 / 2),
        ("RR@1", 1.0, 0.0),
        ("P@2", 1 / 2, 1 / 2),
        ("P@5", 2 / 5, 1 / 5),
        ("P(rel=2)@5", 1 / 5, 0.0),
        ("R@2", 1 / 3, 1.0),
        ("F1@2", 2 / 5, 2 / 3),
        ("Success@1", 1.0, 0.0),
        ("NumRet", 3.0, 2.0),
        ("NumRel", 3.0, 1.0),
        ("NumRelRet", 2.0, 1.0),
        ("NumRel(rel=2)", 1.0, 0.0),
    ],
)
def test_every_measure_by_hand(measure, q1, q2):
    result = trec.evaluate(QRELS_2, RUN_2, measure)
    assert result.per_query[measure] == pytest.approx({"q1": q1, "q2": q2}, abs=1e-12)
    total = measure.startswith("Num")
    assert result.means[measure] == pytest.approx(q1 + q2 if total else (q1 + q2) / 2, abs=1e-12)


def test_a_measure_is_found_under_any_of_its_names():
    result = trec.evaluate(QRELS_2, RUN_2, ["MAP", "nDCG@10", "AP"])
    assert result.measures == ["AP", "nDCG@10"]
    assert result.means["MAP"] == result.means["AP"] == result.means.get("AP(rel=1)")
    assert result.per_query["NDCG@10"] is result.per_query["nDCG@10"]
    assert "RR" not in result.means
    with pytest.raises(KeyError, match="RR was not measured; there is AP, nDCG@10"):
        result.means["MRR"]


def test_without_measures_it_evaluates_three():
    assert trec.evaluate(QRELS_2, RUN_2).measures == ["nDCG@10", "AP", "RR@10"]


@pytest.mark.parametrize(
    ("ties", "reciprocal_rank"),
    [("docid", 1.0), ("input", 1 / 2), ("mean", (1 + 1 / 2 + 1 / 3) / 3)],
)
def test_ties(ties, reciprocal_rank):
    """Three documents with one score: the relevant one has the highest id, and came second."""
    run = [("q", "a", 1.0), ("q", "c", 1.0), ("q", "b", 1.0)]
    assert trec.evaluate({"q": {"c": 1}}, run, "RR", ties=ties).means["RR"] == pytest.approx(reciprocal_rank)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("9", "10"),
        ("b", "a"),
        ("aa", "a"),
        ("a", "A"),
        ("é", "z"),
        ("𝄞", "\uffff"),
        ("x" * 40 + "b", "x" * 40 + "a"),
    ],
)
def test_tied_documents_stand_by_id_as_text_descending(first, second):
    run = {"q": {second: 1.0, first: 1.0}}
    assert trec.evaluate({"q": {first: 1}}, run, "RR").means["RR"] == 1.0
    assert trec.evaluate({"q": {second: 1}}, run, "RR").means["RR"] == 0.5


def test_ints_are_compared_as_text():
    assert trec.evaluate({1: {9: 1}}, {"1": {10: 1.0, 9: 1.0}}, "RR").means["RR"] == 1.0


@pytest.mark.parametrize(
    ("undefined", "mean", "said"),
    [
        ("zero", 1 / 2, "2 queries, 1 counted 0"),
        ("one", 1.0, "2 queries, 1 counted 1"),
        ("nan", 1.0, "1 query, 1 left out"),
    ],
)
def test_a_query_with_nothing_relevant(undefined, mean, said):
    qrels, run = {"q": {"a": 1}, "r": {"a": 0}}, {"q": {"a": 1.0}, "r": {"a": 1.0}}
    result = trec.evaluate(qrels, run, ["nDCG", "AP", "R@5", "RR"], undefined=undefined)
    for measure in ["nDCG", "AP", "R@5"]:
        assert result.means[measure] == mean
        assert result.undefined_queries[measure] == ["r"]
        assert said in result.describe(measure)
    assert result.means["RR"] == 1 / 2  # 0, under every policy: not 0/0
    assert result.undefined_queries["RR"] == []


def test_a_mean_over_nothing_is_nan_with_a_warning():
    with pytest.warns(RuntimeWarning, match="nan"):
        result = trec.evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "AP", undefined="nan")
    assert math.isnan(result.means["AP"])


def test_an_unanswered_query_counts_0_and_an_unjudged_one_is_left_out():
    result = trec.evaluate(
        {"q": {"a": 1}, "r": {"a": 1}, "s": {"a": 1}}, {"q": {"a": 1.0}, "t": {"a": 1.0}, "s": {}}, "RR"
    )
    assert result.per_query["RR"] == {"q": 1.0, "r": 0.0, "s": 0.0}
    assert result.means["RR"] == pytest.approx(1 / 3)
    assert result.missing_queries == ["r", "s"]
    assert result.extra_queries == ["t"]
    assert (result.n_queries, result.query_ids) == (3, ["q", "r", "s"])


def test_an_empty_run_counts_0_with_a_warning():
    with pytest.warns(UserWarning, match="the run is empty: each of its 2 queries counts 0"):
        result = trec.evaluate(QRELS_2, {}, ["nDCG@10", "P@5"])
    assert result.means == {"nDCG@10": 0.0, "P@5": 0.0}


def test_one_long_id_among_many_tied_documents_takes_no_memory_of_its_length_for_each():
    ids = [f"d{i}" for i in range(3000)] + ["é" * 50_000, "x" * 100_000]
    run, top = {"q": dict.fromkeys(ids, 1.0)}, sorted(ids, reverse=True)
    tracemalloc.start()
    result = trec.evaluate({"q": {top[2]: 1}}, run, "RR")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.means["RR"] == 1 / 3
    assert peak < 20e6  # 3,002 times 100,000 bytes are 300 MB


def test_infinite_scores_have_an_order():
    run = {"q": {"a": float("-inf"), "b": 0.0, "c": float("inf")}}
    assert trec.evaluate({"q": {"c": 1}}, run, "RR").means["RR"] == 1.0


def test_a_negative_grade_is_judged_and_not_relevant():
    result = trec.evaluate({"q": {"a": -2, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, ["nDCG", "RR", "NumRel"])
    assert result.means == pytest.approx({"nDCG": 1 / LOG3, "RR": 0.5, "NumRel": 1})


def test_in_a_file_the_score_decides_and_not_the_rank(write):
    run = write("q Q0 a 1 0.1 t\nq Q0 b 2 0.9 t\n")
    assert trec.evaluate({"q": {"b": 1}}, run, "RR").means["RR"] == 1.0


@pytest.mark.parametrize(
    ("qrels", "run", "says"),
    [
        pytest.param(
            QRELS_2,
            [("q1", "a", 2.0), ("q1", "a", 1.0)],
            "document 'a' stands 2 times in query 'q1' of the run",
            id="document-twice-in-run",
        ),
        pytest.param(
            [("q1", "a", 1), ("q1", "a", 1)],
            RUN_2,
            "document 'a' stands 2 times in query 'q1' of the judgments",
            id="document-twice-in-judgments",
        ),
        pytest.param(
            QRELS_2, {"q1": {1: 0.5, "1": 0.4}}, "document '1' stands 2 times", id="int-and-text-are-one-id"
        ),
        pytest.param(
            QRELS_2, {"q1": {"a": float("nan")}}, "document 'a' of query 'q1' the score nan", id="nan-score"
        ),
        pytest.param(
            {"q1": {"a": float("nan")}}, RUN_2, "document 'a' of query 'q1' the grade nan", id="nan-grade"
        ),
        pytest.param(
            {"q1": {"a": float("inf")}},
            RUN_2,
            "document 'a' of query 'q1' the grade inf",
            id="infinite-grade",
        ),
        pytest.param({}, RUN_2, "the judgments are empty", id="no-judgments"),
        pytest.param({"q1": {}}, RUN_2, "the judgments are empty", id="no-judgment-in-any-query"),
        pytest.param(
            QRELS_2,
            {"Q1": {"a": 1.0}, "Q2": {"a": 1.0}},
            "no query is in both the run and the judgments: the run has 'Q1', 'Q2', the judgments",
            id="no-query-in-common",
        ),
    ],
)
def test_bad_data_is_refused(qrels, run, says):
    with pytest.raises(ValueError, match=r".") as error:
        trec.evaluate(qrels, run)
    assert says in str(error.value)


def test_bad_data_in_a_file_is_refused_with_its_lines(write):
    run = write("\nq1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\nq1 Q0 a 3 0.5 t\n")
    with pytest.raises(
        ValueError, match=r"document 'a' stands 2 times in query 'q1' .*lines 2 and 4 of .*run\.txt"
    ):
        trec.evaluate(QRELS_2, run)
    run = write("q1 Q0 a 1 1 t\nq1 Q0 b 2 nan t\n")
    with pytest.raises(
        ValueError, match=r"document 'b' of query 'q1' \(line 2 of .*run\.txt\) the score nan"
    ):
        trec.evaluate(QRELS_2, run)


@pytest.mark.parametrize("argument", ["ties", "undefined"])
def test_conventions_are_known_words(argument):
    with pytest.raises(ValueError, match=f"{argument} must be one of .*; got 'best'"):
        trec.evaluate(QRELS_2, RUN_2, **{argument: "best"})
    with pytest.raises(TypeError, match=f"{argument} must be one of"):
        trec.evaluate(QRELS_2, RUN_2, **{argument: None})


def test_a_gain_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match=r"gain|finite"):
        trec.evaluate({"q": {"a": 1024}}, {"q": {"a": 1.0}}, "nDCG(dcg='exp-log2')@10")


def test_inputs_are_not_changed():
    qrels, run = copy.deepcopy(QRELS_2), copy.deepcopy(RUN_2)
    trec.evaluate(qrels, run)
    assert (qrels, run) == (QRELS_2, RUN_2)


def test_ids_whose_keys_collide_are_still_told_apart(monkeypatch):
    """Rows are matched by 64-bit keys; when two share one, the ids themselves decide."""
    monkeypatch.setattr(Texts, "hashes", lambda self: np.zeros(len(self), dtype=np.uint64))
    result = trec.evaluate(QRELS_2, RUN_2, ["nDCG@10", "AP"])
    monkeypatch.undo()
    assert result.means == trec.evaluate(QRELS_2, RUN_2, ["nDCG@10", "AP"]).means
    monkeypatch.setattr(Texts, "hashes", lambda self: np.zeros(len(self), dtype=np.uint64))
    with pytest.raises(ValueError, match="document 'a' stands 2 times in query 'q1' of the run"):
        trec.evaluate(QRELS_2, [("q1", "a", 1), ("q1", "b", 1), ("q1", "a", 2)])


# ---------------------------------------------------------------- laws

DOCS = [f"d{i}" for i in range(8)]
GRADED = st.dictionaries(st.sampled_from(DOCS), st.integers(0, 4), min_size=1)
SCORED = st.dictionaries(st.sampled_from(DOCS), st.integers(-20, 20).map(lambda n: n / 8), max_size=8)
TASK = st.dictionaries(st.sampled_from("pqrs"), st.tuples(GRADED, SCORED), min_size=1).filter(
    lambda task: any(scored for _, scored in task.values())
)
ALL = ["nDCG@3", "nDCG", "nDCG(dcg='exp-log2')@5", "AP", "AP@2", "RR", "P@2", "R@3", "F1@3", "Success@2"]


def parted(task):
    return {q: dict(graded) for q, (graded, _) in task.items()}, {
        q: dict(scored) for q, (_, scored) in task.items()
    }


def values(qrels, run, **choices):
    return trec.evaluate(qrels, run, ALL, **choices).per_query


def nearly(per_query):
    return {measure: pytest.approx(by_query, abs=1e-12) for measure, by_query in per_query.items()}


@given(TASK)
def test_each_measure_is_its_definition(task):
    """Against rankedu.metrics, one query at a time, ties by id."""
    qrels, run = parted(task)
    result = values(qrels, run)
    for query, graded in qrels.items():
        scored = run[query]
        order = sorted(scored, key=lambda doc: (scored[doc], doc), reverse=True)
        grades = [graded.get(doc, 0) for doc in order]
        judged = list(graded.values())
        expected = {
            "nDCG@3": metrics.ndcg(grades, 3, judged=judged),
            "nDCG": metrics.ndcg(grades, judged=judged),
            "nDCG(dcg='exp-log2')@5": metrics.ndcg(grades, 5, judged=judged, gain="exponential"),
            "AP": metrics.average_precision(grades, judged=judged),
            "AP@2": metrics.average_precision(grades, 2, judged=judged),
            "RR": metrics.reciprocal_rank(grades),
            "P@2": metrics.precision_at_k(grades, 2),
            "R@3": metrics.recall_at_k(grades, 3, judged=judged),
            "F1@3": metrics.f1_at_k(grades, 3, judged=judged),
            "Success@2": metrics.hit_rate_at_k(grades, 2),
        }
        assert {measure: result[measure][query] for measure in ALL} == pytest.approx(expected, abs=1e-12)


@given(TASK, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(task, random):
    qrels, run = parted(task)
    rows = [(q, d, score) for q, scored in run.items() for d, score in scored.items()]
    judged = [(q, d, grade) for q, graded in qrels.items() for d, grade in graded.items()]
    expected = {ties: values(judged, rows, ties=ties) for ties in ["docid", "mean"]}
    random.shuffle(rows)
    random.shuffle(judged)
    for ties, per_query in expected.items():
        assert values(judged, rows, ties=ties) == nearly(per_query)


@given(TASK, st.permutations(DOCS))
def test_renaming_the_documents_changes_nothing_under_mean_ties(task, names):
    qrels, run = parted(task)
    renamed = dict(zip(DOCS, names, strict=True))
    other_qrels, other_run = (
        {q: {renamed[doc]: number for doc, number in docs.items()} for q, docs in table.items()}
        for table in (qrels, run)
    )
    assert values(other_qrels, other_run, ties="mean") == nearly(values(qrels, run, ties="mean"))


@given(TASK, st.sampled_from([lambda x: 3 * x + 1, lambda x: x**3, math.exp, lambda x: math.atan(x) / 1e6]))
def test_only_the_order_of_the_scores_matters(task, change):
    qrels, run = parted(task)
    changed = {q: {doc: change(score) for doc, score in scored.items()} for q, scored in run.items()}
    for ties in ["docid", "mean"]:
        assert values(qrels, changed, ties=ties) == nearly(values(qrels, run, ties=ties))


@given(TASK)
def test_a_file_gives_what_the_dictionary_gives(tmp_path_factory, task):
    qrels, run = parted(task)
    folder = tmp_path_factory.mktemp("files")
    (folder / "run").write_text(
        "".join(f"{q} Q0 {d} 0 {x!r} t\n" for q, s in run.items() for d, x in s.items())
    )
    (folder / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, s in qrels.items() for d, g in s.items()))
    assert values(folder / "qrels", folder / "run") == values(qrels, run)


# ---------------------------------------------------------------- peers


def test_ten_thousand_random_rankings_agree_with_pytrec_eval():
    """Scores in eighths, which float32 holds too: many ties, broken by document id in both."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is in the extra peers")
    names = {"ndcg": "nDCG", "ndcg_cut.5": "nDCG@5", "map": "AP", "map_cut.5": "AP@5", "recip_rank": "RR"}
    names |= {"P.5": "P@5", "recall.5": "R@5", "success.5": "Success@5", "num_rel_ret": "NumRelRet"}
    random = np.random.default_rng(2024)
    worst = 0.0
    for _ in range(250):
        qrels, run = {}, {}
        for q in range(40):
            judged = random.choice(40, random.integers(1, 30), replace=False)
            returned = random.choice(40, random.integers(1, 40), replace=False)
            qrels[f"q{q}"] = {f"d{d}": int(random.choice(4, p=[0.6, 0.2, 0.1, 0.1])) for d in judged}
            run[f"q{q}"] = {f"d{d}": float(random.integers(0, 60) / 8) for d in returned}
        theirs = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
        ours = trec.evaluate(qrels, run, names.values()).per_query
        for their_name, name in names.items():
            for query, per_measure in theirs.items():
                worst = max(worst, abs(ours[name][query] - per_measure[their_name.replace(".", "_")]))
    assert worst < 1e-9


def test_disagreement_a_query_without_an_answer():
    """trec_eval (without -c) and pytrec_eval leave it out of the mean; here it counts 0."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is in the extra peers")
    qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert list(theirs) == ["q"]
    assert trec.evaluate(qrels, run, "RR").means["RR"] == 0.5


@pytest.mark.parametrize(("gap", "theirs"), [(1e-3, 1.0), (1e-9, 0.5)])
def test_disagreement_scores_that_differ_by_less_than_float32_can_hold(gap, theirs):
    """trec_eval and pytrec_eval rank in float32: the two scores tie there, and the ids decide."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is in the extra peers")
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 0.9 + gap, "b": 0.9}}
    evaluated = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert evaluated["q"]["recip_rank"] == theirs
    assert trec.evaluate(qrels, run, "RR").means["RR"] == 1.0


# ---------------------------------------------------------------- long work


def test_long_work_shows_a_bar_and_short_work_imports_none(monkeypatch, write):
    made = []

    class Bar:
        def __init__(self, **facts):
            made.append(facts)

        def update(self, amount):
            made.append(amount)

        def close(self):
            made.append("closed")

    monkeypatch.setattr(_progress, "_bar_class", lambda: Bar)
    path = write(RUN)
    trec.read_run(path)
    assert made == []
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    trec.read_run(path)
    assert made[0]["desc"] == "reading run.txt"
    assert made[-1] == "closed"
    made.clear()
    trec.evaluate(QRELS_2, RUN_2, ["AP", "RR"])
    assert [made[0]["desc"], made[0]["total"], made[-1]] == ["evaluating", 4, "closed"]


def test_no_bar_in_a_log_file(monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert _progress._bar_class() is None
    trec.evaluate(QRELS_2, RUN_2)


def test_importing_trec_loads_numpy_alone():
    """tqdm, scipy, pandas, polars and matplotlib load when they are needed, if ever."""
    code = "import sys, rankedu.trec; print([m for m in sys.argv[1:] if m in sys.modules])"
    heavy = ["tqdm", "scipy", "pandas", "polars", "matplotlib", "ipywidgets", "IPython"]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
