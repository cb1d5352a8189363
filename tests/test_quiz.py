"""Questions: every option answers back, nothing gives the answer away, and every number is computed."""

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rankedu import progress, quiz
from rankedu.metrics import (
    average_precision,
    dcg,
    discount,
    ideal_dcg,
    ndcg,
    precision_at_k,
    reciprocal_rank,
)
from rankedu.quiz import _question

ROOT = Path(__file__).resolve().parents[1]
ALL = quiz.all()
CHOICES = pytest.mark.parametrize("question", ALL, ids=lambda question: question.id)
MYTHS = pytest.mark.parametrize("myth", quiz.all("myth"), ids=lambda myth: myth.id)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A progress file of its own for each test, and no score on the page that still follows."""
    monkeypatch.setenv("RANKEDU_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(_question, "listeners", {})
    return tmp_path / "progress.json"


def right(question):
    """The letters of the right options."""
    return "".join(letter for letter, option in question._lettered().items() if option.right)


def wrong(question):
    return "".join(letter for letter in question.options if letter not in right(question))


def text_of(question):
    """All that a question can ever say."""
    parts = [question.prompt] + [part for o in question._options for part in (o.text, o.reply)]
    return " ".join([*parts, getattr(question, "task", "")])


# --- the sets ---


def test_there_are_ten_interview_questions_in_order_of_difficulty():
    questions = quiz.all("interview")
    assert [q.id for q in questions] == [f"interview/{n:02d}" for n in range(1, 11)]
    ranks = [_question.DIFFICULTIES.index(q.difficulty) for q in questions]
    assert ranks == sorted(ranks)
    assert set(ranks) == {0, 1, 2, 3}
    assert [q.id for q in questions if q.many] == ["interview/05", "interview/07", "interview/09"]


@pytest.mark.parametrize("lesson", progress.LESSONS)
def test_every_lesson_has_three_to_five_checks(lesson):
    ids = [q.id for q in quiz.all(f"check/{lesson}")]
    assert 3 <= len(ids) <= 5
    assert ids == [f"check/{lesson}/{n}" for n in range(1, len(ids) + 1)]


def test_the_misconceptions_that_must_be_there():
    claims = " ".join(myth.claim for myth in quiz.all("myth")).lower()
    for words in (
        "map and ndcg both",
        "compare queries by dcg",
        "mrr is easy",
        "p@10 is 0.9",
        "ndcg@k can only grow",
        "p@k grows",
        "average of p@1",
        "ndcg is 1.0",
        "ndcg 0 means the worst",
        "base of the logarithm never matters",
        "of one dataset can be compared",
        "exactly one right answer",
        "map is stricter",
        "divide by the number of relevant documents i found",
        "ndcg@10 is high",
        "leans towards the users",
    ):
        assert words in claims, words


def test_ids_are_unique_and_lead_to_their_question():
    assert len({q.id for q in ALL}) == len(ALL)
    assert all(quiz.get(q.id) is q for q in ALL)


@pytest.mark.parametrize(
    ("id", "error", "says"),
    [
        ("interview/4", ValueError, "interview/04"),
        ("interview/11", ValueError, "interview/1"),
        ("", ValueError, "interview/01"),
        (4, TypeError, "id must be text"),
        (None, TypeError, "id must be text"),
    ],
)
def test_get_of_something_else_names_what_is_near(id, error, says):
    with pytest.raises(error, match=says):
        quiz.get(id)


def test_all_of_an_unknown_set():
    assert quiz.all("interview/") == quiz.all("interview")
    with pytest.raises(ValueError, match="set must be"):
        quiz.all("inter")


# --- what every question keeps to ---


@CHOICES
def test_a_question_is_well_formed(question):
    options = list(question._lettered().values())
    assert 3 <= len(options) <= 5
    assert len({o.key for o in options}) == len(options)
    assert len({o.text.strip().lower() for o in options}) == len(options), "two options say the same"
    assert question.difficulty in (*_question.DIFFICULTIES, None)
    assert question.reread
    assert set(question.reread) <= set(progress.LESSONS)
    assert right(question)
    assert wrong(question)
    assert question.many == (len(right(question)) > 1)


@CHOICES
def test_every_option_has_a_reply_of_its_own_that_says_why(question):
    replies = [o.reply for o in question._options]
    assert len(set(replies)) == len(replies)
    for option in question._options:
        assert option.reply.endswith((".", ".)")), option.reply
        assert option.reply[0].isupper() or not option.reply[0].isalpha()
        assert len(option.reply.split()) >= 4, option.reply
        assert len(option.reply.split()) <= 55, option.reply
        sentences = re.split(r"(?<=[.:?]) (?=[A-Z])", option.reply)
        assert 1 <= len(sentences) <= 4


@CHOICES
def test_its_words_are_plain(question):
    found = re.findall(r"\b(simply|obviously|trivial\w*|of course|just)\b", text_of(question), re.IGNORECASE)
    assert not found
    assert not re.search(
        r"[{}]|\bnan\b|\d{5,}|0\.\d{4}(?!\s*against)", text_of(question).replace("0.5998", "")
    )


def test_the_right_option_is_not_given_away_by_its_letter_or_length():
    single = [q for q in ALL if not q.many]
    letters = [right(q) for q in single]
    for letter in "ABC":
        assert letters.count(letter) < 0.45 * len(single)
    ten = "".join(right(q) for q in quiz.all("interview"))
    assert all(ten.count(letter) <= 6 for letter in ten)
    longest = [q for q in single if max(q._options, key=lambda o: len(o.text)).right]
    assert len(longest) < 0.5 * len(single)


def test_the_order_of_options_is_the_same_in_every_kernel():
    code = "from rankedu import quiz; print([[q.id, list(q.options.values())] for q in quiz.all()])"
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "RANKEDU_PROGRESS": "off"}
        environment["PYTHONPATH"] = str(ROOT)
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        seen.add(run.stdout)
    assert seen == {f"{[[q.id, list(q.options.values())] for q in ALL]}\n"}


# --- the numbers: what a question marks right, against the metrics and against figures worked out by hand ---

NUMBERS = {
    "interview/04": (1 / 3, reciprocal_rank([0, 0, 1])),
    "interview/08": (0.5, discount(3)),
    "interview/10": ((1 + 2 / 3 + 3 / 5) / 3, average_precision([1, 0, 1, 0, 1])),
    "check/02/1": (10, sum([3, 2, 0, 1, 4])),
    "check/02/3": (10, sum([1] * 10)),
    "check/03/1": (0.631, discount(2)),
    "check/03/2": (3.748, dcg([2, 0, 1, 2, 1])),
    "check/04/3": (4.544, ideal_dcg([1] * 10, 10)),
    "check/04/4": (9.024, ideal_dcg([5, 4, 1, 3, 0], 3)),
    "check/05/1": (0.894, ndcg([2, 0, 1, 2, 1])),
    "check/05/2": (0.660, ndcg([0, 1, 1, 2, 2])),
    "check/05/3": (0.220, ndcg([1] + [0] * 9, 10, judged=[1] * 10)),
    "check/05/4": (0.852, ndcg([3, 2, 0, 1, 4])),
    "check/06/2": (2 / 5, precision_at_k([1, 1], 5)),
    "check/06/3": (5 / 20, 5 / 20),
    "check/06/4": (0.5, 2 * 0.4 * (2 / 3) / (0.4 + 2 / 3)),
    "check/06/5": (3 / 4, 3 / 4),
    "check/07/2": (0.5, average_precision([1, 0], judged=[1, 1])),
    "check/07/4": (0.465, (0.75555555 + 0.63888888 + 0) / 3),
    "check/08/3": (0.5, (1 + 1 / 2 + 0) / 3),
    "check/08/4": (0, reciprocal_rank([0, 0, 0, 1], 3)),
    "check/09/1": (0.909, 90 / 99),
    "check/10/2": (0.75, (1.0 + 0.5) / 2),
    "check/10/3": (0.775, (ndcg([1, 0, 1]) + ndcg([0, 1])) / 2),
}


@pytest.mark.parametrize("id", NUMBERS)
def test_the_number_marked_right_is_right(id):
    by_hand, computed = NUMBERS[id]
    assert computed == pytest.approx(by_hand, abs=6e-4)
    shown = quiz.get(id)._lettered()[right(quiz.get(id))].text
    (number,) = re.findall(r"(?<![@\d(])\d+(?:\.\d+)?(?= *$|,| *\?|$)", shown)
    assert float(number) == pytest.approx(computed, abs=6e-4)


def test_no_numeric_question_is_left_out_of_that_table():
    numeric = {q.id for q in ALL if not q.many and re.fullmatch(r"[\d.]+", q._lettered()[right(q)].text)}
    assert numeric <= set(NUMBERS) | {"check/01/3"}  # grades of events, not a metric


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("check/02/2", ["from 5 to 9"]),
        ("check/03/3", ["4.262", "3.000", "7.000 to 6.393"]),
        ("check/03/4", ["1.893"]),
        ("check/03/5", ["1.107", "0.036"]),
        ("check/04/3", ["1.000"]),
        ("check/05/1", ["3.748", "4.193", "0.904"]),
        ("check/05/3", ["4.544"]),
        ("check/07/1", ["0.756 to 0.639"]),
        ("check/08/2", ["0.280 to 0.543", "0.470 to 0.661"]),
        ("check/09/1", ["0.289"]),
        ("check/09/2", ["0.642 to 0.693"]),
        ("interview/09", ["0.774 to 0.698", "0.554", "0.556"]),
        ("myth/09", ["0.660"]),
        ("myth/15", ["0.220"]),
    ],
)
def test_figures_of_the_course_stand_where_they_are_expected(id, words):
    text = text_of(quiz.get(id))
    assert [word for word in words if word not in text] == []


# --- answering ---


def test_a_right_answer():
    verdict = quiz.get("interview/04").answer(right(quiz.get("interview/04")))
    assert (verdict.status, verdict.mistake, bool(verdict)) == ("correct", None, True)
    assert verdict.message.startswith("✓ Correct")
    assert "1 / 3" in verdict.message


def test_a_wrong_answer_is_told_why_and_not_what_is_right():
    question = quiz.get("interview/04")
    (letter,) = (x for x, o in question._lettered().items() if o.key == "rank-itself")
    verdict = question.answer(letter)
    assert (verdict.status, verdict.mistake, verdict.too_much) == ("incorrect", "rank-itself", letter)
    assert not verdict
    assert question._lettered()[letter].reply in verdict.message
    assert question._lettered()[right(question)].reply not in verdict.message
    assert "0.333" not in verdict.message


@CHOICES
def test_the_verdict_replies_to_every_option(question):
    verdict = question.answer(wrong(question)[0])
    assert verdict.replies == {letter: o.reply for letter, o in question._lettered().items()}


MANY = quiz.get("interview/05")
BOTH, NONE = right(MANY), wrong(MANY)


@pytest.mark.parametrize(
    ("letters", "status", "missing", "too_much", "says"),
    [
        pytest.param(BOTH, "correct", "", "", "✓ Correct", id="all"),
        pytest.param(BOTH[0], "incorrect", BOTH[1], "", "1 of 2 right options found", id="one missing"),
        pytest.param(BOTH + NONE[0], "incorrect", "", NONE[0], "2 of 2", id="one too much"),
        pytest.param(BOTH[1] + NONE[1], "incorrect", BOTH[0], NONE[1], "1 of 2", id="both"),
        pytest.param(NONE, "incorrect", BOTH, NONE, "✗ Not yet: 0 of 2", id="all wrong"),
    ],
)
def test_several_right_options(letters, status, missing, too_much, says):
    verdict = MANY.answer(letters)
    assert (verdict.status, verdict.missing, verdict.too_much) == (status, missing, too_much)
    assert says in verdict.message
    for letter in {*letters, *missing}:
        assert verdict.replies[letter] in verdict.message
    for name, which in (("missing", missing), ("too much", too_much)):
        assert (f"{name}: " in verdict.message) == bool(which)


def test_a_partial_answer_is_neither_praised_nor_scolded():
    message = MANY.answer(BOTH[0]).message
    assert message.startswith("◐ Partly")
    assert not re.search(
        r"\b(good|great|well done|almost|sorry|unfortunately|bad|only)\b", message.split("\n")[0]
    )


def test_several_letters_where_one_is_right():
    question = quiz.get("interview/04")
    verdict = question.answer("".join(question.options))
    assert verdict.status == "incorrect"
    assert "a single option" in verdict.message


@pytest.mark.parametrize("letters", [BOTH, BOTH[::-1], BOTH.lower(), f" {BOTH} "])
def test_letters_in_any_order_and_case(letters):
    assert MANY.answer(letters).status == "correct"


@pytest.mark.parametrize(
    ("letters", "error"),
    [
        ("", ValueError),
        ("  ", ValueError),
        ("Z", ValueError),
        ("AZ", ValueError),
        ("AA", ValueError),
        ("Aa", ValueError),
        ("A,B", ValueError),
        ("1", ValueError),
        ("ß", ValueError),
        (1, TypeError),
        (None, TypeError),
        (["A"], TypeError),
        (b"A", TypeError),
    ],
)
def test_an_answer_that_is_none(letters, error, place):
    with pytest.raises(error, match=r"letters must be text made of the letters A, B, C, D.*; got "):
        quiz.get("interview/05").answer(letters)
    assert not place.exists()


def test_answers_are_recorded_with_the_mistake():
    question = quiz.get("interview/05")
    keys = {letter: option.key for letter, option in question._lettered().items()}
    question.answer(NONE)
    question.answer(BOTH[0])
    question.answer(BOTH)
    rows = [(r["kind"], r["id"], r["status"], r.get("mistake"), r["answer"]) for r in progress.records()]
    assert rows == [
        ("quiz", "interview/05", "incorrect", "+".join(keys[x] for x in NONE), NONE),
        ("quiz", "interview/05", "incorrect", f"without {keys[BOTH[1]]}", BOTH[0]),
        ("quiz", "interview/05", "correct", None, BOTH),
    ]


def test_progress_counts_the_questions():
    quiz.get("check/05/1").answer(right(quiz.get("check/05/1")))
    quiz.get("myth/05").refute([1, 0, 1])
    rows = {row.lesson: row for row in progress.show().rows}
    assert (rows["05"].questions_done, rows["05"].questions) == (1, len(quiz.all("check/05")))
    assert (rows["myth"].exercises_done, rows["myth"].exercises) == (1, len(quiz.all("myth")))


# --- nothing gives the answer away ---


def secrets(question):
    """Texts that may stand nowhere before an answer: the replies, and the keys that name the options."""
    return [o.reply for o in question._options] + [f"{o.key!r}" for o in question._options]


def assert_silent(shown, question):
    shown = html.unescape(re.sub(r"</?code>", "`", shown))
    for secret in secrets(question):
        assert secret not in shown, f"{question.id} gives away {secret!r}"
    assert not re.search(r"right=|✓|✗|\bcorrect\b|too much", shown)


@CHOICES
def test_repr_and_html_show_the_options_and_no_answer(question):
    for shown in (repr(question), question._repr_html_(), repr(question._options)):
        assert_silent(shown, question)
    for letter, text in question.options.items():
        assert f"{letter})  {text}" in repr(question)
        assert f"<strong>{letter})</strong>" in question._repr_html_()


@pytest.fixture
def widget_messages(monkeypatch):
    """Everything that widgets send to the page, as text, and nothing sent in fact."""
    comm = pytest.importorskip("comm")
    pytest.importorskip("ipywidgets")
    sent = []

    class Recorder(comm.base_comm.BaseComm):
        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
            sent.append(json.dumps([msg_type, data], default=str, ensure_ascii=False))

    monkeypatch.setattr(comm, "create_comm", lambda *a, **k: Recorder(*a, **k))
    return sent


@CHOICES
def test_the_widgets_hold_no_answer_before_it_is_given(question, widget_messages):
    box = question.ask()
    assert widget_messages, "the widgets were never sent"
    bundle, _ = box._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    for message in [*widget_messages, json.dumps(bundle, ensure_ascii=False), repr(box)]:
        assert_silent(message.replace('\\"', '"'), question)
    for widget in walk(box):
        assert_silent(str(widget.get_state()), question)


def test_a_choice_alone_sends_no_answer(widget_messages):
    box = MANY.ask()
    widget_messages.clear()
    for choice in box.choices.values():
        choice.value = True
    for message in widget_messages:
        assert_silent(message, MANY)


def test_the_stored_outputs_of_the_notebooks_hold_no_answer():
    notebooks = [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "exercises").glob("*.ipynb")]
    assert ROOT / "exercises" / "interview_questions.ipynb" in notebooks
    for path in notebooks:
        text = path.read_text("utf-8")
        plain = html.unescape(json.dumps(json.loads(text), ensure_ascii=False)).replace('\\"', '"')
        for question in ALL:
            for option in question._options:
                assert option.reply not in plain, f"{path.name} gives away {question.id}"
                assert f"'{option.key}'" not in plain or len(option.key) < 12


# --- the widget ---


@pytest.fixture
def box(widget_messages):
    return MANY.ask()


def visible(widget):
    return widget.layout.display != "none"


def shown_replies(box):
    return {letter for letter, reply in box._replies.items() if visible(reply) and reply.value}


def walk(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from walk(child)


@CHOICES
def test_every_control_has_a_name_and_none_is_unsafe_by_keyboard(question, widget_messages):
    import ipywidgets as widgets

    safe = (widgets.Checkbox, widgets.Button, widgets.Text)
    for widget in walk(question.ask()):
        if isinstance(widget, safe):
            assert widget.description
        else:
            assert isinstance(widget, widgets.HTML | widgets.Box)
        if isinstance(widget, widgets.Button):
            assert widget.tooltip


def test_check_says_right_and_wrong_by_word_and_shape(box):
    box.choices[BOTH[0]].value = True
    box.choices[NONE[0]].value = True
    box.check.click()
    assert box.verdict.status == "incorrect"
    assert "◐ Partly" in box._said.value
    assert 'role="alert"' in box._said.value
    assert "✓ Right." in box._replies[BOTH[0]].value
    assert "✗ Wrong." in box._replies[NONE[0]].value
    assert "○ Right, not chosen." in box._replies[BOTH[1]].value
    assert shown_replies(box) == {*BOTH, NONE[0]}
    assert visible(box.more)
    box.more.click()
    assert shown_replies(box) == set(box.choices)
    assert [row["answer"] for row in progress.records()] == ["".join(sorted(BOTH[0] + NONE[0]))]


def test_another_choice_takes_the_old_replies_away(box):
    box.choices[NONE[0]].value = True
    box.check.click()
    box.choices[NONE[0]].value = False
    assert shown_replies(box) == set()
    assert box._said.value == ""
    assert not visible(box.more)


def test_check_without_a_choice_asks_for_one_and_records_nothing(box, place):
    box.check.click()
    assert "Nothing chosen" in box._said.value
    assert shown_replies(box) == set()
    assert not place.exists()


def test_where_one_is_right_a_choice_replaces_the_last(widget_messages):
    box = quiz.get("interview/04").ask()
    for letter in ("A", "C", "B"):
        box.choices[letter].value = True
        assert [x for x, choice in box.choices.items() if choice.value] == [letter]
    box.choices["B"].value = False
    assert not any(choice.value for choice in box.choices.values())


def test_where_one_is_right_a_wrong_answer_leaves_the_right_one_unsaid(widget_messages):
    question = quiz.get("interview/04")
    box = question.ask()
    widget_messages.clear()
    box.choices[wrong(question)[0]].value = True
    box.check.click()
    reply = question._lettered()[right(question)].reply
    assert not any(reply in html.unescape(message) for message in widget_messages)


def test_an_earlier_answer_is_remembered_and_can_be_given_again(widget_messages):
    question = quiz.get("interview/04")
    question.answer(right(question))
    box = question.ask()
    assert f"last time you chose {right(question)}: correct" in box.children[0].value
    assert not any(choice.value for choice in box.choices.values())
    assert repr(box) == repr(question)


def test_callbacks_print_nothing(box, capsys):
    box.choices["A"].value = True
    box.check.click()
    box.more.click()
    assert capsys.readouterr() == ("", "")


def test_the_question_says_when_answers_cannot_be_saved(widget_messages, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RANKEDU_PROGRESS", str(tmp_path / "file" / "p.json"))
    box = MANY.ask()
    box.choices["A"].value = True
    box.check.click()
    assert "cannot be saved" in box._said.value


# --- misconceptions ---


@MYTHS
def test_its_example_refutes_it_and_says_what_it_shows(myth):
    verdict = myth.refute(*myth.example)
    assert verdict.status == "correct", verdict.message
    assert re.search(r"\d\.\d{3}", verdict.message)
    assert myth.refute(**dict(zip(myth.parameters, myth.example, strict=True))).status == "correct"


@MYTHS
@pytest.mark.parametrize("grades", [[], [0], [1], [0, 0], [2, 2, 2]], ids=str)
def test_trivial_lists_get_an_answer_with_the_numbers(myth, grades):
    verdict = myth.refute(*[grades] * len(myth.parameters))
    assert verdict.status in ("correct", "incorrect")
    if verdict.status == "incorrect":
        assert verdict.mistake == "not-refuted"
        assert len(verdict.message.split()) > 12  # says what is missing


@MYTHS
def test_a_near_miss_is_told_what_to_change(myth):
    """Two equal lists, or one list in its best order with nothing missing, refute next to nothing."""
    best = [3, 2, 1, 0]
    verdict = myth.refute(*[best] * len(myth.parameters))
    if myth.id not in {"myth/06", "myth/07", "myth/12"}:
        assert verdict.status == "incorrect", verdict.message


@MYTHS
@pytest.mark.parametrize("bad", ["text", [[1, 0]], [1, -1], [float("nan")], ["a"]], ids=str)
def test_bad_grades_are_named(myth, bad):
    lists = [bad, *myth.example[1:]]
    with pytest.raises((ValueError, TypeError), match="grades"):
        myth.refute(*lists)


def test_a_ranking_that_was_never_judged_is_refused():
    with pytest.raises(ValueError, match="judged"):
        quiz.get("myth/14").refute([3, 1], [1, 1])


@pytest.mark.parametrize("lists", [[], [[1], [1], [1]]], ids=len)
def test_the_number_of_lists_is_named(lists):
    with pytest.raises(TypeError, match=r"refute\(a, b\)"):
        quiz.get("myth/01").refute(*lists)


REFUSED = {
    "myth/01": [([3, 1], [1, 3]), ([3, 0, 0], [1, 1, 1])],
    "myth/02": [([3, 2], [1, 0]), ([1], [1])],
    "myth/03": [([1, 0, 1], [0, 1, 1]), ([0, 0], [0, 0]), ([1, 0], [1, 0, 1])],
    "myth/04": [([1] * 9 + [0], [1] * 20 + [0]), ([1] * 8 + [0] * 2, [1] * 90 + [0] * 2)],
    "myth/05": [([1, 1, 1],), ([0, 0, 1],)],
    "myth/06": [([0, 0, 1],), ([1, 1],)],
    "myth/07": [([1, 1],), ([0, 0],)],
    "myth/08": [([2, 1],), ([0, 1],), ([0, 0],)],
    "myth/09": [([1, 0],), ([0, 0],), ([2, 1, 2],)],
    "myth/10": [([3, 2, 1, 0],), ([1],)],
    "myth/11": [([1, 1, 0],), ([4, 0],)],
    "myth/12": [([0, 1, 0],), ([0, 0],)],
    "myth/13": [([0, 1], [1, 0]), ([0, 0], [0, 0])],
    "myth/14": [([1, 0], [1, 0]), ([0, 0], [0, 0, 1])],
    "myth/15": [([1, 0], [1, 1, 0]), ([0, 1], [1] * 10 + [0]), ([1, 1], [1] * 12)],
    "myth/16": [([1, 0], [0, 1]), ([1] * 9 + [0], [1] * 8 + [0, 1]), ([1] * 10, [0] * 2 + [1] * 8)],
    "myth/17": [([1, 0], [0, 1]), ([1] + [0] * 99, [0, 1] + [0] * 98), ([1, 1], [1, 1])],
    "myth/18": [([3, 0], [2, 0]), ([1, 0], [0, 1])],
    "myth/19": [([1, 0], [0, 1, 1]), ([1], [1] * 5), ([0, 0], [1] * 5)],
}


@pytest.mark.parametrize(
    ("id", "lists"), [(id, lists) for id, rows in REFUSED.items() for lists in rows], ids=str
)
def test_lists_that_do_not_refute(id, lists):
    assert quiz.get(id).refute(*lists).status == "incorrect"


def test_every_misconception_is_in_that_table():
    assert set(REFUSED) == {myth.id for myth in quiz.all("myth")}


@MYTHS
def test_the_widget_of_a_misconception_takes_lists_as_text(myth, widget_messages):
    box = myth.ask()
    refuting = box.children[-1]
    for name, grades in zip(myth.parameters, myth.example, strict=True):
        refuting.lists[name].value = str(grades)
    refuting.check.click()
    assert "✓ Refuted." in refuting._said.value
    assert [row["id"] for row in progress.records()] == [myth.id]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 0, 2]", [1, 0, 2]),
        ("1, 0, 2", [1, 0, 2]),
        ("[1] * 9 + [0]", [1] * 9 + [0]),
        ("2 * [1, 0]", [1, 0, 1, 0]),
        ("[0.5, 1e1]", [0.5, 10.0]),
        ("[]", []),
        ("[-1]", [-1]),
    ],
)
def test_lists_written_as_text(text, value):
    from rankedu.quiz._widget import read_list

    assert read_list("grades", text) == value


@pytest.mark.parametrize(
    "text",
    ["", "3", "one", "[1, 0", "[a]", "__import__('os')", "[1] * 10**9", "[1] * 99999999", "'ab'", "[True]",
     "[1 for x in y]", "(lambda: 1)()", "[" * 400],
)  # fmt: skip
def test_text_that_is_no_list_is_never_run(text):
    from rankedu.quiz._widget import read_list

    with pytest.raises(ValueError, match="grades must be a list of numbers"):
        read_list("grades", text)


def test_the_widget_says_what_is_wrong_with_a_list(widget_messages):
    refuting = quiz.get("myth/05").ask().children[-1]
    for text, says in (("[1, 0", "grades must be a list of numbers"), ("[-1]", "grades must")):
        refuting.lists["grades"].value = text
        refuting.check.click()
        assert says in html.unescape(refuting._said.value)
    assert progress.records() == []


# --- the score ---


def test_a_score_counts_last_answers_and_first_tries():
    score = quiz.score("interview")
    assert (score.right, score.total, score.first_try) == (0, 10, 0)
    assert "none answered yet" in repr(score)
    first, second = quiz.get("interview/01"), quiz.get("interview/02")
    first.answer(right(first))
    second.answer(wrong(second)[0])
    assert (score.right, score.first_try) == (1, 1)
    second.answer(right(second))
    assert (score.right, score.first_try) == (2, 1)
    assert "2 of 10 right, 1 at the first try; 8 not answered yet." in repr(score)
    assert "✓ right at try 2" in repr(score)
    first.answer(wrong(first)[0])
    assert score.right == 1


@pytest.mark.parametrize("set", ["interview", "myth"])
def test_a_row_of_a_score_begins_as_its_question_does(set):
    score, asked = quiz.score(set), quiz.all(set)
    for question, line in zip(asked, repr(score).splitlines()[1:], strict=True):
        words = question.first_words.removesuffix(" …")
        assert re.match(rf"  {question.id}  {re.escape(words)}", line)
        assert _question.plain(getattr(question, "claim", question.prompt)).startswith(words)
        assert len(words.split()) >= 3
        assert len(question.first_words) <= _question.FIRST_WORDS
        assert f">{html.escape(question.first_words)}</td>" in score._repr_html_()
    assert len({question.first_words for question in asked}) == len(asked)


@pytest.mark.parametrize(
    ("set", "notebook"), [("interview", "interview_questions"), ("myth", "misconceptions")]
)
def test_the_rows_of_a_score_stand_in_the_order_of_the_notebook(set, notebook):
    text = (ROOT / "exercises" / f"{notebook}.ipynb").read_text("utf-8")
    asked = re.findall(r'quiz\.get\(\\"([\w/]+)\\"\)\.ask\(', text)
    assert [question.id for question, *_ in quiz.score(set).rows] == asked


def test_the_first_words_are_escaped_and_cut_at_a_word():
    options = [_question.Option("a", "a", "a", right=True), _question.Option("b", "b", "b")]

    def first(prompt):
        return _question.Question("x/1", prompt, options, difficulty=None).first_words

    assert first("Is `a` < b?") == "Is a < b?"
    assert first("word, " * 10) == "word, word, word, word, word, word, word …"
    assert first("w" * 50 + " x").endswith("…")


def test_a_missed_question_links_to_what_to_reread():
    question = quiz.get("interview/10")
    question.answer(wrong(question)[0])
    page = quiz.score("interview")._repr_html_()
    assert '<a href="../notebooks/07_average_precision.ipynb">07 Average precision</a>' in page
    assert page.count("<a ") == 1
    assert "reread: 07 Average precision" in repr(quiz.score("interview"))


@pytest.mark.parametrize("lesson", progress.LESSONS)
def test_the_links_lead_to_the_lessons(lesson):
    link = quiz.score("interview")._link(lesson)
    target = re.search(r'href="\.\./(notebooks/[^"]+)"', link).group(1)
    if not any((ROOT / "notebooks").glob(f"{lesson}_*.ipynb")):
        pytest.skip("the lesson is not there yet")
    assert (ROOT / target).is_file()


def test_a_score_on_the_page_follows_the_answers(monkeypatch):
    shown = []

    class Handle:
        def update(self, value):
            shown.append(repr(value))

    display = pytest.importorskip("IPython.display")
    monkeypatch.setattr(display, "display", lambda value, display_id: shown.append(repr(value)) or Handle())
    quiz.score("interview")._ipython_display_()
    quiz.score("interview")._ipython_display_()
    question = quiz.get("interview/01")
    question.answer(right(question))
    assert len(shown) == 3  # the cell was run twice; only the later output follows
    assert shown[-1].startswith("1 of 10 right")


def test_it_loads_no_widgets_until_a_question_is_asked():
    code = (
        "import sys; from rankedu import quiz; quiz.all(); quiz.score(); print('ipywidgets' in sys.modules)"
    )
    environment = {**os.environ, "RANKEDU_PROGRESS": "off", "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr
