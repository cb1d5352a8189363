"""What inputs can have in common, in words: said where a submission fails on all those that have it.

A trait is a sentence and a question about arguments, which it names as the exercises do: it is asked of every
exercise that has arguments of these names.
"""

import inspect
from collections import Counter

from rankedu.exercises.inputs import relevant

TRAITS = {
    "the list is empty": lambda grades: not grades,
    "the list holds one document": lambda grades: len(grades) == 1,
    "`k` is beyond the end of the list": lambda grades, k: k > len(grades),
    "the list goes on below rank `k`": lambda grades, k: k < len(grades),
    "nothing in the list is relevant": lambda grades: grades and not any(grades),
    "nothing in the top `k` is relevant": lambda grades, k: not any(grades[:k]),
    "more than one document in the list is relevant": lambda grades: relevant(grades) > 1,
    "a grade of the list is above 1": lambda grades: max(grades, default=0) > 1,
    "the first document is not relevant": lambda grades: grades and not grades[0],
    "a relevant document stands at rank `k`": lambda grades, k: len(grades) >= k and grades[k - 1] >= 1,
    "nothing relevant was judged": lambda judged: not any(judged),
    "something relevant was not returned": lambda grades, judged: relevant(judged) > relevant(grades),
    "`judged` is longer than `k`": lambda judged, k: len(judged) > k,
    "a grade occurs twice in `judged`": lambda judged: max(Counter(judged).values(), default=0) > 1,
    "nothing is relevant": lambda n_relevant: n_relevant == 0,
    "a relevant document is missing": lambda grades, n_relevant: n_relevant > relevant(grades),
    "more documents are relevant than `k`": lambda n_relevant, k: n_relevant > k,
    "there is more than one query": lambda queries: len(queries) > 1,
    "a query's list is empty": lambda queries: any(not grades for grades, _ in queries),
    "there is more than one ranking": lambda rankings: len(rankings) > 1,
    "a ranking is empty": lambda rankings: any(not grades for grades in rankings),
    "a ranking has nothing relevant": lambda rankings: any(not any(grades) for grades in rankings),
    "a rating is equal to the threshold": lambda ratings, threshold: threshold in ratings,
    "there are no events": lambda events: not events,
    "an event comes twice": lambda events: max(Counter(events).values(), default=0) > 1,
    "the names differ": lambda scores, weights: scores.keys() != weights.keys(),
    "the names are the same, in another order": lambda scores, weights: (
        list(scores) != list(weights) and scores.keys() == weights.keys()
    ),
    "two scores are equal": lambda records: max(Counter(score for *_, score in records).values()) > 1,
}


def in_common(parameters, failed, passed):
    """Return what all the failed inputs have and none of the passed ones, in words, or None.

    >>> in_common(["grades", "k"], failed=[([1], 2), ([], 1)], passed=[([1, 0], 2), ([0, 0, 0], 1)])
    '`k` is beyond the end of the list'
    """
    for words, asks in TRAITS.items():
        names = list(inspect.signature(asks).parameters)
        if set(names) <= set(parameters):
            places = [parameters.index(name) for name in names]

            def has(args, asks=asks, places=places):
                return bool(asks(*(args[place] for place in places)))

            if all(map(has, failed)) and not any(map(has, passed)):
                return words
    return None
