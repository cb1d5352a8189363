"""Lesson 01: from what people said or did to a grade."""

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import event_names, ratings_and_threshold


@exercise(
    "01/to_binary",
    title="From ratings to relevant or not",
    prompt="Write `to_binary(ratings, threshold)`: a list with 1 for each rating that reaches the threshold "
    "(is equal to it or above) and 0 for each that does not, in the same order.",
    hints=[
        "One result for each rating, so the answer is as long as `ratings`. Which comparison is true for a "
        "rating that is exactly the threshold?",
        "Go through the ratings and put `1 if rating >= threshold else 0` into a new list.",
    ],
    shown=[([5, 3, 4, 1], 4), ([2, 2], 3), ([], 4)],
    inputs=ratings_and_threshold,
)
def to_binary(ratings, threshold):
    """Return 1 for each rating that reaches the threshold, else 0.

    >>> to_binary([5, 3, 4, 1], 4)
    [1, 0, 1, 0]
    """
    return [1 if rating >= threshold else 0 for rating in ratings]


to_binary.mistakes(
    (
        "threshold-left-out",
        {">=": ">"},
        'You ask for more than the threshold. A rating that is equal to it reaches it: "4 and up" holds 4.',
    ),
    (
        "upside-down",
        {"1 if rating >= threshold else 0": "0 if rating >= threshold else 1"},
        "You give 1 to the low ratings and 0 to the high ones. Turn it round.",
    ),
    (
        "only-the-threshold",
        {">=": "=="},
        "You give 1 only to ratings equal to the threshold. Higher ones reach it too.",
    ),
    (
        "others-dropped",
        {"1 if rating >= threshold else 0": "1", "in ratings": "in ratings if rating >= threshold"},
        "You leave the low ratings out. They are not relevant, and their place in the list still counts: "
        "put 0.",
    ),
    (
        "ratings-kept",
        {"1 if": "rating if"},
        "You keep the rating itself where it reaches the threshold. Binary means 1 or 0.",
    ),
    (
        "ratings-filtered",
        {"1 if rating >= threshold else 0": "rating", "in ratings": "in ratings if rating >= threshold"},
        "You pick out the high ratings. What is wanted is a 1 or a 0 for every rating.",
    ),
    (
        "threshold-ignored",
        [{">= threshold": f">= {n}"} for n in (1, 2, 3, 4, 5)],
        "You compare with a fixed number. Take the `threshold` that is given.",
    ),
    (
        "counted",
        {"return [": "return sum([", "ratings]": "ratings])"},
        "You count the relevant ones. What is wanted is a 1 or a 0 for every rating.",
    ),
    (
        "positions",
        {
            "1 if rating >= threshold else 0 for rating in ratings": (
                "i for i, rating in enumerate(ratings) if rating >= threshold"
            )
        },
        "You list the positions of the relevant ones. What is wanted is a 1 or a 0 for every rating.",
    ),
    (
        "sorted",
        [
            {"in ratings": "in sorted(ratings)"},
            {"in ratings": "in sorted(ratings, reverse=True)"},
        ],
        "You sort the ratings first. Each answer belongs to the rating at its place: keep the order.",
    ),
    (
        "words-for-bits",
        [
            {"1 if rating >= threshold else 0": '"1" if rating >= threshold else "0"'},
        ],
        "Your ones and zeros are text. Leave the quotation marks away.",
    ),
)


@exercise(
    "01/grade_from_events",
    title="From behaviour to a grade",
    prompt="Write `grade_from_events(events)`: the grade of one item from its events, a list of names, each "
    "`click` (worth 1), `favourite` (2) or `purchase` (5), in any order and often repeated. The strongest "
    "event decides; without any event the grade is 0.",
    hints=[
        "A dict says what each name is worth. Look up every event, and keep the largest number.",
        "`max` of nothing is an error. `max(..., default=0)` says what it is then.",
    ],
    shown=[(["click", "purchase", "click"],), (["click", "favourite"],), ([],)],
    inputs=event_names,
)
def grade_from_events(events):
    """Return the grade of an item by its strongest event.

    >>> grade_from_events(["click", "purchase", "click"])
    5
    """
    worth = {"click": 1, "favourite": 2, "purchase": 5}
    return max((worth[event] for event in events), default=0)


grade_from_events.mistakes(
    (
        "added-up",
        {"max((worth[event] for event in events), default=0)": "sum(worth[event] for event in events)"},
        "You add up what the events are worth, so five clicks weigh as much as a purchase. The strongest "
        "one decides.",
    ),
    (
        "kinds-added-up",
        {"max((worth[event] for event in events), default=0)": "sum(worth[event] for event in set(events))"},
        "You add up the kinds of events. The strongest one alone decides.",
    ),
    (
        "last-event",
        [
            {"max((worth[event] for event in events), default=0)": "worth[events[-1]] if events else 0"},
            {"max((worth[event] for event in events), default=0)": "worth[events[-1]]"},
        ],
        "The last event decides in your function. Someone who buys and clicks again has still bought: take "
        "the strongest.",
    ),
    (
        "first-event",
        [
            {"max((worth[event] for event in events), default=0)": "worth[events[0]] if events else 0"},
            {"max((worth[event] for event in events), default=0)": "worth[events[0]]"},
        ],
        "The first event decides in your function. People click before they buy: take the strongest.",
    ),
    (
        "weakest-event",
        {"max(": "min("},
        "You take the weakest event. The strongest decides.",
    ),
    (
        "no-event",
        {", default=0": "", "(worth[event] for event in events)": "worth[event] for event in events"},
        "An item without events makes your function fail: `max` of nothing is an error. Its grade is 0.",
    ),
    (
        "no-event-is-a-click",
        {"default=0": "default=1"},
        "You give 1 to an item without any event. Nobody did anything: 0.",
    ),
    (
        "one-two-three",
        {'"purchase": 5': '"purchase": 3'},
        "A purchase is worth 5 here, not 3.",
    ),
    (
        "any-event",
        [
            {'{"click": 1, "favourite": 2, "purchase": 5}': '{"click": 1, "favourite": 1, "purchase": 1}'},
        ],
        "You give 1 for any event. The kind matters: click 1, favourite 2, purchase 5.",
    ),
    (
        "events-counted",
        {"max((worth[event] for event in events), default=0)": "len(events)"},
        "You count the events. The strongest one decides, however many there are.",
    ),
    (
        "most-frequent",
        [
            {
                "max((worth[event] for event in events), default=0)": (
                    f"worth[max({order}, key=events.count)] if events else 0"
                )
            }
            for order in ("events", "sorted(events)", "worth", "reversed(worth)")
        ],
        "You take the most frequent event. The strongest one decides, even if it came once.",
    ),
    (
        "mean",
        {
            "max((worth[event] for event in events), default=0)": (
                "sum(worth[event] for event in events) / max(1, len(events))"
            )
        },
        "You take the mean of the events. Clicks do not make a purchase weaker: take the strongest.",
    ),
)
