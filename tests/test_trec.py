"""Runs and judgments: what the readers read through, and what they refuse."""

import gzip

import numpy as np
import pytest

from rankedu import trec

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
        pytest.param("q1 Q0 d9 3 2.5", "5 columns where 6 are needed (query Q0 document rank score tag)", id="no-tag"),
        pytest.param("q1 0 d9 1", "as in a file of judgments", id="judgments-for-a-run"),
        pytest.param("q1 Q0 d9 3 high bm25", "the score 'high' is not a number", id="word-for-score"),
        pytest.param("q1 Q0 d9 3 1,5 bm25", "the score '1,5' is not a number", id="decimal-comma"),
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


def test_a_run_given_as_judgments_is_refused_since_its_ranks_would_pass_for_grades(write):
    with pytest.raises(ValueError, match=r"line 1: a line of a run, not of judgments"):
        trec.read_qrels(write(RUN))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(RUN.encode("utf-16"), "UTF-16; save it as UTF-8", id="utf-16"),
        pytest.param(b"q3 Q0 d\0d 1 1 t\n", "line 1: a NUL byte", id="nul"),
        pytest.param(b"\nq3 Q0 caf\xe9 1 1 t\n", "line 2: not UTF-8: 'q3 Q0 caf", id="latin-1"),
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


def test_an_odd_line_in_a_large_file_changes_nothing_else(write):
    """The whole-block reader and the line-by-line reader agree."""
    lines = [f"q{i // 50} Q0 doc{i * 7919 % 1000:03} {i % 50} {i * 0.37:.5f} t" for i in range(60_000)]
    regular = trec.read_run(write("\n".join(lines)))
    lines[31_234] += " \x01"  # a control character: not white space, so the careful reader takes over
    careful = trec.read_run(write("\n".join(lines)))
    assert regular == careful
    assert regular.n_rows == 60_000


def test_a_row_knows_its_line(write):
    run = trec.read_run(write("\n" + RUN.replace("\n", "\n\n")))
    assert [run.line_of(row) for row in range(3)] == [2, 4, 6]
