"""What exercises feed a submission: every small input of a kind, and larger ones drawn at random.

What a submission may rely on: grades are ints from 0 to 4, and 1 or more is relevant; `k` is an int of at
least 1, often beyond the end of the list; a ranking may be empty, a list of queries never is; what was judged
holds what was returned and often more, or nothing relevant at all.

The small ones are all tried, smallest first, so that the input a learner is shown is the smallest there is.
"""

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import NamedTuple


class Inputs(NamedTuple):
    """One kind of input: `small`, a list of argument tuples; `draw(rng)`, one more; `allowed(*args)`."""

    small: list[tuple]
    draw: Callable
    allowed: Callable = lambda *args: True


def size(args):
    """Return a sort key: fewer numbers and lists first, then smaller numbers, then the shorter text."""
    text = repr(args)
    return things_in(args), sum(numbers_in(args)), len(text), text


def things_in(value):
    """Return how many numbers, names and lists there are, an empty list among them."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + sum(map(things_in, value)) if isinstance(value, list | tuple) else 1


def numbers_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from numbers_in(item)
    elif isinstance(value, int | float):
        yield value
    else:
        yield 1  # a name or an event


def simpler(args):
    """Yield args with one thing less: an item dropped, a number lowered, also in every list at once."""
    for change in (drop, lower):
        for i, arg in enumerate(args):
            for less in change(arg):
                yield (*args[:i], less, *args[i + 1 :])
        for value in sorted({n for n in numbers_in(args) if n}):
            less = tuple(next(change_of(arg, value, change), arg) for arg in args)
            if less != args:
                yield less


def change_of(arg, value, change):
    """Yield arg with its first `value` dropped or lowered, if arg is a list that holds it."""
    if isinstance(arg, list) and value in arg:
        i = arg.index(value)
        yield arg[:i] + ([] if change is drop else [value - 1]) + arg[i + 1 :]


def drop(value):
    if isinstance(value, list):
        for i in range(len(value)):
            yield value[:i] + value[i + 1 :]
    yield from within(value, drop)


def lower(value):
    if isinstance(value, int) and value > 0:
        yield value - 1
    yield from within(value, lower)


def within(value, change):
    if isinstance(value, list | tuple):
        for i, item in enumerate(value):
            for less in change(item):
                yield type(value)([*value[:i], less, *value[i + 1 :]])


# --- what they are made of ---------------------------------------------------------------------------


def lists(longest, of=(0, 1, 2)):
    """Every list of up to `longest` items."""
    return [list(items) for n in range(longest + 1) for items in product(of, repeat=n)]


def bags(largest, of=(0, 1, 2)):
    """Every list of up to `largest` items in which the order does not matter."""
    return [list(items) for n in range(largest + 1) for items in combinations_with_replacement(of, n)]


def several(most, of):
    """Every list of 1 to `most` of these."""
    return [list(items) for n in range(1, most + 1) for items in product(of, repeat=n)]


def relevant(grades):
    return sum(grade >= 1 for grade in grades)


def holds(judged, grades):
    """Is every relevant grade of the ranking among the judged ones?"""
    return not Counter(grade for grade in grades if grade) - Counter(judged)


def some_grades(rng, longest=12):
    """A ranking in which grades are rare, common, or none."""
    weights = rng.choice([(6, 2, 1, 1, 1), (1, 1, 1, 1, 1), (1, 0, 0, 0, 0)])
    return rng.choices(range(5), weights, k=rng.randint(0, longest))


def some_k(rng):
    return rng.randint(1, 15)


def some_query(rng):
    """A ranking and all that was judged, in any order."""
    grades = some_grades(rng)
    judged = grades + some_grades(rng, rng.choice([0, 3, 8]))
    return grades, rng.sample(judged, len(judged))


def some_counted_query(rng):
    """A ranking and how many relevant documents there are, returned or not."""
    grades = some_grades(rng)
    return grades, relevant(grades) + rng.choice([0, 0, 1, 2, 10])


def some_of(rng, draw, most=5):
    return [draw(rng) for _ in range(rng.randint(1, most))]


# --- the kinds ---------------------------------------------------------------------------------------

rank = Inputs(
    small=[(rank,) for rank in range(1, 33)],
    draw=lambda rng: (rng.randint(1, 1000),),
    allowed=lambda rank: rank >= 1,
)

ranking_and_k = Inputs(
    small=[(grades, k) for grades in lists(3) for k in (1, 2, 3, 4)],
    draw=lambda rng: (some_grades(rng), some_k(rng)),
    allowed=lambda grades, k: k >= 1,
)

ranking_k_and_judged = Inputs(
    small=[
        (grades, k, judged)
        for grades in lists(2)
        for missed in bags(2)
        for k in (1, 2, 3)
        # worst first, where forgetting to sort shows most; and the returned ones in front
        for judged in (sorted(grades + missed), grades + missed)
    ],
    draw=lambda rng: (lambda grades, judged: (grades, some_k(rng), judged))(*some_query(rng)),
    allowed=lambda grades, k, judged: k >= 1 and holds(judged, grades),
)

QUERIES = [
    ([], []),
    ([], [1]),
    ([0], [0]),
    ([1], [1]),
    ([1], [1, 2]),
    ([0, 1], [0, 1]),
    ([1, 0, 2], [0, 1, 2]),
]

queries_and_k = Inputs(
    small=[(queries, k) for queries in several(2, QUERIES) for k in (1, 2, 4)],
    draw=lambda rng: (some_of(rng, some_query), some_k(rng)),
    allowed=lambda queries, k: (
        queries and k >= 1 and all(holds(judged, grades) for grades, judged in queries)
    ),
)

ranking_k_and_relevant = Inputs(
    small=[
        (grades, k, relevant(grades) + missed)
        for grades in lists(3)
        for k in (1, 2, 4)
        for missed in (0, 1, 3)
    ],
    draw=lambda rng: (lambda grades, n: (grades, some_k(rng), n))(*some_counted_query(rng)),
    allowed=lambda grades, k, n_relevant: k >= 1 and n_relevant >= relevant(grades),
)

ranking_and_relevant = Inputs(
    small=[(grades, relevant(grades) + missed) for grades in lists(4) for missed in (0, 1, 3)],
    draw=some_counted_query,
    allowed=lambda grades, n_relevant: n_relevant >= relevant(grades),
)

COUNTED_QUERIES = [([], 0), ([], 1), ([0], 0), ([0], 2), ([1], 1), ([2], 2), ([0, 1], 1), ([1, 0, 2], 3)]

counted_queries = Inputs(
    small=[(queries,) for queries in several(3, COUNTED_QUERIES)],
    draw=lambda rng: (some_of(rng, some_counted_query),),
    allowed=lambda queries: queries and all(n >= relevant(grades) for grades, n in queries),
)

RANKINGS = [[], [0], [1], [0, 2], [1, 1], [0, 0, 1]]

rankings_and_k = Inputs(
    small=[(rankings, k) for rankings in several(3, RANKINGS) for k in (1, 2, 4)],
    draw=lambda rng: (some_of(rng, some_grades), some_k(rng)),
    allowed=lambda rankings, k: rankings and k >= 1,
)

ratings_and_threshold = Inputs(
    small=[(ratings, threshold) for ratings in lists(3, of=(1, 2, 3)) for threshold in (1, 2, 3, 4)],
    draw=lambda rng: ([rng.randint(1, 5) for _ in range(rng.randint(0, 12))], rng.randint(1, 5)),
)

EVENTS = ("click", "favourite", "purchase")

event_names = Inputs(
    small=[(events,) for events in lists(3, of=EVENTS)],
    draw=lambda rng: (rng.choices(EVENTS, rng.choice([(6, 2, 1), (1, 1, 1)]), k=rng.randint(0, 9)),),
)


def has_both(grades):
    """Are there relevant and other documents?"""
    return 0 < relevant(grades) < len(grades)


def _draw_both(rng):
    grades = [*some_grades(rng), 0, rng.randint(1, 4)]
    return (rng.sample(grades, len(grades)),)


ranking_of_both = Inputs(
    small=[(grades,) for grades in lists(4) if has_both(grades)],
    draw=_draw_both,
    allowed=has_both,
)

NAMES = ("MAP", "NDCG@10", "MRR", "P@5")
# The last two sum to 1 on paper only
WEIGHTS = [(1.0,), (0.5, 0.5), (0.25, 0.75), (0.0, 1.0), (0.7, 0.2, 0.1), (0.1,) * 3 + (0.7,)]
NOT_WEIGHTS = [(0.5,), (0.5, 0.4), (0.5, 0.49), (0.5, 0.52), (0.5, 0.75), (1.0, 1.0)]


def _named(values, order=1):
    return dict(list(zip(NAMES, values, strict=False))[::order])


def _draw_weighted(rng):
    weights = _named(rng.choice(WEIGHTS + NOT_WEIGHTS))
    names = rng.sample(list(weights), len(weights))
    scores = {name: rng.randint(0, 20) / 20 for name in names}
    if rng.random() < 0.2:
        scores[rng.choice(NAMES)] = 0.5
    return scores, weights


scores_and_weights = Inputs(
    small=[
        (_named(scores, order), _named(weights))
        for weights in WEIGHTS + NOT_WEIGHTS
        for scores in ((0.5, 1.0, 0.25, 0.75), (1.0, 0.0, 0.5, 0.25))
        for scores in (scores[: len(weights)],)
        for order in (1, -1)
    ]
    + [
        ({"MAP": 0.5}, {"MRR": 1.0}),
        ({"MAP": 0.5, "MRR": 1.0}, {"MAP": 1.0}),
        ({"MAP": 0.5}, {"MAP": 0.5, "MRR": 0.5}),
        ({"MAP": 0.5, "MRR": 1.0}, {"MAP": 0.5, "P@5": 0.5}),
    ],
    draw=_draw_weighted,
)


def _records(rows):
    # Names in no order, so that sorting by name shows
    return [(item, grade, score) for item, (grade, score) in zip("mzakpxbqlw", rows, strict=False)]


def _draw_records(rng):
    unit = rng.choice((8, 2))  # scores below 1, and scores that go beyond it
    return (_records([(rng.randint(0, 4), rng.randint(1, 6) / unit) for _ in range(rng.randint(1, 10))]),)


item_records = Inputs(
    small=[
        (_records(rows),) for n in (1, 2, 3) for rows in product(product((0, 1, 2), (0.25, 0.5)), repeat=n)
    ],
    draw=_draw_records,
    allowed=lambda records: len(records) > 0,
)


def _some_user_records(rng, most, users, items):
    return [
        (rng.choice(users), rng.choice(items), rng.choice((0, 0, 1, 2, 4)), rng.randint(1, 4) / 8)
        for _ in range(rng.randint(1, most))
    ]


def _few_user_records():
    """Every list of one or two records, and many of up to five that share users, items and scores."""
    one = list(product(("ann", "ben"), "ba", (0, 1, 2), (0.25, 0.5)))
    yield from ([first] for first in one[:6])
    yield from ([first, second] for first in one[:6] for second in one)
    rng = random.Random("few user records")
    yield from (_some_user_records(rng, 5, ("ann", "ben"), "bac") for _ in range(200))


user_records_and_k = Inputs(
    small=[(records, k) for records in _few_user_records() for k in (1, 2)],
    draw=lambda rng: (
        _some_user_records(rng, 16, ("ann", "ben", "cat", "dan"), "gbeacfd"),
        rng.randint(1, 6),
    ),
    allowed=lambda records, k: len(records) > 0 and k >= 1,
)
