"""The numbers in the texts of the lessons: each is what someone gets who does what the text says.

The first part does, with the lesson's own widgets, what a lesson asks of its reader, and works out every
number of the note that tells what to see. The second part looks for a number that no output shows and nothing
works out.
"""

import ast
import contextlib
import io
import re
import statistics
import tempfile
from functools import cache
from itertools import pairwise, permutations

import pytest

from rankedu import metrics, quiz
from rankedu.live import Live
from tools import readme
from tools.notebook_rules import Book, text_of

BOOKS = {path.stem[:2]: Book.read(path) for path in sorted((readme.ROOT / "notebooks").glob("[0-9]*.ipynb"))}
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?!\w|\.\d|%)")

NOTES, CLAIMS = {}, {}


class Lesson:
    """A lesson that has been run from top to end in this process, by the words that a cell holds."""

    def __init__(self, number):
        self.results, self.names = [], {"display": lambda shown: None}
        for _, cell in BOOKS[number].code:
            *body, last = ast.parse(cell.source).body
            with (
                contextlib.redirect_stdout(io.StringIO()),
                tempfile.TemporaryDirectory() as folder,  # for what a lesson writes beside itself
                contextlib.chdir(folder),
            ):
                if isinstance(last, ast.Expr):
                    exec(compile(ast.Module(body, []), number, "exec"), self.names)
                    result = eval(compile(ast.Expression(last.value), number, "eval"), self.names)
                    self.results.append((cell.source, result))
                else:
                    exec(cell.source, self.names)

    def shown(self, source):
        """The widget that the first cell with `source` shows."""
        return next(result for cell, result in self.results if source in cell)

    def sliders(self, source):
        """The RankingSliders in it, alone or under a Live."""
        widget = self.shown(source)
        return widget.controls["grades"] if isinstance(widget, Live) else widget


ran = cache(Lesson)


def note(number, begins):
    """Registers what works out the numbers of the folded note that begins so, in the order of the text.

    It yields numbers, which the note must tell, rounded as it rounds them, and texts, which it must contain.
    """

    def register(work_out):
        NOTES[number, begins] = work_out
        return work_out

    return register


def claim(number, words):
    """Registers what works out, in their order, the numbers of these words of the lesson's text."""

    def register(work_out):
        CLAIMS[number, words] = work_out
        return work_out

    return register


def values(sliders):
    return [work.value for work in sliders.explanations]


def after(sliders, *moves):
    """The scores after Reset and then these moves, each an item and a rank."""
    sliders.reset()
    for item, rank in moves:
        sliders.move(item, rank)
    return values(sliders)


# --- What the notes say that one sees ------------------------------------------------------------


@note("00", "A blue bar is what a document adds")
def _(lesson):
    sliders = lesson.sliders("RankingSliders(documents")
    yield from after(sliders, ("csv", 1))
    yield from after(sliders, ("csv", 4))
    sliders.sort_best_first()
    yield sliders.value


@note("01", "0.400 with the threshold at 4")
def _(lesson):
    books = lesson.sliders("list(stars.values())")
    for threshold in (4, 3, 5):
        books.controls["threshold"].value = threshold
        yield books.value


@note("01", "The accuracy stays at 0.800")
def _(lesson):
    live = lesson.shown("Live(say")
    yield from after(live.controls["grades"], ("csv.writer", 1), ("bz2.BZ2File", 2))
    (worth,) = {row.contribution for row in live.controls["grades"].explanations[0].rows} - {0}
    yield worth
    yield (
        live.shown[0].partition(", ")[2].replace("first full answer", "first full answer is")
        + " instead of 1"
    )


@note("01", "The first full answer is at rank 9")
def _(lesson):
    live = lesson.shown("Live(say")
    yield from after(live.controls["grades"], ("csv.DictReader", 10), ("csv.reader", 10))
    yield live.shown[0].partition(", ")[2].replace("first full answer", "The first full answer is")


@note("02", "CG@5 is 10 whatever you do")
def _(lesson):
    sliders = lesson.sliders("k=5")
    (same,) = {metrics.cumulative_gain(order, 5) for order in permutations(sliders.grades)}
    yield f"CG@5 is {same:g} whatever you do"
    yield f"always ends at {same:g}"


@note("02", "Changing places above the line")
def _(lesson):
    sliders = lesson.sliders('controls=["k"]')
    sliders.k = 3
    (start,) = after(sliders)
    yield f"leaves CG@3 at {after(sliders, ('os.walk', 2))[0]:g}"
    (now,) = after(sliders, ("shutil.rmtree", 3))
    assert sliders.titles[3] == "os.rename"
    yield f"CG@3 rises by {now - start:g} to {now:g}"
    sliders.controls["k"].value = 4
    assert sliders.value == now
    yield "adds nothing"


@note("02", "The most is 9")
def _(lesson):
    sliders = lesson.sliders('controls=["k"]')
    sliders.reset()
    sliders.k = 3
    sliders.sort_best_first()
    assert sorted(sliders.grades[:3]) == [2, 3, 4]
    yield f"The most is {sliders.value:g}"
    sliders.move("shutil.rmtree", 3)
    yield f"It stays {sliders.value:g}"


@note("03", "6.240, 6.371")
def _(lesson):
    sliders = lesson.sliders("RankingSliders(docs")
    scores = [*after(sliders), *(after(sliders, ("shutil.rmtree", rank))[0] for rank in (4, 3, 2, 1))]
    yield from scores
    brings = [now - before for before, now in pairwise(scores)]
    assert max(brings) == brings[-1]
    yield from brings


@note("03", "The curve keeps its shape")
def _(lesson):
    live = lesson.shown("Live(with_base")

    def scores(base):
        live.controls["b"].value = base
        return [float(number) for number in re.findall(r"\] (\d\.\d{3})", live.shown[-1])]

    two, four = scores(2), scores(4)
    assert four == pytest.approx([2 * score for score in two], abs=1e-3)
    yield "base 4 doubles every weight, and so both scores"


@note("03", "At the start 7.818")
def _(lesson):
    sliders = lesson.sliders('"good 1"')
    start, end = {}, {}
    for scores, moves in ((start, ()), (end, (("answer", 1), ("useless 1", 2), ("useless 2", 3)))):
        for gain in ("linear", "exponential"):
            sliders.gain = gain
            (scores[gain],) = after(sliders, *moves)
    assert end["linear"] < start["linear"]
    assert end["exponential"] > start["exponential"]
    yield from [*start.values(), *end.values()]


@note("04", "Nothing is missing")
def _(lesson):
    live = lesson.shown("Live(say")
    live.controls["grades"].sort_best_first()
    yield float(live.shown[0].split()[-1])
    yield ", ".join(f"{grade:g}" for grade in live.controls["grades"].grades)


@note("04", "At the start the faulty ideal is")
def _(lesson):
    live = lesson.shown("Live(two_ideals")

    def ideals():
        return [float(number) for number in re.findall(r"\d\.\d{3}", live.shown[0])]

    (good, faulty), list_ = ideals(), live.controls["grades"]
    assert faulty == pytest.approx(list_.value, abs=1e-3)
    yield f"the faulty ideal is {faulty:.3f}"
    list_.move("shutil.rmtree", 1)
    yield f"on top it is {ideals()[1]:.3f}"
    assert ideals()[0] == good
    yield f"The right ideal is {good:.3f} all the time"


@note("04", "`datetime.date` on top")
def _(lesson):
    dates = lesson.sliders("dates = RankingSliders")
    yield from after(dates, ("datetime.date", 1))
    assert dates.value == max(metrics.dcg(order, 10) for order in permutations(dates.grades))
    yield metrics.ideal_dcg(dates.judged, 10)


@note("05", "**Best first** gives 1.000")
def _(lesson):
    sliders = lesson.sliders('picture="spread"')
    every = [metrics.ndcg(order, 5) for order in permutations(sliders.grades)]
    sliders.sort_best_first()
    yield sliders.value
    assert sliders.value == max(every)
    for item in reversed(sliders.titles):
        sliders.move(item, 5)
    assert sliders.titles[0] == "argparse"
    yield sliders.value
    assert sliders.value == min(every)
    yield statistics.mean(every)


@note("05", "Even **Best first** stops at")
def _(lesson):
    sliders = lesson.sliders("repair = RankingSliders")
    sliders.sort_best_first()
    yield sliders.value


@note("06", "2 of 3 places")
def _(lesson):
    sliders = lesson.sliders("metric=both")
    sliders.k = 3
    yield from after(sliders)


@note("06", "1. Neither changes")
def _(lesson):
    sliders = lesson.sliders("metric=both")
    sliders.k = 3
    start = after(sliders)
    assert after(sliders, ("zipfile", 1)) == start
    precision, recall = after(sliders, ("pickle", 4))
    assert sliders.titles[2] == "shutil"
    yield f"P@3 rises to {precision:.3f} and R@3 to {recall:.3f}"
    sliders.reset()
    sliders.controls["k"].value = 6
    precision, recall = values(sliders)
    yield f"R@6 rises to {recall:.3f} and P@6 falls to {precision:.3f}"


@note("06", "With `tarfile`, `zipfile` and `shutil` at ranks 3, 4 and 5")
def _(lesson):
    sliders = lesson.sliders("metric=three")
    *shares, worst = after(sliders, ("tarfile", 5), ("zipfile", 5), ("shutil", 5))
    assert sliders.titles[2:5] == ["tarfile", "zipfile", "shutil"]
    *same, best = after(sliders, ("zipfile", 2), ("shutil", 3))
    assert same == shares
    assert worst == min(metrics.ndcg(o, 5, judged=sliders.judged) for o in permutations(sliders.grades[:5]))
    yield from (worst, best, *shares)


@note("07", "1/1, 2/3 and 3/5")
def _(lesson):
    precisions = [metrics.precision_at_k(lesson.names["first"], rank) for rank in (1, 3, 5)]
    one, two, three = precisions
    yield f"({one:g} + {two:.3f} + {three:g}) / 3 = {statistics.mean(precisions):.3f}"


@note("07", "1. Only its own bar")
def _(lesson):
    sliders = lesson.sliders("RankingSliders(books")
    yield f"AP rises to {after(sliders, ('Iron and Stone', 2))[0]:.3f}"
    yield f"AP falls to {after(sliders, ('Card Games', 1))[0]:.3f}"
    sliders.reset()
    start = sliders.value
    sliders.move("The Long Span", 4)
    sliders.move("Roman Arches", 2)
    assert sliders.grades == [0, 1, 1, 1, 0]
    yield f"AP {sliders.value:.3f}, less than {start:.3f}"


@note("07", "Any order of the four relevant manuals")
def _(lesson):
    sliders = lesson.sliders("RankingSliders(manuals")
    ap, ndcg = after(sliders, *((item, rank) for rank, item in enumerate(("Brakes", "Leaflet", "Tyres"), 1)))
    assert sliders.titles[3] == "Whole Bike"
    assert ndcg == min(metrics.ndcg([*order, 0, 0]) for order in permutations(sliders.grades[:4]))
    yield from (ap, ndcg)


@note("08", "`calendar`, at rank 3")
def _(lesson):
    (score,) = after(lesson.sliders("RankingSliders(items, grades"))
    yield f"1/3 = {score:.3f}"


@note("08", "1. A hatched bar moves")
def _(lesson):
    sliders = lesson.sliders("RankingSliders(items, grades")
    yield f"RR stays at {after(sliders, ('zoneinfo', 4))[0]:.3f}"
    yield f"RR {after(sliders, ('zoneinfo', 1))[0]:.3f}"
    assert sliders.titles[3] == "calendar"
    steps = [after(sliders, ("calendar", rank))[0] for rank in (3, 2, 1)]
    yield "From {:.3f} to {:.3f}, then to {:.3f}".format(*steps)


@note("08", "With two of the three bee books")
def _(lesson):
    sliders = lesson.sliders("RankingSliders(books")
    yield after(sliders)[1]
    rr, ap = after(sliders, ("Honey", 6), ("Beehives", 6))
    yield ap
    yield rr


@note("08", "RR@5 stays at 1.000")
def _(lesson):
    rr, ap, ndcg = after(lesson.sliders("RankingSliders(\n    items, A"), ("time", 2))
    yield f"RR@5 stays at {rr:.3f}. AP@5 rises to {ap:.3f} and NDCG@5 to {ndcg:.3f}"


def place(ranking, ranks):
    """Brings the three relevant documents of one list of a Disagreement to these ranks."""
    ranking.reset()
    others = [i for i, grade in enumerate(ranking.grades) if not grade]
    order = [None] * len(ranking.grades)
    for item, rank in enumerate(ranks):
        order[rank - 1] = item
    ranking.order = [others.pop(0) if item is None else item for item in order]
    return [int(grade) for grade in ranking.grades]


@note("09", "1. Labels: NDCG@5 rises")
def _(lesson):
    explorer = lesson.names["explorer"]
    scores = {name: [] for name in explorer.works}

    def look(query):
        return [works[query].value for works in explorer.works.values()]

    explorer.reset()
    start = look("read a csv file")
    explorer.threshold = 2
    strict = look("read a csv file")
    explorer.threshold = 1
    explorer.lists["read a csv file"].move("csv.reader", 2)
    ndcg, *others = look("read a csv file")
    assert others == start[1:]
    yield f"NDCG@5 rises from {start[0]:.3f} to {ndcg:.3f}"
    explorer.threshold = 2
    assert all(after > before for before, after in zip(strict[1:], look("read a csv file")[1:], strict=True))
    explorer.threshold = 1
    before = look("parse json")
    explorer.lists["parse json"].move("json.load", 5)
    rises = [after > then for then, after in zip(before, look("parse json"), strict=True)]
    assert rises == [True, True, False]
    for rank in (5, 4, 3, 2, 1):
        explorer.lists["swallow an exception"].move("contextlib.suppress", rank)
        for name, value in zip(scores, look("swallow an exception"), strict=True):
            scores[name].append(value)
    ndcg, ap, rr = scores.values()
    assert ap == rr
    for climb in (rr, ndcg):
        assert max(now - before for before, now in pairwise(climb)) == climb[-1] - climb[-2]
        yield ", ".join(f"{value:.3f}" for value in climb[:-1]) + ", 1"


@note("09", "Hint: in one list put")
def _(lesson):
    both = lesson.shown('["ndcg", "average_precision"]')
    a, b = place(both.a, (1, 7, 8)), place(both.b, (2, 3, 6))
    assert both.prefers == {"NDCG@8": "A", "AP": "B"}
    yield "({}) and at 2, 3, 6 ({})".format(*(f"`{grades}`".replace(" ", "") for grades in (a, b)))
    yield f"{metrics.ndcg(a):.3f} to {metrics.ndcg(b):.3f}"
    yield "{:.3f} and {:.3f}".format(*(metrics.dcg([0] * (rank - 1) + [1]) for rank in (7, 8)))
    yield f"{metrics.average_precision(b):.3f} to {metrics.average_precision(a):.3f}"


@note("09", "Give one list rank 1")
def _(lesson):
    both = lesson.shown('["reciprocal_rank", "average_precision"]')
    a, b = place(both.a, (1, 7, 8)), place(both.b, (2, 3, 4))
    assert both.prefers == {"RR": "A", "AP": "B"}
    yield f"{metrics.reciprocal_rank(a):.3f} to {metrics.reciprocal_rank(b):.3f}"
    yield metrics.average_precision(b)


@note("09", "From rank 1 to 10 AUC falls")
def _(lesson):
    live = lesson.shown("Live(one_in_100")

    def look(rank):
        live.controls["rank"].value = rank
        return [float(value) for value in re.findall(r"\d\.\d{3}", live.shown[0])]

    for first, tenth in zip(look(1), look(10), strict=True):
        yield f"from {first:.3f} to {tenth:.3f}"
    (above, *others), (below, *_) = look(50), look(51)
    assert above > 0.5 > below
    yield "AUC comes to 0.5 between ranks 50 and 51"
    yield from others


@note("09", "At 0.40, 0.30, 0.30 A wins by")
def _(lesson):
    live = lesson.shown("Live(lambda weights")
    shares = live.controls["weights"]

    def totals():
        return [float(line.split()[1]) for line in live.shown]

    yield "At " + ", ".join(f"{weight:.2f}" for weight in shares.value.values())
    a, b = totals()
    lead = sum(a_b * w for a_b, w in zip(gaps(lesson), shares.value.values(), strict=True))
    yield f"A wins by about {lead:.2f}"
    assert a > b
    step = shares.sliders[-1].step
    shares.sliders[-1].value -= step
    a, b = totals()
    assert b > a
    yield f"Take {step:.2f} from MRR, and B wins"


def gaps(lesson):
    """What A is ahead of B, for each part of the weighted score."""
    a, b = lesson.names["parts"].values()
    return [a[name] - b[name] for name in a]


@claim("09", "Here MRR differs by 0.5 and MAP by 0.2")
def _(lesson):
    ap, _, rr = gaps(lesson)
    yield abs(rr)
    yield abs(ap)


@note("10", "From 0.355 (zero, rows)")
def _(lesson):
    live = lesson.shown("Live(mean")
    scores = {}
    for nothing in ("zero", "skip"):
        for count in ("users", "rows"):
            live.controls["nothing"].value, live.controls["count"].value = nothing, count
            scores[nothing, count] = float(re.search(r"0\.\d{3}", live.shown[0]).group())
    low, high = min(scores, key=scores.get), max(scores, key=scores.get)
    yield f"From {scores[low]:.3f} ({', '.join(low)}) to {scores[high]:.3f} ({', '.join(high)})"


@note("10", "NDCG@3 stays 1.000 at 1, 2 and 3 series")
def _(lesson):
    live = lesson.shown("Live(series")
    shelf, seen = live.controls["grades"], set()
    for move in (None, ("Bread", 1), ("Salad", 2)):
        if move:
            shelf.move(*move)
        seen.add(live.shown[0])
    yield 1
    assert seen == {f"NDCG@3 1.000, {n} series in the top 3" for n in (1, 2, 3)}


@claim("10", "leads `tfidf` by 0.030")
def _(lesson):
    results = lesson.names["results"]
    yield results["bm25"].means["nDCG@10"] - results["tfidf"].means["nDCG@10"]


@claim("10", "from 0.152 behind to 0.044")
def _(lesson):
    names = lesson.names
    all_, among = {}, {}
    for ranker, run in names["task"].runs.items():
        all_[ranker] = names["results"][ranker].means["nDCG@10"]
        picked = names["trec"].evaluate(names["judged"], names["candidates"](run), "nDCG@10")
        among[ranker] = picked.means["nDCG@10"]
    for means in (all_, among):
        yield means["bm25"] - means["name_match"]


@note("10", "From 0.70 down, click rates prefer")
def _(lesson):
    live = lesson.shown("Live(by_clicks")
    slider, wrong = live.controls["patience"], []
    steps = round((slider.max - slider.min) / slider.step)
    for patience in (slider.min + slider.step * i for i in range(steps + 1)):
        slider.value = patience
        shown, other = re.search(r"by click rates: as shown (\S+), other order (\S+)", live.shown[1]).groups()
        wrong += [patience] if float(shown) > float(other) else []
    assert wrong == pytest.approx([slider.min + slider.step * i for i in range(len(wrong))])
    yield f"From {wrong[-1]:.2f} down"
    assert lesson.names["shown"][-3:] == [3, 3, 3]


@note("11", "The one useful document moves")
def _(lesson):
    sliders = lesson.shown("RankingSliders(top")
    (start,) = after(sliders)
    assert [grade > 0 for grade in sliders.grades].index(True) == 2
    sliders.sort_best_first()
    yield f"from {start:.3f} to {sliders.value:.3f}"
    rest, worst = lesson.names["rest"], lesson.names["worst"]
    returned, judged = lesson.names["run"][worst], lesson.names["qrels"][worst]
    assert len(returned) == 30
    grades = sorted((judged.get(document, 0) for document in returned), reverse=True)
    yield f"would have {metrics.ndcg(grades, 10, judged=list(judged.values())):.3f}"
    assert len([document for document in rest if document in returned]) == 4, "four useful pages"
    assert max(rest, key=rest.get) == "bytes.decode"
    assert "bytes.decode" not in returned


for _number, _begins in [
    ("09", "NDCG@20, gains 1, 2, 5 from click"),
    ("09", "NDCG@k, with k the length of a session"),
    ("09", "MRR. *For:* users stop at the first help"),
    ("09", "MAP, with R@100 beside it"),
    ("09", "MRR, which AP equals"),
    ("09", "R@5. *For:* what was not handed over"),
    ("11", "Make one: the same documents in no order"),
]:
    note(_number, _begins)(lambda lesson: ())  # no number is told


# --- Every note is worked out, and no other text has a number of its own ----------------------------


def plain(text):
    return " ".join(text.split())


def text_cells(number):
    """The text of a lesson as it is typed, code spans included."""
    cells = BOOKS[number].notebook.cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def notes(number):
    """The folded notes of a lesson, without their summaries."""
    folded = r"<details><summary>[^<]*</summary>(.*?)</details>"
    return [plain(found) for found in re.findall(folded, text_cells(number), re.DOTALL)]


def tells(text, number):
    """Whether a number as it is written stands for this one."""
    return f"{number:.{len(text.partition('.')[2])}f}" == text


@pytest.mark.parametrize(("number", "begins"), NOTES, ids=[f"{number} {begins}" for number, begins in NOTES])
def test_the_numbers_of_a_note_are_those_that_one_sees(number, begins):
    (told,) = [text for text in notes(number) if text.startswith(begins)]
    written = DECIMAL.findall(told)
    known = []
    for found in NOTES[number, begins](ran(number)):
        if isinstance(found, str):
            assert found in told
            known += map(float, DECIMAL.findall(found))
        else:
            assert any(tells(text, found) for text in written), f"the note does not tell {found:.4f}"
            known.append(found)
    made_up = [text for text in written if text not in SUPPOSED and not any(tells(text, k) for k in known)]
    assert made_up == []


@pytest.mark.parametrize(("number", "words"), CLAIMS)
def test_the_numbers_of_a_text_are_worked_out(number, words):
    assert words in plain(text_cells(number))
    written = DECIMAL.findall(words)
    for text, found in zip(written, CLAIMS[number, words](ran(number)), strict=True):
        assert tells(text, found), f"{text} is {found:.4f}"


@pytest.mark.parametrize("number", BOOKS)
def test_every_note_is_worked_out(number):
    begins = [start for lesson, start in NOTES if lesson == number]
    assert [text for text in notes(number) if not any(map(text.startswith, begins))] == []
    assert len(notes(number)) == len(begins)


# Numbers that a text supposes, rather than finds: no list of the lesson has them.
SUPPOSED = {"0.72", "0.200"}


def outputs(number):
    """The numbers that the outputs of a lesson show, as text."""
    return {text for _, output in BOOKS[number].outputs() for text in DECIMAL.findall(text_of(output))}


@pytest.mark.parametrize("number", BOOKS)
def test_a_number_in_the_text_stands_in_an_output_or_in_a_note_that_is_worked_out(number):
    upto = [other for other in BOOKS if other <= number]
    shown = set().union(*map(outputs, upto))
    shown |= {text for told in notes(number) for text in DECIMAL.findall(told)}
    shown |= {text for lesson, words in CLAIMS if lesson == number for text in DECIMAL.findall(words)}
    texts = text_cells(number)
    values = set(map(float, shown))
    unknown = [
        text for text in DECIMAL.findall(texts) if text not in shown | SUPPOSED and float(text) not in values
    ]
    assert unknown == []
    shares = {f"{100 * value:.0f}" for value in values if value <= 1}
    assert set(re.findall(r"(\d+)%", texts)) <= shares


def test_five_queries_undo_one_with_a_cut_off_and_55_without():
    """Lesson 08: what one query loses from rank 1 to 2, and how many win it back from rank 11 to 10."""
    lost = metrics.reciprocal_rank([1, 0]) - metrics.reciprocal_rank([0, 1])
    ten, eleven = [0] * 9 + [1], [0] * 10 + [1]
    for cut, many in ((10, "five"), (None, "55")):
        won = metrics.reciprocal_rank(ten, cut) - metrics.reciprocal_rank(eleven, cut)
        assert lost / won == pytest.approx({"five": 5, "55": 55}[many])
        assert re.search(rf"as much as {many}\b", plain(text_cells("08")))


# --- Questions -------------------------------------------------------------------------------------


def asked():
    """The ids of the questions that the notebooks of the course ask."""
    paths = [*(readme.ROOT / "notebooks").glob("*.ipynb"), *(readme.ROOT / "exercises").glob("*.ipynb")]
    code = "\n".join(cell.source for path in paths for _, cell in Book.read(path).code)
    return set(re.findall(r'quiz\.get\("([\w/]+)"\)\.ask\(\)', code))


def test_every_quick_check_is_asked_in_its_lesson_or_its_exercises():
    lessons = {path.stem[:2] for path in (readme.ROOT / "notebooks").glob("[0-9]*.ipynb")}
    checks = {question.id for question in quiz.all() if question.id.startswith("check/")}
    assert checks
    assert {id for id in checks - asked() if id.split("/")[1] in lessons} == set()
