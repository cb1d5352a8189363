"""Lesson 10: from records of who was shown what to one number."""

import math

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import item_records, user_records_and_k


@exercise(
    "10/ranked_grades",
    title="From records to a ranking",
    prompt="Write `ranked_grades(records)`: the grades in rank order, highest score first. `records` is a "
    "list of triples, each `(item, grade, score)`. Records with equal scores stay in the order in which they "
    "came.",
    hints=[
        "`sorted(records, key=...)` sorts by what `key` says of a record, and leaves records that are equal "
        "in it in their order.",
        "The score is the third of a triple: `key=lambda record: record[2]`. With `reverse=True` the "
        "highest comes first, and equal ones still keep their order. Then take each grade.",
    ],
    shown=[
        ([("a", 0, 0.3), ("b", 2, 0.9), ("c", 1, 0.3)],),
        ([("x", 1, 0.5), ("a", 2, 0.5), ("m", 0, 0.5)],),
    ],
    inputs=item_records,
)
def ranked_grades(records):
    """Return the grades of the records, highest score first.

    >>> ranked_grades([("a", 0, 0.3), ("b", 2, 0.9), ("c", 1, 0.3)])
    [2, 0, 1]
    """
    ranked = sorted(records, key=lambda record: record[2], reverse=True)
    return [grade for item, grade, score in ranked]


ranked_grades.mistakes(
    (
        "lowest-first",
        {", reverse=True": ""},
        "You put the lowest score first. The highest comes first: `reverse=True`.",
    ),
    (
        "ties-turned-round",
        {
            "sorted(records, key=lambda record: record[2], reverse=True)": (
                "sorted(records, key=lambda record: record[2])[::-1]"
            )
        },
        "You sort upwards and turn the whole list round, which turns equal scores round as well. "
        "`reverse=True` leaves them in their order.",
    ),
    (
        "ties-by-grade",
        {"lambda record: record[2]": "lambda record: (record[2], record[1])"},
        "Among equal scores you put the better grade first. The ranker did not know the grades: keep the "
        "input order.",
    ),
    (
        "ties-by-worse-grade",
        {"lambda record: record[2], reverse=True": "lambda record: (-record[2], record[1])"},
        "Among equal scores you sort by grade. Keep the input order.",
    ),
    (
        "ties-by-name",
        [
            {"lambda record: record[2], reverse=True": "lambda record: (-record[2], record[0])"},
            {"lambda record: record[2]": "lambda record: (record[2], record[0])"},
        ],
        "Among equal scores you sort by the item's name. Keep the input order.",
    ),
    (
        "sorted-by-grade",
        [
            {"record[2]": "record[1]"},
            {"record[2], reverse=True": "record[1]"},
        ],
        "You sort by grade, which makes every ranker perfect. Sort by score.",
    ),
    (
        "sorted-by-name",
        [
            {"key=lambda record: record[2], reverse=True": "reverse=True"},
            {", key=lambda record: record[2], reverse=True": ""},
        ],
        "Without a `key`, triples are sorted by their first part, the item's name. Sort by score.",
    ),
    (
        "scores-cut",
        {"lambda record: record[2]": "lambda record: int(record[2])"},
        "You sort by whole numbers: `int` drops what tells most scores apart.",
    ),
    (
        "not-sorted",
        {"sorted(records, key=lambda record: record[2], reverse=True)": "records"},
        "You take the records as they come. Sort them by score first.",
    ),
    (
        "items-returned",
        {"[grade for": "[item for"},
        "You return the items. What is wanted are their grades.",
    ),
    (
        "scores-returned",
        {"[grade for": "[score for"},
        "You return the scores. What is wanted are the grades.",
    ),
    (
        "records-returned",
        {"[grade for": "[(item, grade, score) for"},
        "You return the records. Take the grade out of each.",
    ),
    (
        "one-of-equal-scores",
        [
            {"return [": "ranked = {record[2]: record for record in ranked}.values()\n    return ["},
            {
                "return [": (
                    "ranked = list({record[2]: record for record in ranked[::-1]}.values())[::-1]\n    "
                    "return ["
                )
            },
        ],
        "Of records with equal scores you keep one, as a dict with scores for keys does. Keep them all.",
    ),
)


@exercise(
    "10/evaluate_users",
    title="From records to a mean over users",
    prompt="Write `evaluate_users(records, k)`: `(mean NDCG@k, users counted)`. The records are a list of "
    "`(user, item, grade, score)`. Of two for one user and item remove the earlier. Rank each user's items "
    "by score, highest first, equal scores in the order of what remains. The ideal is of all the user's "
    "items; gain is the grade, discount `1 / log2(rank + 1)`. Skip users without a relevant item (grade 1 "
    "or more). If nobody is left, return `(0.0, 0)`.",
    hints=[
        "Four steps: remove earlier duplicates, group by user, rank and score each user, take the mean. A "
        "dict with `(user, item)` for key keeps one record each; `dict.pop` first, so that the later one "
        "takes its own place.",
        "For each user sort by score with `reverse=True` and take the grades; the ideal is the DCG of the "
        "same grades sorted best first. If the ideal is 0, skip the user. At the end divide by the number "
        "of users you kept, and ask first whether that is 0.",
    ],
    shown=[
        (
            [("ann", "a", 2, 0.4), ("ann", "b", 0, 0.9), ("ben", "a", 1, 0.5), ("cat", "c", 0, 0.5)],
            2,
        ),
        ([("ann", "a", 0, 0.9), ("ann", "b", 1, 0.5), ("ann", "a", 2, 0.5)], 1),
        ([("ann", "a", 0, 0.9)], 3),
    ],
    inputs=user_records_and_k,
)
def evaluate_users(records, k):
    """Return (mean NDCG@k, users counted).

    >>> evaluate_users([("al", "a", 1, 0.5), ("bo", "b", 0, 0.5)], 3)
    (1.0, 1)
    """

    def dcg(grades):
        ranked = enumerate(grades[:k], 1)
        return sum(grade / math.log2(rank + 1) for rank, grade in ranked)

    kept = {}
    for user, item, grade, score in records:
        kept.pop((user, item), None)
        kept[user, item] = (grade, score)
    users = {}
    for (user, _), record in kept.items():
        users.setdefault(user, []).append(record)
    scores = []
    for rows in users.values():
        rows = sorted(rows, key=lambda row: row[1], reverse=True)
        ranked = [grade for grade, _ in rows]
        ideal = dcg(sorted(ranked, reverse=True))
        if ideal:
            scores.append(dcg(ranked) / ideal)
    return (sum(scores) / len(scores), len(scores)) if scores else (0.0, 0)


ONE_USER = "        if ideal:\n            scores.append(dcg(ranked) / ideal)\n"
SORTED_ROWS = "sorted(rows, key=lambda row: row[1], reverse=True)"

evaluate_users.mistakes(
    (
        "earlier-kept",
        {
            "        kept.pop((user, item), None)\n": "        if (user, item) in kept:\n            "
            "continue\n"
        },
        "Of two records for one user and item you keep the earlier. Remove it: the later is the newer.",
    ),
    (
        "place-of-the-earlier",
        {"        kept.pop((user, item), None)\n": ""},
        "The later record stands in the place of the earlier: a dict keeps the place of a key that it has. "
        "Remove the key first, for equal scores follow the order of what remains.",
    ),
    (
        "duplicates-kept",
        {
            "        kept.pop((user, item), None)\n": "",
            "kept[user, item]": "kept[user, item, len(kept)]",
            "(user, _), record": "(user, *_), record",
        },
        "You count an item twice when a user has two records of it. Remove the earlier.",
    ),
    (
        "best-score-kept",
        {
            "        kept.pop((user, item), None)\n": (
                "        if kept.get((user, item), (0, -1))[1] > score:\n            continue\n        "
                "kept.pop((user, item), None)\n"
            )
        },
        "Of two records for one user and item you keep the one with the higher score. Keep the later.",
    ),
    (
        "duplicates-across-users",
        {
            "kept.pop((user, item), None)": (
                "kept = {key: value for key, value in kept.items() if key[1] != item}"
            )
        },
        "You keep one record of an item for all users together. Two users may both have seen it: the key is "
        "`(user, item)`.",
    ),
    (
        "empty-users-counted",
        {ONE_USER: "        scores.append(dcg(ranked) / ideal if ideal else 0.0)\n"},
        "You count users without a relevant item as 0. Lesson 05 does; here they are skipped.",
    ),
    (
        "empty-users-are-one",
        {ONE_USER: "        scores.append(dcg(ranked) / ideal if ideal else 1.0)\n"},
        "You count users without a relevant item as 1. Here they are skipped.",
    ),
    (
        "zero-by-zero",
        {ONE_USER: "        scores.append(dcg(ranked) / ideal)\n"},
        "For a user without a relevant item the ideal is 0 and you divide 0 by 0. Skip that user.",
    ),
    (
        "nobody",
        [{" if scores else (0.0, 0)": ""}, {"else (0.0, 0)": 'else (float("nan"), 0)'}],
        "Where nobody is left to count you take the mean of nothing, which is 0 / 0. Return `(0.0, 0)`.",
    ),
    (
        "zeros-skipped",
        {"if ideal:": "if dcg(ranked):"},
        "You skip users whose NDCG is 0. Skip only those without a relevant item: a bad list counts.",
    ),
    (
        "all-users-reported",
        {", len(scores))": ", len(users))", "else (0.0, 0)": "else (0.0, len(users))"},
        "You report all users. Report how many the mean was taken over.",
    ),
    (
        "mean-over-all-users",
        {"sum(scores) / len(scores)": "sum(scores) / len(users)"},
        "You divide by all users, also those you skipped. Divide by the users counted.",
    ),
    (
        "summed",
        {"sum(scores) / len(scores)": "sum(scores)"},
        "You add up the users' scores. Divide by the users counted.",
    ),
    (
        "weighted-by-records",
        {
            "scores.append(dcg(ranked) / ideal)": "scores.extend([dcg(ranked) / ideal] * len(rows))",
            ", len(scores))": ", len({u for u, _, g, _ in records if u in users and any(r[0] for r in "
            "users[u])}))",
        },
        "Users with many records weigh more in your mean. Each user counts once.",
    ),
    (
        "one-long-list",
        {"users.setdefault(user, [])": "users.setdefault('all', [])"},
        "You rank everybody's records in one list. Group them by user first.",
    ),
    (
        "lowest-first",
        {"row[1], reverse=True": "row[1]"},
        "You put the lowest score first. The highest comes first: `reverse=True`.",
    ),
    (
        "ties-turned-round",
        {SORTED_ROWS: "sorted(rows, key=lambda row: row[1])[::-1]"},
        "You sort upwards and turn the list round, which turns equal scores round as well. `reverse=True` "
        "leaves them in their order.",
    ),
    (
        "ties-by-grade",
        {"lambda row: row[1]": "lambda row: (row[1], row[0])"},
        "Among equal scores you put the better grade first. The ranker did not know the grades: keep the "
        "input order.",
    ),
    (
        "sorted-by-grade",
        {"lambda row: row[1]": "lambda row: row[0]"},
        "You sort by grade, which makes every ranker perfect. Sort by score.",
    ),
    (
        "not-sorted",
        {SORTED_ROWS: "rows"},
        "You take each user's records as they come. Sort them by score first.",
    ),
    (
        "ideal-from-top-k",
        [
            {"sorted(ranked, reverse=True)": "sorted(ranked[:k], reverse=True)"},
            {
                "sorted(ranked, reverse=True)": "sorted(ranked[:k], reverse=True)",
                ONE_USER: "        if any(ranked):\n            scores.append(dcg(ranked) / (ideal or 1))\n",
            },
        ],
        "Your ideal is made of the top k. It is made of all the user's items: sort them, then cut.",
    ),
    (
        "ideal-not-sorted",
        {"sorted(ranked, reverse=True)": "ranked"},
        "Your ideal is the ranking itself, so everyone scores 1. Sort the grades, best first.",
    ),
    (
        "no-cut",
        {"grades[:k]": "grades"},
        "You never cut: only ranks 1 to k count, in the list and in the ideal.",
    ),
    (
        "ideal-not-cut",
        {"def dcg(grades)": "def dcg(grades, k=k)", "reverse=True))\n": "reverse=True), None)\n"},
        "Your ideal adds up all of the user's items, while your DCG stops at k. Cut both at k.",
    ),
    (
        "cut-one-early",
        [
            {"[:k]": "[:max(k - 1, 0)]"},
            {
                "[:k]": "[:max(k - 1, 0)]",
                ONE_USER: "        if any(ranked):\n            scores.append(dcg(ranked) / (ideal or 1))\n",
            },
        ],
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
    (
        "one-rank-late",
        {"rank + 1": "rank + 2"},
        "Every grade is discounted as if it stood one rank lower. The first rank is 1 and keeps its whole "
        "gain.",
    ),
    (
        "not-normalised",
        {"dcg(ranked) / ideal": "dcg(ranked)"},
        "You average DCG. Divide each user's DCG by the ideal.",
    ),
    (
        "exponential-gain",
        {"grade / math": "(2**grade - 1) / math"},
        "You take 2**grade - 1 as the gain. Here the gain is the grade itself.",
    ),
    (
        "mean-alone",
        {
            "return (sum(scores) / len(scores), len(scores)) if scores else (0.0, 0)": (
                "return sum(scores) / len(scores) if scores else 0.0"
            )
        },
        "You return the mean alone. Return a pair: `(mean, users counted)`.",
    ),
    (
        "turned-round",
        {
            "(sum(scores) / len(scores), len(scores))": "(len(scores), sum(scores) / len(scores))",
            "(0.0, 0)": "(0, 0.0)",
        },
        "The pair is the wrong way round: first the mean, then the users counted.",
    ),
)
