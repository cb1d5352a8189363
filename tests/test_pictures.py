"""Pictures: the same picture is the same bytes, and its text says what it shows."""

import io

import numpy as np
import pytest
from PIL import Image

from rankedu import explain, pictures

GRADES = [2, 0, 1, 2, 1]


@pytest.mark.parametrize("name", explain.METRICS)
def test_a_kept_picture_is_the_same_as_a_new_one(name):
    first, second = (
        explain.by_name(name, grades, 3, judged=[*GRADES, 1]) for grades in (GRADES, GRADES[::-1])
    )
    kept = pictures.RankingPicture(first)
    kept.png(first)
    new = pictures.RankingPicture(second)
    assert _pixels(kept.png(second)) == _pixels(new.png(second))


def test_a_changed_cut_off_is_laid_out_anew():
    kept = pictures.RankingPicture(explain.ndcg(GRADES, 3))
    work = explain.ndcg(GRADES, 5)
    assert _pixels(kept.png(work)) == _pixels(pictures.RankingPicture(work).png(work))


def test_a_picture_shows_itself_with_its_size_and_its_text():
    data, shown = pictures.ranking(explain.ndcg(GRADES))._repr_mimebundle_()
    width, height = Image.open(io.BytesIO(data["image/png"])).size
    assert (width, height) == (2 * shown["image/png"]["width"], 2 * shown["image/png"]["height"])
    assert data["text/plain"] == "NDCG@5 = 0.894: running DCG 3.748 of an ideal 4.193 at rank 5."
    assert shown["image/png"]["alt"] == data["text/plain"]


def test_the_same_picture_is_the_same_bytes():
    one, two = (pictures.ranking(explain.ndcg(GRADES))._repr_mimebundle_()[0] for _ in range(2))
    assert one == two


def test_a_picture_is_saved_in_the_format_of_its_name(tmp_path):
    picture = pictures.ranking(explain.reciprocal_rank([0, 1]))
    picture.save(tmp_path / "rr.svg")
    assert "<svg" in (tmp_path / "rr.svg").read_text()


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (
            explain.average_precision([1, 0, 1], judged=[1] * 3),
            "precision at each hit 1/1, 2/3; 1 relevant not",
        ),
        (explain.reciprocal_rank([0, 0]), "RR = 0: no hit."),
        (explain.cumulative_gain([3, 2]), "CG@2 = 5: running total by rank 3, 5."),
    ],
    ids=["AP", "RR", "CG"],
)
def test_the_text_of_a_picture(work, says):
    assert says in pictures.ranking(work).text


def test_the_spread_of_a_list_is_that_of_all_its_orders():
    scores, words = pictures.spread(explain.ndcg(GRADES))
    assert words == "all 120 orders"
    assert (round(scores.min(), 3), round(scores.max(), 3)) == (0.660, 1.0)
    # The mean discount of a rank, times the sum of the gains, over the ideal.
    discounts = [1 / np.log2(rank + 1) for rank in range(1, 6)]
    assert scores.mean() == pytest.approx(np.mean(discounts) * 6 / explain.ndcg(GRADES).best)


def test_the_spread_of_a_long_list_is_sampled_and_says_so():
    scores, words = pictures.spread(explain.ndcg([3, 2, 1, 0, 0, 0, 1, 2, 3], 5))
    assert words == "20,000 random orders"
    assert len(scores) == 20_000


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind must be None"):
        pictures.RankingPicture(explain.reciprocal_rank([1]), kind="spread")


def _pixels(png):
    return np.asarray(Image.open(io.BytesIO(png))).tobytes()
