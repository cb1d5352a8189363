"""An explanation is the metric with its work shown: the work adds up to the number, and says it in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankedu import explain, metrics

grades_lists = st.lists(st.integers(0, 4), max_size=12)


@pytest.mark.parametrize("name", explain.METRICS)
@given(grades=grades_lists, missed=grades_lists, k=st.integers(1, 15))
def test_the_contributions_add_up_to_the_metric(name, grades, missed, k):
    options = {"judged": grades + missed, "gain": "exponential", "threshold": 2}
    work = explain.by_name(name, grades, k, **options)
    function, known = getattr(metrics, name), explain.METRICS[name][1]
    assert work.value == function(grades, k, **{o: options[o] for o in options if o in known})
    assert len(work.rows) == len(grades)
    assert sum(row.contribution for row in work.rows) == pytest.approx(work.total)
    assert work.total / (work.best or 1) == pytest.approx(work.value)
    assert all(row.contribution == 0 for row in work.rows if row.rank > k)


FORMULAS = [
    (explain.cumulative_gain([3, 2, 0, 1, 4]), "CG@5 = 3 + 2 + 1 + 4 = 10"),
    (explain.dcg([2, 2, 2]), "DCG@3 = 2×1 + 2×0.631 + 2×0.5 = 4.262"),
    (explain.dcg([3, 1], gain="exponential"), "DCG@2 = (2^3 − 1)×1 + (2^1 − 1)×0.631 = 7.631"),
    (explain.dcg([]), "DCG@0 = 0 = 0"),
    (explain.ndcg([5, 4, 1, 3, 0], 3), "NDCG@3 = 8.024 / 9.024 = 0.889"),
    (explain.ndcg([3, 2, 0, 1, 4]), "NDCG@5 = 6.240 / 7.323 = 0.852"),
    (explain.ndcg([3, 2, 0, 1, 4], gain="exponential"), "NDCG@5 = 15.126 / 21.347 = 0.709"),
    (explain.ndcg([0, 0]), 'NDCG@2 = 0 / 0: nothing relevant was judged, undefined="zero" makes it 0'),
    (explain.precision_at_k([1, 1], 5), "P@5 = 2 / 5 = 0.400"),
    (explain.recall_at_k([1, 0], 2, judged=[1, 1, 1]), "R@2 = 1 / 3 = 0.333"),
    (explain.f1_at_k([1, 0, 1], 3, judged=[1] * 4), "F1@3 = 2 × 0.667 × 0.500 / (0.667 + 0.500) = 0.571"),
    (explain.f1_at_k([0], 1, judged=[1]), "F1@1 = 0, because P@1 and R@1 are both 0"),
    (explain.hit_rate_at_k([0, 0, 1], 2), "Hit@2 = 0, because nothing in the top 2 is relevant"),
    (explain.average_precision([0, 1, 1, 1, 0]), "AP = (1/2 + 2/3 + 3/4) / 3 = 0.639"),
    (explain.average_precision([0, 1, 1], 2, judged=[1] * 3), "AP@2 = (1/2) / 3 = 0.167"),
    (explain.reciprocal_rank([0, 0, 1, 1]), "RR = 1 / 3 = 0.333"),
    (explain.reciprocal_rank([1]), "RR = 1 / 1 = 1"),
]


@pytest.mark.parametrize(("work", "formula"), FORMULAS, ids=[formula for _, formula in FORMULAS])
def test_the_formula_has_the_numbers_put_in(work, formula):
    assert work.formula.splitlines()[-1] == formula


def test_the_text_of_an_explanation():
    work = explain.average_precision([2, 0, 1], 2, judged=[2, 0, 1, 3], items=["a", "b", "c"])
    assert str(work).splitlines() == [
        "AP@2 = (1/1) / 3 = 0.333",
        "(relevant: grade 1 or more; R = 3, from 4 judged)",
        "",
        "rank  item  grade  relevant  precision here  contribution  running total",
        "   1  a         2       yes     1/1 = 1.000         0.333          0.333",
        "   2  b         0        no                         0.000          0.333",
        "------------------------------------------------------------------------  cut at 2",
        "   3  c         1       yes     2/3 = 0.667         0.000          0.333",
        "Judged relevant and not in this list: 1 (grade 3)",
    ]


def test_the_ideal_order_stands_beside_the_ranking_also_where_that_is_shorter():
    lines = str(explain.ndcg([2], 2, judged=[2, 3])).splitlines()
    assert lines[-3].split() == ["1", "2", "1.000", "2.000", "2.000", "3", "3.000", "3.000"]
    assert lines[-2].split() == ["2", "2", "1.262", "4.262"]


def test_the_page_has_a_row_for_each_rank_and_the_formula():
    page = explain.ndcg([2, 0, 1, 2, 1])._repr_html_()
    assert page.count("<tr") == 6
    assert "0.894" in page
    assert r"\frac{3.748}{4.193} = 0.894" in page


def test_titles_are_shown_as_text_not_as_html():
    assert "&lt;b&gt;" in explain.dcg([1], items=["<b>"])._repr_html_()


def test_a_long_sum_leaves_out_its_middle():
    assert "…" in explain.dcg([1] * 9).formula
    assert r"\cdots" in explain.dcg([1] * 9).latex


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: explain.by_name("ndgc", [1]), "did you mean 'ndcg'"),
        (lambda: explain.ndcg([1, 2], items=["one"]), "items must hold one title for each of the 2 grades"),
        (lambda: explain.ndcg([1], 0), "k must be"),
        (lambda: explain.average_precision([2], judged=[1]), "judged must hold"),
    ],
    ids=["unknown metric", "a title short", "k = 0", "judged lacks"],
)
def test_bad_input_is_refused_by_name(call, says):
    with pytest.raises(ValueError, match=says):
        call()
