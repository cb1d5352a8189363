"""Peers: what other libraries say of ten inputs, each asked or told to be missing."""

import builtins
import html
import os
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from rankedu import peers

CASES = {case.name: case for case in peers.CASES}
DICTIONARY = "a document comes twice"

by_case = pytest.mark.parametrize("case", peers.CASES, ids=lambda case: case.name)

# By hand: 1 / log2(3) = 0.631 where the one relevant document stands at rank 2, 0.500 at rank 3.
SAID = [
    ("a judged query is not answered", ["0.500", "1.000", "0.500", "1.000", "refuses"]),
    ("one of five relevant is returned", ["0.339", "1.000", "0.339", "0.339", "0.339"]),
    ("a query has nothing relevant", ["0.500"] * 5),
    ("two returned, k is 5", ["0.200", "no P@5", "0.200", "0.200", "0.200"]),
    ("three documents tie", ["0.500", "0.710", "0.500", "0.500", "1.000"]),
    ("scores 0.000000001 apart", ["1.000", "1.000", "0.631", "0.631", "1.000"]),
    ("scores of 8 bits, unsigned", ["0.500", "1.000", "0.500", "0.500", "0.500"]),
    ("grades 0.5 and 1.5", ["0.797", "0.797", "refuses", "refuses", "0.631"]),
    ("a grade of -1", ["0.631", "refuses", "0.631", "0.631", "0.631"]),
    (DICTIONARY, ["refuses", "0.920", "0.387", "0.387", "0.387"]),
]


def without(monkeypatch, *missing):
    """As on a machine where these modules are not installed."""
    real = builtins.__import__

    def import_(name, *rest, **named):
        if name.split(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", import_)


def test_there_are_ten_inputs_no_two_of_one_name():
    assert len(CASES) == len(peers.CASES) == 10
    assert [name for name, _ in SAID] == list(CASES) == list(peers.RANX_SAID)


@pytest.mark.parametrize(("name", "said"), SAID, ids=[name for name, _ in SAID])
def test_who_says_what(name, said):
    asked = [peers.ask(peer, CASES[name]) for peer in peers.PEERS if peer != "ranx"]
    assert [*asked, peers.RANX_SAID[name]] == said


def test_ranx_says_what_is_recorded_of_it():
    """In a process of its own with numba's compiler off: seconds instead of half a minute."""
    if find_spec("ranx") is None:
        pytest.skip("ranx is not installed")
    code = "from rankedu import peers; print(*(peers.ask('ranx', case) for case in peers.CASES), sep='\\n')"
    child = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert child.stdout.splitlines() == list(peers.RANX_SAID.values())


@pytest.mark.parametrize(
    ("module", "peer"),
    [("sklearn", "scikit-learn"), ("ir_measures", "ir_measures"), ("pytrec_eval", "pytrec_eval")],
)
def test_a_missing_library_is_told_in_its_column_and_nothing_else_is_lost(monkeypatch, module, peer):
    whole = peers.table()
    # ir_measures asks pytrec_eval, and cannot do without it
    also = ["ir_measures"] if module == "pytrec_eval" else []
    without(monkeypatch, module, *also)
    rest = peers.table()
    for all_of_it, row in zip(whole, rest, strict=True):
        assert row[-1] == all_of_it[-1]
        for heading, before, now in zip(whole.headings, all_of_it, row, strict=False):
            if heading in (peer, *also):
                assert now == ("no P@5" if before == "no P@5" else "not installed")
            else:
                assert now == before


def test_ranx_is_asked_only_where_one_asks_for_it(monkeypatch):
    without(monkeypatch, "ranx")
    column = 1 + list(peers.PEERS).index("ranx")
    recorded, asked = peers.table(), peers.table(ask_ranx=True)
    assert "not installed" not in [row[column] for row in recorded]
    assert {row[column] for row in asked} == {"not installed"}
    assert peers.RANX_VERSION in recorded.title
    assert peers.RANX_VERSION not in asked.title


@by_case
def test_an_answer_other_than_ours_is_marked(case):
    (row,) = [row for row in peers.table() if row[0].startswith(case.name)]
    ours = peers.ask("rankedu", case)
    for answer in row[1:-1]:
        assert answer.startswith("≠ ") == (answer.removeprefix("≠ ") != ours and not answer.startswith("no "))


@by_case
def test_the_reason_stands_beside_it_and_the_measure_where_it_is_not_that_of_the_title(case):
    table = peers.table()
    (row,) = [row for row in table if row[0].startswith(case.name)]
    assert row[-1] == case.why
    assert table.title.startswith("nDCG@5, ")
    assert row[0].endswith("(P@5)") == (case.measure == "P@5") != (case.measure == "nDCG@5")


def test_an_unknown_peer_is_an_error_that_names_the_known():
    with pytest.raises(ValueError, match=r"peer must be one of 'rankedu', 'scikit-learn'.* got 'sklearn'"):
        peers.ask("sklearn", peers.CASES[0])


def test_a_copy_counts_twice_only_where_the_rows_are_kept():
    """As a matrix both rows of `a` stand there; a dictionary holds the later one, which is ranked below x."""
    assert float(peers.ask("scikit-learn", CASES[DICTIONARY])) > float(
        peers.ask("pytrec_eval", CASES[DICTIONARY])
    )


def test_the_table_says_the_same_as_text_and_in_a_notebook():
    table = peers.table()
    page = html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", table._repr_html_(), flags=re.DOTALL))
    for shown in (" ".join(str(table).split()), " ".join(page.split())):
        assert shown.startswith(f"{table.title} input rankedu scikit-learn ir_measures pytrec_eval ranx")
        for row in table:
            assert " ".join(row) in shown


def test_the_notebook_reads_each_row_under_its_name():
    page = peers.table()._repr_html_()
    assert page.count('scope="row"') == 10
    assert page.count('scope="col"') == 1 + len(peers.PEERS)
