"""What exercises feed a submission: every small input of a kind, and larger ones drawn at random.

What a submission may rely on: grades are ints from 0 to 4, and 1 or more is relevant; `k` is an int of at
least 1, often beyond the end of the list; a ranking may be empty, a list of queries never is; what was judged
holds what was returned and often more, or nothing relevant at all.

The small ones are all tried, smallest first, so that the input a learner is shown is the smallest there is.
"""

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
    """Return a sort key: fewer numbers first, then smaller ones."""
    leaves = list(numbers_in(args))
    return len(leaves), sum(leaves), repr(args)


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
    """Yield args with one thing less: an item dropped, a number lowered, or the same in every list at
    once."""
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
