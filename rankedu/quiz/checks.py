"""Quick checks, 3 to 5 for each lesson: a prediction before the sliders move, or a look back after they did.

Where an option is a number, the right one is computed by `rankedu.metrics` and each wrong one by the slip
that leads to it, so that none can be mistyped.
"""

import math

from rankedu.metrics import (
    average_precision,
    cumulative_gain,
    dcg,
    discount,
    f1_at_k,
    hit_rate_at_k,
    ideal_dcg,
    mean_average_precision,
    mean_ndcg,
    mean_reciprocal_rank,
    ndcg,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

from ._question import Option, Question


def right(key, text, reply):
    return Option(key, text, reply, right=True)


wrong = Option


def check(id, prompt, *options):
    """One quick check; it has several right options where it says so by marking more than one."""
    many = sum(option.right for option in options) > 1
    return Question(f"check/{id}", prompt, options, difficulty=None, many=many, reread=[id[:2]])


def three(value):
    """A number as the course writes it."""
    return f"{value:.3f}"


def listed(grades):
    """A list of grades as the course writes it, whatever the numbers' type."""
    return "[" + ", ".join(f"{grade:g}" for grade in grades) + "]"


def best_first(grades):
    return sorted(grades, reverse=True)


def auc_of_one_hit(rank, length):
    """The share of the other documents that come after the one relevant document."""
    return (length - rank) / (length - 1)


FIVE = [2, 0, 1, 2, 1]
OTHER = [3, 2, 0, 1, 4]
RATED = [5, 4, 1, 3, 0]
EVERY_OTHER, MIDDLE = [1, 0, 1, 0, 1], [0, 1, 1, 1, 0]
FIRST, REST = [1, 0, 0, 0, 1], [0, 1, 1, 1, 1]
TEN = [1] * 10

START_HERE = [
    check(
        "00/1",
        "The best document of a list moves from rank 1 to rank 5. What will the score of the ranking do?",
        right(
            "falls",
            "It falls",
            "What comes first is seen first, so a good document is worth less further down.",
        ),
        wrong(
            "stays",
            "It stays the same",
            "The same documents are there, but their order changed, and order is what a ranking is about.",
        ),
        wrong(
            "rises", "It rises", "A score rises when good documents move up. Here the best one moved down."
        ),
    ),
    check(
        "00/2",
        "You look at a hint for an exercise, and then solve it. How does your progress count it?",
        right(
            "noted",
            "As solved, with the hint noted beside it",
            "Hints and solutions are noted so that you see where you needed them. Nothing is taken away.",
        ),
        wrong("half", "As half solved", "There are no half points. A hint is part of learning, not a fault."),
        wrong(
            "again",
            "As not solved until you do it without hints",
            "It counts as solved. Whether you try it again without the hint is up to you.",
        ),
    ),
    check(
        "00/3",
        "You open a lesson, and in place of the sliders it says “Error displaying widget”. What now?",
        right(
            "run-all",
            "Run > Run All Cells",
            "A widget lives in the running kernel. Running the cells makes a new one, and your progress is "
            "kept apart from it.",
        ),
        wrong(
            "reinstall",
            "Install the course again",
            "Nothing is broken: the notebook was opened without its kernel having run. Running all cells is "
            "enough.",
        ),
        wrong(
            "trust",
            "Wait until it appears",
            "It waits for a kernel that has not run the cell yet. Run > Run All Cells.",
        ),
    ),
]

RELEVANCE_GRADING = [
    check(
        "01/1",
        "10 results, 8 of them relevant; the two wrong ones are at ranks 1 and 2. The share of right ones "
        "is 0.8. Now the two wrong ones move to ranks 9 and 10. What becomes of that share?",
        right(
            "unchanged",
            "It stays at 0.8",
            "Counting right and wrong does not see where they stand. For the reader the two lists are "
            "worlds apart.",
        ),
        wrong(
            "rises-to-1",
            "It rises to 1.0",
            "The two wrong ones are still among the ten. Only their places changed, and this share does not "
            "look at places.",
        ),
        wrong(
            "rises-some",
            "It rises a little, because the top is better now",
            "That is what one wants from a measure of ranking, and what a plain share cannot do.",
        ),
    ),
    check(
        "01/2",
        "Ratings `[5, 4, 3, 2, 4]`, and “4 and up is relevant”. Which binary labels are these?",
        right("at-least", listed([1, 1, 0, 0, 1]), "4 and up includes 4: three ratings reach the threshold."),
        wrong(
            "above",
            listed([1, 0, 0, 0, 0]),
            "This is “above 4”. A threshold counts what reaches it, 4 included.",
        ),
        wrong(
            "three-and-up",
            listed([1, 1, 1, 0, 1]),
            "Here the 3 counts as well. It is below the threshold of 4.",
        ),
        wrong(
            "kept-rating",
            listed([5, 4, 0, 0, 4]),
            "These keep the rating of what is relevant, which makes grades. Binary labels are 0 and 1 alone.",
        ),
    ),
    check(
        "01/3",
        "Click is worth 1, favourite 2, purchase 5, and the strongest counts. A user clicked an item, "
        "bought it, and clicked it again. What is its grade?",
        right(
            "strongest",
            "5",
            "The purchase is the strongest of the three events; the clicks add nothing to it.",
        ),
        wrong("sum", "7", "That is the sum of the events. Then many clicks would outweigh a purchase."),
        wrong(
            "last", "1", "That is the last event. A click after the purchase does not take the purchase back."
        ),
        wrong("count", "3", "That is the number of events, whatever they were."),
    ),
    check(
        "01/4",
        "A new engine puts a document on top that nobody has judged. What do you know about its relevance?",
        right(
            "unknown",
            "Nothing: it counts as not relevant in the score, and that may be unfair",
            "Unjudged is not the same as not relevant. Metrics count it as 0, so report how much of the top "
            "was unjudged.",
        ),
        wrong(
            "not-relevant",
            "That it is not relevant: otherwise it would have been judged",
            "Judges saw what older engines returned. What only a new one finds was never put before them.",
        ),
        wrong(
            "relevant",
            "That it is relevant: an engine put it on top",
            "The engine is what is being tested. Its opinion cannot be the evidence.",
        ),
    ),
]

CUMULATIVE_GAIN = [
    check(
        "02/1",
        f"The cumulative gain of `{OTHER}` is {cumulative_gain(OTHER):g}. What is it when the list is "
        f"sorted, best first: `{best_first(OTHER)}`?",
        right(
            "same",
            f"{cumulative_gain(best_first(OTHER)):g}",
            "The same five grades are added up, so every order gives the same sum. CG is blind to order.",
        ),
        wrong(
            "dcg",
            three(dcg(best_first(OTHER))),
            "That is a sum with the ranks weighed. CG weighs nothing: it adds the grades.",
        ),
        wrong(
            "more",
            "More, because the order is better",
            "It is better, and CG does not notice: a sum has no order.",
        ),
        wrong(
            "one",
            f"{ndcg(best_first(OTHER)):g}",
            "A perfect order is 1 on a scale that divides by the best possible. CG has no such scale yet.",
        ),
    ),
    check(
        "02/2",
        f"`{OTHER}`, cut at k = 3. Which exchange of two places changes CG@3?",
        right(
            "across",
            "Ranks 3 and 5",
            f"A grade 4 crosses the cut-off: CG@3 goes from {cumulative_gain(OTHER, 3):g} to "
            f"{cumulative_gain([3, 2, 4, 1, 0], 3):g}. Only what crosses it matters.",
        ),
        wrong("inside", "Ranks 1 and 3", "Both are inside the top 3, so the same three grades are added."),
        wrong("below", "Ranks 4 and 5", "Both are below the cut-off, where CG@3 does not look."),
    ),
    check(
        "02/3",
        "One engine returns two full answers and stops: `[4, 4]`. Another returns ten documents with a hint "
        "each: `[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]`. Which has the higher CG@10?",
        right(
            "hints",
            f"The ten hints, with {cumulative_gain(TEN, 10):g}",
            "A sum grows with every document that is worth anything. Enough small gains outweigh two large "
            "ones.",
        ),
        wrong(
            "answers",
            f"The two answers, with {cumulative_gain([4, 4], 10):g}",
            "You would rather have these. But CG@10 of the other list is higher: it adds up ten grades.",
        ),
        wrong(
            "mean",
            f"The two answers, with a mean of {sum([4, 4]) / 2:g}",
            "That is the mean grade of each list. CG is the sum: nothing is divided.",
        ),
    ),
]

DISCOUNTED_CUMULATIVE_GAIN = [
    check(
        "03/1",
        "Rank 1 has weight 1. What is the weight of rank 2, with the discount `1 / log2(rank + 1)`?",
        right(
            "log-3",
            three(discount(2)),
            "1 / log2(3). Rank 2 keeps almost two thirds: the discount falls fast at first and slowly later.",
        ),
        wrong(
            "reciprocal",
            three(1 / 2),
            "That is 1 / rank, as in reciprocal rank. The logarithm falls more slowly.",
        ),
        wrong(
            "log-2",
            three(1 / math.log2(2)),
            "That is 1 / log2(2), which belongs to rank 1: the logarithm is of the rank plus one.",
        ),
        wrong("rank-4", three(discount(4)), "That is 1 / log2(5), the weight of rank 4."),
    ),
    check(
        "03/2",
        f"What is the DCG of `{FIVE}` with the linear gain?",
        right("dcg", three(dcg(FIVE)), "2 + 0 + 1 × 0.5 + 2 × 0.431 + 1 × 0.387."),
        wrong(
            "last-discount",
            three(dcg(FIVE[:4]) + FIVE[4] * discount(4)),
            "The last grade was divided by log2 5, the divisor of rank 4. Rank 5 is divided by log2 6.",
        ),
        wrong("cg", three(cumulative_gain(FIVE)), "That is the sum of the grades, without any discount."),
        wrong(
            "natural-log",
            three(sum(g / math.log(i + 1) for i, g in enumerate(FIVE, 1))),
            "That is the natural logarithm, which weighs rank 1 with 1.443. The discount uses base 2.",
        ),
    ),
    check(
        "03/3",
        f"With the linear gain, `[2, 2, 2]` beats `[3, 0, 0]` by {three(dcg([2, 2, 2]))} to "
        f"{three(dcg([3, 0, 0]))}. And with the exponential gain?",
        right(
            "flips",
            "[3, 0, 0] wins",
            f"It wins by {three(dcg([3, 0, 0], gain='exponential'))} to "
            f"{three(dcg([2, 2, 2], gain='exponential'))}: a grade 3 is worth 7, a grade 2 only 3. The "
            "choice of gain is a choice of what you value.",
        ),
        wrong(
            "same-winner",
            "[2, 2, 2] wins again, with larger numbers",
            "The gain does not stretch all grades alike: 2 becomes 3, and 3 becomes 7.",
        ),
        wrong(
            "tie",
            "They tie",
            f"Close, but not equal: {three(dcg([2, 2, 2], gain='exponential'))} and "
            f"{three(dcg([3, 0, 0], gain='exponential'))}.",
        ),
    ),
    check(
        "03/4",
        "The DCG of the 2002 article, with base 2, divides by log2(rank) from rank 2 on. Which of `[3, 0]` "
        "and `[0, 3]` has the higher DCG in it?",
        right(
            "tie",
            "Neither: both have 3",
            "Ranks 1 and 2 both count in full, since log2(2) is 1. The form in use today, log2(rank + 1), "
            "tells them apart.",
        ),
        wrong(
            "today",
            f"[3, 0], by 3 to {three(dcg([0, 3]))}",
            "That is the form in use today, which divides rank 2 by log2(3).",
        ),
        wrong(
            "by-rank",
            f"[3, 0], by 3 to {three(3 / 2)}",
            "That divides by the rank itself. The article divides rank 2 by log2(2), which is 1.",
        ),
    ),
    check(
        "03/5",
        "A document of grade 3 can move up one place: from rank 2 to 1, or from rank 10 to 9. Which move "
        "raises DCG more?",
        right(
            "top",
            "From rank 2 to rank 1",
            f"It gains {three(3 * (discount(1) - discount(2)))}, the other "
            f"{three(3 * (discount(9) - discount(10)))}. The discount is steep at the top and flat further "
            "down.",
        ),
        wrong(
            "bottom",
            "From rank 10 to rank 9",
            "Down there the weights hardly differ from one rank to the next.",
        ),
        wrong(
            "equal",
            "Both the same: one place is one place",
            "The weight falls by less and less with each rank, so a place at the top is worth more.",
        ),
    ),
]

IDEAL_DCG = [
    check(
        "04/1",
        f"Everything judged for a query was returned, in the order `{FIVE}`. Which order is the ideal one?",
        right(
            "descending",
            listed(best_first(FIVE)),
            "The same grades, best first. No order of these five has a higher DCG.",
        ),
        wrong("ascending", listed(sorted(FIVE)), "That is the worst order: the best documents come last."),
        wrong(
            "top-grade",
            listed([max(FIVE)] * len(FIVE)),
            "There are only two documents of grade 2. The ideal is made from what was judged, not from the "
            "highest grade.",
        ),
        wrong(
            "levels",
            listed(best_first(set(FIVE))),
            "Each grade stands as often as it was judged, also when it comes twice.",
        ),
    ),
    check(
        "04/2",
        "An engine returned grades `[1, 0, 2]`. Judged for the query, returned or not, were `[1, 0, 2, 3, "
        "3]`. What is the ideal top 3?",
        right(
            "from-judged",
            listed(best_first([1, 0, 2, 3, 3])[:3]),
            "The ideal is the best anyone could have returned, so the two documents of grade 3 belong to "
            "it, although they were missed.",
        ),
        wrong(
            "from-returned",
            listed(best_first([1, 0, 2])),
            "That sorts what was returned. Then an engine that misses the best documents would not be told.",
        ),
        wrong(
            "uncut",
            listed(best_first([1, 0, 2, 3, 3])),
            "Sorted well, but not cut: at k = 3 the ideal holds three documents too.",
        ),
    ),
    check(
        "04/3",
        "10 relevant documents, all of grade 1. An engine returns one of them, at rank 1, and nothing else. "
        "What is the ideal DCG@10?",
        right(
            "ten-on-top",
            three(ideal_dcg(TEN, 10)),
            "Ten documents could have filled the ten places: the sum of all ten weights.",
        ),
        wrong(
            "one",
            three(ideal_dcg([1], 10)),
            "That is the DCG of what was returned. The ideal asks what could have been.",
        ),
        wrong("undiscounted", three(sum(TEN)), "That is the sum of the grades without the discount."),
    ),
    check(
        "04/4",
        f"`{RATED}` holds all that was judged. What is the ideal DCG@3?",
        right(
            "sort-then-cut",
            three(ideal_dcg(RATED, 3)),
            "Sort, then cut: the best three are 5, 4 and 3, and the 3 comes from rank 4.",
        ),
        wrong(
            "cut-then-sort",
            three(dcg(best_first(RATED[:3]))),
            "Here the list was cut before it was sorted, so the 3 at rank 4 was lost. Sort first.",
        ),
        wrong(
            "no-cut", three(ideal_dcg(RATED)), "That is the ideal of all five ranks. At k = 3 it is cut too."
        ),
        wrong("cg", three(cumulative_gain(best_first(RATED), 3)), "5 + 4 + 3 without the discount."),
    ),
]

NDCG = [
    check(
        "05/1",
        f"`{FIVE}` has DCG {three(dcg(FIVE))}; the best order of it has {three(ideal_dcg(FIVE))}. What is "
        "NDCG?",
        right(
            "share",
            three(ndcg(FIVE)),
            "DCG divided by the ideal DCG: this order reaches 89 % of what these documents allow.",
        ),
        wrong("inverse", three(1 / ndcg(FIVE)), "Turned over: NDCG is DCG over ideal, and never above 1."),
        wrong(
            "difference",
            three(ideal_dcg(FIVE) - dcg(FIVE)),
            "That is the difference, what is lost. NDCG is the share that is reached.",
        ),
        wrong(
            "last-discount",
            three((dcg(FIVE[:4]) + FIVE[4] * discount(4)) / ideal_dcg(FIVE)),
            "This comes from dividing the grade at rank 5 by log2 5. Rank 5 is divided by log2 6.",
        ),
    ),
    check(
        "05/2",
        f"The worst order of these five documents is `{sorted(FIVE)}`. What is its NDCG?",
        right(
            "well-above-0",
            three(ndcg(sorted(FIVE))),
            "Even the worst order shows four documents with a grade, so it collects much of the gain. NDCG "
            "is 0 only when nothing relevant is in the top k.",
        ),
        wrong(
            "zero",
            three(0),
            "0 means that the top k holds nothing relevant, not that the order is the worst.",
        ),
        wrong(
            "complement",
            three(1 - ndcg(FIVE)),
            "That is what `[2, 0, 1, 2, 1]` loses. What one order loses says nothing about what "
            "another keeps.",
        ),
        wrong(
            "discount-of-last",
            three(discount(5)),
            "That is the weight of rank 5, which the best document has here. The others count too.",
        ),
    ),
    check(
        "05/3",
        "10 relevant documents, all of grade 1. An engine returns one of them, at rank 1, and nine that are "
        "not relevant. What is NDCG@10?",
        right(
            "judged-ideal",
            three(ndcg([1] + [0] * 9, 10, judged=TEN)),
            f"1.000 of an ideal {three(ideal_dcg(TEN, 10))}: nine relevant documents are missing, and the "
            "ideal knows them.",
        ),
        wrong(
            "own-ideal",
            three(ndcg([1] + [0] * 9, 10)),
            "That takes the ideal from the returned list alone. Its order is perfect, but nine of ten were "
            "missed.",
        ),
        wrong(
            "recall",
            three(recall_at_k([1] + [0] * 9, 10, judged=TEN)),
            "That is recall@10, one of ten. NDCG gives rank 1 more weight than the others.",
        ),
    ),
    check(
        "05/4",
        f"NDCG of `{OTHER}` is {three(ndcg(OTHER))}. Now the natural logarithm takes the place of log2 in "
        "`1 / log2(rank + 1)`, everywhere. What does NDCG become?",
        right(
            "cancels",
            three(ndcg(OTHER)),
            "Changing the base multiplies every weight by the same number, above and below the line. It "
            "cancels, in this form of the discount.",
        ),
        wrong(
            "scaled",
            three(ndcg(OTHER) * math.log(2)),
            "The DCG changes by such a factor, but so does the ideal DCG, and NDCG is their ratio.",
        ),
        wrong(
            "scaled-up",
            three(ndcg(OTHER) / math.log(2)),
            "That would be above 1. DCG and its ideal change by the same factor.",
        ),
    ),
    check(
        "05/5",
        "Query A: grades `[3, 0, 3]` of `[3, 3, 3]` judged. Query B: `[1, 0, 0]` of `[1, 0, 0]`. The DCG of "
        f"A is {three(dcg([3, 0, 3]))}, of B {three(dcg([1, 0, 0]))}. Which query was ranked better?",
        right(
            "b",
            "B",
            f"B could not be better: NDCG {three(ndcg([1, 0, 0]))}. A reaches "
            f"{three(ndcg([3, 0, 3], judged=[3, 3, 3]))} of its ideal. Divide by each query's own ideal "
            "before comparing.",
        ),
        wrong(
            "a",
            "A, its DCG is higher",
            "There was more to gain in A: three documents of grade 3. Raw DCG says how much was there as "
            "well as how it was ranked.",
        ),
        wrong(
            "incomparable",
            "That cannot be said: they are two queries",
            "Raw DCG cannot say it. That is what NDCG is for: a share of each query's own ideal.",
        ),
    ),
]

PRECISION_AND_RECALL = [
    check(
        "06/1",
        "`zipfile` moves from rank 3 to rank 1; the two above it move one rank down. What happens to the "
        "two shares of the top 3?",
        right(
            "same",
            "Neither changes",
            "The same three pages fill the top 3, so both counts stay. Only what crosses the cut-off counts.",
        ),
        wrong(
            "both-rise",
            "Both rise: a relevant page is on top now",
            "A relevant page, `tarfile`, was on top before. Both shares only count, and nothing entered or "
            "left the top 3.",
        ),
        wrong(
            "places-rise",
            "Only the share of the places rises",
            "Count again: 2 of 3 places before, 2 of 3 after. The order inside the top 3 does not enter.",
        ),
        wrong(
            "relevant-falls",
            "Only the share of all relevant pages falls",
            "`tarfile` moved down to rank 2, which is still in the top 3. It still counts.",
        ),
    ),
    check(
        "06/2",
        "A search returns two documents, both relevant. What is P@5?",
        right(
            "by-k",
            three(precision_at_k([1, 1], 5)),
            "2 of the 5 places are well used. The divisor is k, also when the list is shorter.",
        ),
        wrong(
            "by-length",
            three(precision_at_k([1, 1], 2)),
            "That divides by the 2 that were returned. Returning less would then be rewarded.",
        ),
        wrong("missing-place", three(1 / 5), "There are two relevant documents in the top 5, not one."),
    ),
    check(
        "06/3",
        "A query has 20 relevant documents. What is the highest R@5 that any list can reach?",
        right(
            "ceiling",
            three(recall_at_k([1] * 5, 5, judged=[1] * 20)),
            "5 places hold at most 5 of the 20. Where R is above k, R@k has a ceiling of k / R.",
        ),
        wrong("one", three(1), "Full recall needs all 20, and there are 5 places."),
        wrong("precision", three(1 / 20), "That is one document of 20. Five places can hold five."),
    ),
    check(
        "06/4",
        "`[1, 0, 1, 0, 0]`, with 3 relevant documents in all: P@5 is "
        f"{three(precision_at_k([1, 0, 1, 0, 0], 5))}, R@5 "
        f"{three(recall_at_k([1, 0, 1, 0, 0], 5, judged=[1, 1, 1]))}. What is F1@5?",
        right(
            "harmonic",
            three(f1_at_k([1, 0, 1, 0, 0], 5, judged=[1, 1, 1])),
            "The harmonic mean, 2PR / (P + R). It stays nearer to the smaller of the two.",
        ),
        wrong(
            "arithmetic",
            three((2 / 5 + 2 / 3) / 2),
            "That is the arithmetic mean. It would forgive a recall near 0 if precision is high.",
        ),
        wrong(
            "geometric",
            three(math.sqrt(2 / 5 * 2 / 3)),
            "That is the geometric mean, the root of the product.",
        ),
        wrong("product", three(2 / 5 * 2 / 3), "That is the product, which is smaller than either."),
    ),
    check(
        "06/5",
        "Four queries with top 2 `[1, 0]`, `[0, 0]`, `[1, 1]` and `[0, 1]`. What is the hit rate at 2?",
        right(
            "queries",
            three(sum(hit_rate_at_k(top, 2) for top in ([1, 0], [0, 0], [1, 1], [0, 1])) / 4),
            "Three of four queries have at least one hit. A second hit in the same query adds nothing.",
        ),
        wrong(
            "documents",
            three(4 / 8),
            "That is the share of relevant documents, the mean P@2. The hit rate counts queries.",
        ),
        wrong(
            "hits-per-query",
            three(4 / 4),
            "That is hits per query: the query with two of them was counted twice.",
        ),
    ),
]

AVERAGE_PRECISION = [
    check(
        "07/1",
        "Stop at every hit, note the share of relevant books so far, and take the mean over the three hits. "
        f"Which list scores higher, `{EVERY_OTHER}` or `{MIDDLE}`?",
        right(
            "first",
            f"`{EVERY_OTHER}`",
            f"{three(average_precision(EVERY_OTHER))} to {three(average_precision(MIDDLE))}. A hit at rank "
            "1 and not 2 gains 1/2; one at rank 5 and not 4 loses only 3/4 - 3/5.",
        ),
        wrong(
            "second",
            f"`{MIDDLE}`",
            "Its last hit does come sooner, 3/4 instead of 3/5. But its first comes at rank 2: 1/2 instead "
            "of 1/1, and that weighs more.",
        ),
        wrong(
            "equal-count",
            "Neither: both have three hits in five",
            "That holds for P@5. The mean over the hits asks where they stand.",
        ),
        wrong(
            "equal-rank",
            "Neither: the mean rank of a hit is 3 in both",
            "The shares at the hits decide, not the ranks: 1/1, 2/3, 3/5 against 1/2, 2/3, 3/4.",
        ),
    ),
    check(
        "07/2",
        "2 relevant documents; a search returns `[1, 0]` and misses the other. What is AP?",
        right(
            "by-r",
            three(average_precision([1, 0], judged=[1, 1])),
            "1/1 for the hit, nothing for the missed one, divided by R = 2.",
        ),
        wrong(
            "by-hits",
            three(average_precision([1, 0])),
            "That divides by the one hit that was found, so that missing documents costs nothing.",
        ),
        wrong("by-both", three(1 / 4), "That divides by 2 twice: once for the length and once for R."),
    ),
    check(
        "07/3",
        "100 documents that are not relevant are added to the end of a list. What happens to its AP?",
        right(
            "nothing",
            "Nothing",
            "AP reads precision only at hits, and all of those come earlier. Precision at the end of the "
            "list falls; AP does not look there.",
        ),
        wrong(
            "falls", "It falls, since precision falls", "P@k at the new ranks falls, but no hit stands there."
        ),
        wrong(
            "by-length",
            "It is divided by the new length",
            "The divisor is the number of relevant documents, not the length.",
        ),
    ),
    check(
        "07/4",
        f"Three queries: AP {three(average_precision(EVERY_OTHER))}, {three(average_precision(MIDDLE))} and "
        f"{three(average_precision([0], judged=[0, 1]))}, the last with no hit. What is MAP?",
        right(
            "stays-in",
            three(mean_average_precision([EVERY_OTHER, MIDDLE, [0]], judged=[EVERY_OTHER, MIDDLE, [0, 1]])),
            "The sum over 3. The query without a hit counts 0 and stays in the mean.",
        ),
        wrong(
            "dropped",
            three(mean_average_precision([EVERY_OTHER, MIDDLE])),
            "That leaves out the query without a hit: the score would reward finding nothing.",
        ),
        wrong(
            "sum",
            three(2 * mean_average_precision([EVERY_OTHER, MIDDLE])),
            "That is the sum, not yet divided by the number of queries.",
        ),
        wrong(
            "pooled",
            three(average_precision([*EVERY_OTHER, *MIDDLE], judged=[*EVERY_OTHER, *MIDDLE, 1])),
            "That is the AP of all lists joined into one. Each query is scored by itself first.",
        ),
    ),
]

RECIPROCAL_RANK = [
    check(
        "08/1",
        "The first relevant result is at rank 3; the second relevant one moves from rank 5 to 4. What is the "
        "score now?",
        right(
            "same",
            "Still 1/3",
            "The reader stopped at rank 3. Nothing below the first hit can change the score.",
        ),
        wrong(
            "sum",
            "1/3 + 1/4",
            "Only the first hit counts. A score that added up the hits could pass 1.",
        ),
        wrong("mean", "The mean of 1/3 and 1/4", "Only the first hit counts; the second is never opened."),
        wrong(
            "latest", "1/4", "The first relevant result is at rank 3, as before. The second is never opened."
        ),
    ),
    check(
        "08/2",
        f"One query with 5 relevant documents. A returns `{FIRST}`, B returns `{REST}`. RR prefers A, "
        f"{reciprocal_rank(FIRST):.3f} to {reciprocal_rank(REST):.3f}. What do AP and NDCG@5 prefer?",
        right(
            "both-b",
            "Both prefer B",
            f"AP {three(average_precision(FIRST, judged=[1] * 5))} to "
            f"{three(average_precision(REST, judged=[1] * 5))}, NDCG@5 "
            f"{three(ndcg(FIRST, 5, judged=[1] * 5))} to {three(ndcg(REST, 5, judged=[1] * 5))}: four hits "
            "outweigh one at the top. RR saw the first hit alone.",
        ),
        wrong(
            "both-a",
            "Both prefer A, as RR does",
            f"That would be so if each list were its own ideal: NDCG {three(ndcg(FIRST))} to "
            f"{three(ndcg(REST))}. For one query with 5 relevant documents, A missed three of them.",
        ),
        wrong(
            "split", "AP prefers A, NDCG@5 prefers B", "Both look at all the hits, and B has twice as many."
        ),
    ),
    check(
        "08/3",
        "Three queries: `[1, 0]`, `[0, 1]` and `[0, 0]`. What is MRR?",
        right(
            "stays-in",
            three(mean_reciprocal_rank([[1, 0], [0, 1], [0, 0]])),
            "(1 + 1/2 + 0) / 3. A query without a hit counts 0 and stays in the mean.",
        ),
        wrong(
            "dropped",
            three(mean_reciprocal_rank([[1, 0], [0, 1]])),
            "That leaves out the query without a hit, which rewards failing.",
        ),
        wrong(
            "rank-of-mean",
            three(1 / 1.5),
            "That is one over the mean rank of the hits. MRR averages the reciprocals, and the miss counts.",
        ),
    ),
    check(
        "08/4",
        "What is RR@3 of `[0, 0, 0, 1]`?",
        right(
            "cut",
            three(reciprocal_rank([0, 0, 0, 1], 3)),
            "The hit is at rank 4, outside the top 3. There the list counts as having none.",
        ),
        wrong("uncut", three(reciprocal_rank([0, 0, 0, 1])), "That is RR without a cut-off."),
        wrong(
            "at-k",
            three(1 / 3),
            "That gives the hit the last rank inside the cut. It is outside, so it counts nothing.",
        ),
    ),
]

CHOOSING_A_METRIC = [
    check(
        "09/1",
        "One relevant document among 100 moves from rank 1 to rank 10. AUC was 1. What is it now?",
        right(
            "pairs",
            three(auc_of_one_hit(10, 100)),
            f"90 of the 99 others still come after it. NDCG falls to {three(discount(10))}: AUC hardly "
            "notices the top of a list.",
        ),
        wrong(
            "ndcg",
            three(discount(10)),
            "That is what NDCG falls to. AUC counts pairs, and most pairs are still in the right order.",
        ),
        wrong("rr", three(reciprocal_rank([0] * 9 + [1])), "That is the reciprocal rank, one over ten."),
        wrong(
            "rank-share",
            three(1 - 10 / 100),
            "Nearly: one of the 100 is the document itself, so there are 99 pairs and 9 of them are wrong.",
        ),
    ),
    check(
        "09/2",
        f"A list has the grades `{[0, 1, 3, 1, 2]}`. The two documents at ranks 2 and 3 change places, and "
        f"now it is `{[0, 3, 1, 1, 2]}`. Grade 1 or more counts as relevant. Which of NDCG@5, AP and RR "
        "change?",
        right(
            "ndcg",
            "Only NDCG@5",
            f"With the linear gain it rises from {three(ndcg([0, 1, 3, 1, 2]))} to "
            f"{three(ndcg([0, 3, 1, 1, 2]))}, each against its own best order. For AP and RR a relevant "
            "document took the place of another one.",
        ),
        wrong(
            "ndcg-ap",
            "NDCG@5 and AP",
            "AP knows relevant and not relevant. Both documents are relevant: it sees the same list twice.",
        ),
        wrong(
            "all",
            "All three",
            "The first relevant document stays at rank 2, so RR cannot change. AP sees hits, not grades.",
        ),
        wrong(
            "none",
            "None of them",
            "The grade 3 now stands higher up, where it counts for more. One of the three uses grades.",
        ),
    ),
    check(
        "09/3",
        "A help bot shows one answer at a time, and its users read until the first that helps. Which metric "
        "fits?",
        right("mrr", "MRR", "The user stops at the first hit, and so does MRR."),
        wrong(
            "recall",
            "Recall@100",
            "Nobody reads a hundred answers here. It fits the first stage of a search, which must not lose "
            "anything.",
        ),
        wrong(
            "auc",
            "AUC",
            "AUC weighs the bottom of the list as much as the top. These users never see the bottom.",
        ),
        wrong("map", "MAP", "MAP asks for all relevant answers to be near the top. One is enough here."),
    ),
    check(
        "09/4",
        "In a RAG system, a language model reads all of the 5 passages that the search hands it, whatever "
        "their order. Which metric says most about the search?",
        right(
            "recall",
            "Recall@5",
            "What matters is whether the needed passages are among the five. Order inside the five is not "
            "used, so leave it out of the ruler.",
        ),
        wrong(
            "mrr",
            "MRR",
            "It rewards the first hit at rank 1. Here all five are read, so rank 1 or 5 makes no difference.",
        ),
        wrong("ndcg-100", "NDCG@100", "95 of those ranks are never read."),
    ),
    check(
        "09/5",
        "Two systems have the same weighted score `0.4 MAP + 0.3 NDCG@10 + 0.3 MRR`. What follows?",
        right(
            "little",
            "Little: look at the three parts",
            "Equal sums can hide one system that finds the first answer far more often and loses the rest. "
            "Report the parts beside the sum.",
        ),
        wrong(
            "same",
            "They rank equally well",
            "Only this mixture of the three is equal. With other weights one of them would win.",
        ),
        wrong(
            "same-parts",
            "Their MAP, NDCG@10 and MRR are the same",
            "Many different triples have the same weighted sum.",
        ),
    ),
]

EVALUATION_IN_PRACTICE = [
    check(
        "10/1",
        "Joining logs gave one user two records for the same item. What happens if both stay?",
        right(
            "twice",
            "The item is credited twice, and scores can rise above what is possible",
            "A document can be useful once. Keep one record per user and item, by a rule that you state, "
            "before ranking.",
        ),
        wrong(
            "harmless",
            "Nothing: the second is a copy",
            "It takes a rank of its own, pushes others down, and its gain is counted again.",
        ),
        wrong(
            "averaged",
            "The two cancel out in the mean",
            "Nothing cancels: both records carry the same gain, and it is added twice.",
        ),
    ),
    check(
        "10/2",
        "User A has 1 row in the log and NDCG 1.0; user B has 9 rows and NDCG 0.5. What is the mean if each "
        "user counts once?",
        right(
            "users",
            three((1.0 + 0.5) / 2),
            "Each user counts once, however active. It says how well a user is served.",
        ),
        wrong(
            "rows",
            three((1 * 1.0 + 9 * 0.5) / 10),
            "That weighs users by their rows. It answers another question: how good is what one row of the "
            "log stands for? Say which one you report.",
        ),
        wrong("active", three(0.5), "That is user B alone. User A counts as well, and as much."),
    ),
    check(
        "10/3",
        "Three users: two have the grades `[1, 0, 1]` and `[0, 1]`, and the third has nothing relevant at "
        "all. You skip such users. What do you report?",
        right(
            "skip",
            f"{three(mean_ndcg([[1, 0, 1], [0, 1], [0, 0]], undefined='nan'))}, over 2 of 3 users",
            "The mean of the two that can be scored, with the number of users it stands on. Without that "
            "number nobody can tell it from the other convention.",
        ),
        wrong(
            "zero",
            f"{three(mean_ndcg([[1, 0, 1], [0, 1], [0, 0]]))}, over 3 users",
            "That counts the third user as 0, the other convention in use. Both are defensible; mixing them "
            "is not.",
        ),
        wrong(
            "silent",
            f"{three(mean_ndcg([[1, 0, 1], [0, 1], [0, 0]], undefined='nan'))}, over 3 users",
            "The number is the mean over two users. Saying three hides that one was left out.",
        ),
        wrong(
            "one",
            f"{three(mean_ndcg([[1, 0, 1], [0, 1], [0, 0]], undefined='one'))}, over 3 users",
            "That counts 0/0 as perfect, and the user with nothing to find raises the mean.",
        ),
    ),
    check(
        "10/4",
        "After a change, NDCG@10 went up and recall@10 went down. What happened?",
        right(
            "fewer-higher",
            "Fewer relevant documents are in the top 10, but those there are better, or stand higher",
            "The top improved, coverage shrank. Look at which queries lost documents before you call it "
            "progress.",
        ),
        wrong(
            "impossible",
            "That cannot be: NDCG contains recall",
            "NDCG weighs ranks and grades, recall counts. One strong document moved to rank 1 can outweigh "
            "two weak ones lost.",
        ),
        wrong(
            "bug",
            "One of the two is computed wrongly",
            "It may be worth a look, but the two can part ways with both being right.",
        ),
    ),
    check(
        "10/5",
        "System A has mean NDCG@10 0.62, system B 0.60, over the same 50 queries. Which steps come before "
        "you announce that A is better?",
        right(
            "per-query",
            "Compare them query by query, and ask how often chance alone would do this",
            "The same mean difference can come from one lucky query or from forty. What asks that is called "
            "a significance test.",
        ),
        right(
            "unjudged",
            "Look at how much of each top 10 was never judged",
            "If B returns documents nobody judged, they count as not relevant, and B may look worse than it "
            "is.",
        ),
        wrong(
            "raw-dcg",
            "Check that the raw DCG of A is higher as well",
            "Raw DCG is ruled by the queries with the most relevant documents. It adds no evidence.",
        ),
        wrong(
            "decimals",
            "Report more decimals",
            "Digits do not make a difference real. 0.6204 against 0.5998 is the same two hundredths.",
        ),
    ),
]

YOUR_OWN_DATA = [
    check(
        "11/1",
        "You evaluate your first run, and every query scores 0. What is the most likely reason?",
        right(
            "ids",
            "The document ids in the run and in the judgments do not match",
            "A different prefix, case or number format makes every document unjudged. Compare a few ids of "
            "both sides first.",
        ),
        wrong(
            "ranker",
            "The ranker is that bad",
            "Even a poor ranker usually finds something for some query. All zeros point to the data.",
        ),
        wrong(
            "metric",
            "NDCG is too strict; another metric will show more",
            "Every metric gives 0 when no document of the run was judged.",
        ),
    ),
    check(
        "11/2",
        "4 of the 10 documents that your run shows on top are unjudged, on average. What do you do with the "
        "score?",
        right(
            "report",
            "Report it with that share, and judge more before comparing",
            "Unjudged counts as not relevant. Judging more can move NDCG and AP either way, since the ideal "
            "and R grow too; P@k and RR cannot fall. Two runs with different shares are not on the same "
            "ground.",
        ),
        wrong(
            "drop",
            "Leave the unjudged documents out and close the gaps",
            "It has a name, the condensed list (Sakai): report it as that, never as plain NDCG. It moves "
            "documents up to ranks that no user saw them at.",
        ),
        wrong(
            "relevant",
            "Count them as relevant, giving the ranker the benefit of the doubt",
            "Then a ranker that returns only unknown documents is perfect.",
        ),
    ),
    check(
        "11/3",
        "Which of these does a report need, so that someone else can get the same number?",
        right(
            "metric-in-full",
            "The metric in full: cut-off, gain, threshold",
            "NDCG@10 with the linear gain and NDCG without a cut-off are different numbers under one name.",
        ),
        right(
            "queries",
            "How many queries it averages, and what was done with those it could not score",
            "Zero, skip, or missing from the run: each moves the mean.",
        ),
        wrong(
            "six-decimals",
            "Six decimals",
            "Three are enough for any decision. What is missing from most reports is the convention, not "
            "the digits.",
        ),
        wrong(
            "best-query",
            "The best query as an example",
            "Nice to have, but it says nothing about the mean. Show a loss and a win if you show any.",
        ),
    ),
]

QUESTIONS = [
    *START_HERE,
    *RELEVANCE_GRADING,
    *CUMULATIVE_GAIN,
    *DISCOUNTED_CUMULATIVE_GAIN,
    *IDEAL_DCG,
    *NDCG,
    *PRECISION_AND_RECALL,
    *AVERAGE_PRECISION,
    *RECIPROCAL_RANK,
    *CHOOSING_A_METRIC,
    *EVALUATION_IN_PRACTICE,
    *YOUR_OWN_DATA,
]
