"""Misconceptions about ranking metrics, each with a question and with a list to build that refutes it.

The functions below judge what a learner built. Each takes the learner's lists, returns whether they refute
the claim, and says in one or two sentences, with the numbers, what they show.
"""

import math
from collections import Counter

from rankedu.metrics import (
    average_precision,
    dcg,
    gain,
    hit_rate_at_k,
    ndcg,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

from ._question import Myth, Option

ENOUGH = 0.005  # a difference that three decimals show


def right(key, text, reply):
    return Option(key, text, reply, right=True)


wrong = Option


def three(value):
    return f"{value:.3f}"


def over(values, name):
    """The values at k = 1, 2, ... as text: "P@1 1.000, P@2 0.500"."""
    shown = [f"{name}@{k} {three(value)}" for k, value in enumerate(values, 1)]
    return ", ".join(shown if len(shown) <= 8 else [*shown[:7], "…", shown[-1]])


def falls(values):
    """The first k at which the value is lower than at k - 1, or None."""
    return next((k + 1 for k in range(1, len(values)) if values[k] < values[k - 1] - 1e-12), None)


def relevant(grades):
    return sum(grade >= 1 for grade in grades)


def same_documents(a, b):
    return Counter(map(float, a)) == Counter(map(float, b))


NOT_THE_SAME = "a and b must be two orders of the same documents: the same grades, each as often"


# --- the judges, by number of the misconception ---


def map_and_ndcg_disagree(a, b):
    ap, nd = (average_precision(a), average_precision(b)), (ndcg(a), ndcg(b))
    numbers = f"AP {three(ap[0])} and {three(ap[1])}, NDCG {three(nd[0])} and {three(nd[1])}"
    if not same_documents(a, b):
        return False, f"{NOT_THE_SAME}. Yours have {numbers}, each against its own ideal."
    if (ap[0] - ap[1]) * (nd[0] - nd[1]) < -(ENOUGH**2):
        return True, f"{numbers}: they prefer different orders, so which of the two you report matters."
    return False, (
        f"{numbers}: no disagreement here. Let one list put a single document of grade 3 on top, and the "
        "other several of grade 1."
    )


def raw_dcg_misleads(a, b):
    d, n = (dcg(a), dcg(b)), (ndcg(a), ndcg(b))
    numbers = f"DCG {three(d[0])} and {three(d[1])}, NDCG {three(n[0])} and {three(n[1])}"
    if (d[0] - d[1]) * (n[0] - n[1]) < -(ENOUGH**2):
        return True, f"{numbers}: the query with the higher DCG was ranked worse."
    return False, (
        f"{numbers}: both agree here. Give one query much to gain and a poor order, the other little to "
        "gain and a perfect order."
    )


def rr_misses_the_rest(a, b):
    rr, ap = (reciprocal_rank(a), reciprocal_rank(b)), (average_precision(a), average_precision(b))
    numbers = f"RR {three(rr[0])} and {three(rr[1])}, AP {three(ap[0])} and {three(ap[1])}"
    if not same_documents(a, b):
        return False, f"{NOT_THE_SAME}. Yours have {numbers}."
    if rr[0] == rr[1] > 0 and abs(ap[0] - ap[1]) >= 0.1:
        return True, f"{numbers}: RR calls them equal, and AP is {three(abs(ap[0] - ap[1]))} apart."
    if rr[0] != rr[1]:
        return False, f"{numbers}: RR tells these apart. Put the first hit at the same rank in both."
    return False, (
        f"{numbers}: RR is the same, but AP should differ by 0.1 or more, and there must be a hit. Move the "
        "later hits far down in one of them."
    )


def precise_and_lost(grades, judged):
    p, r = precision_at_k(grades, 10), recall_at_k(grades, 10, judged=judged)
    numbers = f"P@10 {three(p)}, recall@10 {three(r)} of {relevant(judged)} relevant documents"
    if p >= 0.9 and r <= 0.1:
        return True, (
            f"{numbers}: nearly pure, and at least 90 % of the relevant documents are out of sight."
        )
    if p < 0.9:
        return False, (
            f"{numbers}: the claim is about P@10 of 0.9 and more. Make nine of the first ten relevant."
        )
    return False, (
        f"{numbers}: get recall down to 0.1. Judge many more documents relevant than ten places hold."
    )


def ndcg_falls(grades):
    values = [ndcg(grades, k) for k in range(1, len(grades) + 1)]
    k = falls(values)
    if k:
        return True, (
            f"{over(values, 'NDCG')}: at k = {k} the ideal gained more than your list did, and NDCG fell."
        )
    return False, (
        f"{over(values, 'NDCG') or 'An empty list'}: it never falls. Begin with a good document, and let a "
        "good one come late."
    )


def precision_falls(grades):
    values = [precision_at_k(grades, k) for k in range(1, len(grades) + 1)]
    k = falls(values)
    if k:
        return True, f"{over(values, 'P')}: the document at rank {k} is not relevant, so the share fell."
    return False, (
        f"{over(values, 'P') or 'An empty list'}: it never falls. Put something not relevant after a "
        "relevant document."
    )


def ap_is_not_the_mean(grades):
    values = [precision_at_k(grades, k) for k in range(1, len(grades) + 1)]
    mean, ap = sum(values) / max(len(values), 1), average_precision(grades)
    if relevant(grades) and abs(mean - ap) >= ENOUGH:
        return True, (
            f"{over(values, 'P')}: their mean is {three(mean)}, AP is {three(ap)}. AP reads the relevant "
            "ranks alone."
        )
    return False, (
        f"AP {three(ap)}, the mean of P@k {three(mean)}: the same here. Use a list with both relevant "
        "documents and others."
    )


def perfect_and_poor(grades):
    score, best = ndcg(grades), max(grades, default=0)
    if score == 1 and 0 < best <= 1:
        return True, (
            f"NDCG {three(score)}, and the best grade is {best:g} on a scale to 4: a perfect order of poor "
            "documents."
        )
    if score < 1:
        return False, (
            f"NDCG {three(score)}: the claim is about 1.000. Sort the list best first, or make all grades "
            "equal."
        )
    return False, (
        f"NDCG {three(score)}, but the best grade is {best:g} on a scale from 0 to 4: these are not poor."
    )


def worst_order_scores(grades):
    score = ndcg(grades)
    if list(grades) != sorted(grades):
        return False, (
            f"NDCG {three(score)}, but this is not the worst order. The worst comes up from the lowest "
            "grade to the highest."
        )
    if score > 0:
        return True, (
            f"This is the worst order of these documents, and NDCG is {three(score)}. Only a top k without "
            "anything relevant has 0."
        )
    return False, "NDCG 0.000, but nothing here is relevant, so every order is as good as any other."


def ndcg_of_2002(grades, base):
    """NDCG with the discount of 2002: none up to rank `base`, then 1 / log_base(rank)."""

    def total(ranking):
        return sum(g / max(1.0, math.log(i, base)) for i, g in enumerate(ranking, 1))

    return total(grades) / total(sorted(grades, reverse=True)) if any(grades) else 0.0


def base_matters(grades):
    ndcg(grades)  # checks the grades
    today = [ndcg(grades)] * 2  # 1 / log_b(rank + 1): the base cancels
    then = [ndcg_of_2002(grades, base) for base in (2, 10)]
    numbers = (
        f"with the discount of 2002, NDCG is {three(then[0])} for base 2 and {three(then[1])} for base 10; "
        f"with 1 / log(rank + 1) it is {three(today[0])} for both"
    )
    if abs(then[0] - then[1]) >= ENOUGH:
        return True, (
            f"For your list, {numbers}. The base cancels only where every rank is discounted by it."
        )
    return False, f"For your list, {numbers}. Let a good document stand at rank 3 or later."


def scale_matters(grades):
    binary = [float(grade >= 1) for grade in grades]
    graded, collapsed = ndcg(grades), ndcg(binary)
    numbers = f"NDCG {three(graded)} with these grades, {three(collapsed)} when 1 and more is called relevant"
    if abs(graded - collapsed) >= 0.05:
        return True, (
            f"{numbers}. One ranking, one query, two scales of judging: the numbers cannot be compared."
        )
    return False, f"{numbers}: less than 0.05 apart. Put a document of grade 1 above one of grade 3 or 4."


def rr_with_many(grades):
    hits, rr = relevant(grades), reciprocal_rank(grades)
    if hits >= 2:
        first = [1 if rank == round(1 / rr) else 0 for rank in range(1, len(grades) + 1)]
        return True, (
            f"{hits} relevant documents, and RR is {three(rr)}, the same as for {first}. Nothing is assumed "
            "about how many there are; all but the first are not looked at."
        )
    return False, (
        f"RR {three(rr)}, with {hits} relevant. The claim says that there may be only one: build a list "
        "with more."
    )


def every_metric_gives_zero(grades, judged):
    scores = {
        "AP": average_precision(grades, judged=judged),
        "NDCG": ndcg(grades, judged=judged),
        "RR": reciprocal_rank(grades),
        "recall": recall_at_k(grades, None, judged=judged),
        "hit rate": hit_rate_at_k(grades, None),
    }
    numbers = ", ".join(f"{name} {three(score)}" for name, score in scores.items())
    if relevant(judged) and not any(scores.values()):
        return True, f"{numbers}: all five give a total miss 0, so MAP is no stricter here."
    if not relevant(judged):
        return False, (
            f"{numbers}, but nothing relevant was judged, so there was nothing to miss. That is 0/0."
        )
    return False, f"{numbers}: this is no total miss. Return nothing relevant."


def divided_by_hits(grades, judged):
    ap, hits = average_precision(grades, judged=judged), relevant(grades)
    by_hits = average_precision(grades) if hits else 0.0
    numbers = (
        f"{hits} of {relevant(judged)} relevant documents found: AP {three(ap)}, divided by the hits "
        f"{three(by_hits)}"
    )
    if by_hits - ap >= ENOUGH:
        return True, f"{numbers}. Divided by the hits, the documents that were missed cost nothing."
    return False, f"{numbers}: the same. Judge a relevant document that the ranking does not hold."


def one_of_many(grades, judged):
    score, found, total = ndcg(grades, 10, judged=judged), relevant(grades[:10]), relevant(judged)
    numbers = (
        f"{found} of {total} found, NDCG@10 {three(score)}; against its own list it would be "
        f"{three(ndcg(grades, 10))}"
    )
    if found == 1 and grades[0] >= 1 and total >= 10 and score < 0.3:
        return True, (
            f"{numbers}. The ideal holds the documents that were missed, so one hit on top is not much."
        )
    return False, (
        f"{numbers}. The claim is about one relevant document on top and nine others or more, of the same "
        "grade, that were missed."
    )


def good_share_bad_order(a, b):
    shares, scores = (precision_at_k(a, None), precision_at_k(b, None)), (ndcg(a), ndcg(b))
    numbers = f"{shares[0]:.0%} and {shares[1]:.0%} relevant, NDCG {three(scores[0])} and {three(scores[1])}"
    if not same_documents(a, b):
        return False, f"{NOT_THE_SAME}. Yours: {numbers}."
    if shares[0] >= 0.8 and abs(scores[0] - scores[1]) >= 0.1:
        return True, f"{numbers}: the share is the same, and the order makes the difference."
    if shares[0] < 0.8:
        return False, f"{numbers}: the claim is about 80 % and more."
    return False, (
        f"{numbers}: make the orders differ by 0.1 or more. Put what is not relevant on top in one of them."
    )


def auc(grades):
    """The share of (relevant, not relevant) pairs in the right order, or None without both."""
    hits = [rank for rank, grade in enumerate(grades, 1) if grade >= 1]
    others = [rank for rank, grade in enumerate(grades, 1) if grade < 1]
    if not hits or not others:
        return None
    return sum(hit < other for hit in hits for other in others) / (len(hits) * len(others))


def auc_sleeps(a, b):
    scores = ndcg(a), ndcg(b)
    areas = auc(a), auc(b)
    if None in areas or not same_documents(a, b):
        return False, f"{NOT_THE_SAME}, some relevant and some not."
    numbers = f"AUC {three(areas[0])} and {three(areas[1])}, NDCG {three(scores[0])} and {three(scores[1])}"
    if abs(areas[0] - areas[1]) <= 0.1 and abs(scores[0] - scores[1]) >= 0.5:
        return True, f"{numbers}: AUC hardly moved, and the reader's first page is another one."
    return False, (
        f"{numbers}: AUC should differ by at most 0.1 and NDCG by 0.5 or more. Take one relevant document "
        "among a hundred and move it a few ranks down from the top."
    )


def gain_flips(a, b):
    linear, exponential = (dcg(a), dcg(b)), (dcg(a, gain="exponential"), dcg(b, gain="exponential"))
    numbers = (
        f"linear DCG {three(linear[0])} and {three(linear[1])}, exponential {three(exponential[0])} and "
        f"{three(exponential[1])}"
    )
    if (linear[0] - linear[1]) * (exponential[0] - exponential[1]) < -(ENOUGH**2):
        return True, f"{numbers}: the winner changed with the gain."
    return False, (
        f"{numbers}: the same winner. Set several documents of a middle grade against one of a high grade."
    )


def each_counts_once(a, b):
    few, many = relevant(a), relevant(b)
    one, two = ndcg(a), ndcg(b)
    mean = (one + two) / 2
    numbers = f"NDCG {three(one)} with {few} relevant and {three(two)} with {many}; the mean is {three(mean)}"
    if few and many >= 5 * few and abs(one - two) >= 0.1:
        return True, (
            f"{numbers}, exactly between the two. The user with many relevant items pulls no harder."
        )
    return False, (
        f"{numbers}. Give b at least five times as many relevant items as a, and make the two scores differ "
        "by 0.1 or more."
    )


# In the order of the notebook, metric by metric; the ids stand in the files of learners.
QUESTIONS = [
    Myth(
        "myth/05",
        "NDCG@k can only grow as k grows, because more documents are counted.",
        [
            right(
                "ideal-grows",
                "The ideal grows with k as well, and it may grow faster",
                "NDCG@k is a ratio. When the next rank brings little and the ideal still has good "
                "documents, the ratio falls.",
            ),
            wrong(
                "always-falls",
                "It can only fall as k grows",
                "It may rise too: a good document that comes late is counted at last.",
            ),
            wrong(
                "constant",
                "It does not depend on k",
                "It does, which is why a score without its k says little.",
            ),
        ],
        task="Build `grades` whose NDCG@k falls somewhere as k grows.",
        parameters=["grades"],
        judge=ndcg_falls,
        example=[[1, 0, 1]],
        reread=["05"],
    ),
    Myth(
        "myth/08",
        "NDCG is 1.0, so the results are excellent.",
        [
            right(
                "order-only",
                "It says that no other order of the judged documents is better, not that they are good",
                "If all that exists is poor, the best order of it is still 1.0. And if all grades are "
                "equal, every order is.",
            ),
            wrong(
                "overfitted",
                "A score of 1.0 is always a sign of a fault",
                "It can be one, but a perfect order of a short list is nothing unusual.",
            ),
            wrong(
                "recall",
                "It says that everything relevant was found",
                "Only if the ideal is made from all that was judged, and only if no more than k are "
                "relevant. Taken from the returned list, it cannot know what is missing.",
            ),
        ],
        task="On a scale from 0 to 4, build `grades` with NDCG 1.0 in which nothing is better than grade 1.",
        parameters=["grades"],
        judge=perfect_and_poor,
        example=[[1, 1, 1, 0]],
        reread=["05"],
    ),
    Myth(
        "myth/09",
        "NDCG 0 means the worst possible order.",
        [
            right(
                "nothing-relevant",
                "0 means nothing relevant in the top k; the worst order of a list is usually well above it",
                f"The worst order of [2, 0, 1, 2, 1] has {three(ndcg([0, 1, 1, 2, 2]))}. So a score of 0.7 "
                "may be close to the bottom of what was possible.",
            ),
            wrong(
                "negative",
                "The worst order has a negative NDCG",
                "Gains and weights are never negative, so no sum of them is.",
            ),
            wrong("half", "The worst order has 0.5", "It depends on the grades: there is no fixed floor."),
        ],
        task="Build `grades` in their worst order, with an NDCG above 0.",
        parameters=["grades"],
        judge=worst_order_scores,
        example=[[0, 1, 1, 2, 2]],
        reread=["05"],
    ),
    Myth(
        "myth/10",
        "The base of the logarithm never matters in NDCG: it cancels.",
        [
            right(
                "form",
                "It cancels for 1 / log(rank + 1), but not in the form that discounts only after rank b",
                "There the base also says how many ranks count in full, and that does not cancel.",
            ),
            wrong(
                "never-cancels",
                "It never cancels",
                "In 1 / log(rank + 1) another base multiplies every weight by the same number, above and "
                "below the line.",
            ),
            wrong(
                "dcg",
                "Nothing, and it does not matter for DCG either",
                "DCG itself changes with the base. It is the ratio that may not.",
            ),
        ],
        task=(
            "Build `grades` whose NDCG in the form of 2002, with no discount up to rank b, differs between "
            "b = 2 and b = 10."
        ),
        parameters=["grades"],
        judge=base_matters,
        example=[[3, 2, 0, 1, 4]],
        reread=["05"],
    ),
    Myth(
        "myth/11",
        "NDCG is normalised, so the NDCG of one dataset can be compared with that of another.",
        [
            right(
                "scale-and-pool",
                "It depends on the scale of the grades and on what was judged, which differ between datasets",
                "It makes the queries of one judged set comparable. Another scale, or another pool of "
                "judged documents, moves every score.",
            ),
            wrong(
                "size",
                "Nothing, if both datasets have the same number of queries",
                "The number of queries makes the mean steadier, not more comparable.",
            ),
            wrong(
                "language",
                "It can be compared if both use log base 2",
                "The base cancels in this form. The scale of the grades does not.",
            ),
        ],
        task=(
            "Build `grades` from 0 to 4 whose NDCG moves by 0.05 or more when 1 and up is called relevant "
            "and the rest not."
        ),
        parameters=["grades"],
        judge=scale_matters,
        example=[[1, 1, 4, 0]],
        reread=["05", "10"],
    ),
    Myth(
        "myth/15",
        "One of ten equally relevant documents found, at rank 1: NDCG@10 is high.",
        [
            right(
                "ideal-knows",
                "It is low: the ideal holds all ten, and nine of those are missing here",
                f"It is {three(ndcg([1], 10, judged=[1] * 10))}. It looks high only when the ideal is taken "
                "from the returned list.",
            ),
            wrong(
                "depends-on-nine",
                "It depends on how the other nine places are filled",
                "They are filled with documents that are not relevant, in whatever order. That adds nothing.",
            ),
            wrong(
                "recall-only",
                "Nothing: only recall sees what is missing",
                "NDCG sees it through the ideal, as long as that is made from all that was judged.",
            ),
        ],
        task=(
            "Build a ranking `grades` with one relevant document, on top, and all that was `judged`, ten "
            "relevant or more, with NDCG@10 below 0.3."
        ),
        parameters=["grades", "judged"],
        judge=one_of_many,
        example=[[1] + [0] * 9, [1] * 10 + [0] * 9],
        reread=["04", "05"],
    ),
    Myth(
        "myth/19",
        "The mean NDCG leans towards the users who have many relevant items.",
        [
            right(
                "once-each",
                "Each user counts once in the mean, however many relevant items there are",
                "What differs is the range of scores that a user can get: with one relevant item a single "
                "place moves NDCG a lot, with nine hardly at all.",
            ),
            wrong(
                "weighted",
                "It does, and the weights have to be taken out by hand",
                "A plain mean has no weights. Summing all DCG and all ideal DCG first would be such a "
                "weighting.",
            ),
            wrong("few", "It leans towards the users with few relevant items", "Neither: each counts once."),
        ],
        task=(
            "Build the lists of two users: `b` has at least five times as many relevant items as `a`, and "
            "their NDCG differs by 0.1 or more. Where does the mean lie?"
        ),
        parameters=["a", "b"],
        judge=each_counts_once,
        example=[[0, 1, 0], [1, 1, 1, 1, 1, 0]],
        reread=["05", "10"],
    ),
    Myth(
        "myth/02",
        "NDCG is only DCG on another scale, so I may as well compare queries by DCG.",
        [
            right(
                "own-ideal",
                "DCG also says how much there was to gain, which differs from query to query",
                "A query with many relevant documents reaches a DCG that another cannot. Dividing by each "
                "query's own ideal takes that out.",
            ),
            wrong(
                "too-long",
                "Nothing, as long as both lists have the same length",
                "Equal length does not make equal chances: one query may have ten relevant documents, the "
                "other a single one.",
            ),
            wrong(
                "logarithm",
                "DCG has to be turned into a logarithm first",
                "The logarithm is in the discount already. What is missing is the ideal.",
            ),
        ],
        task="Build the lists of two queries, `a` and `b`: the one with the higher DCG has the lower NDCG.",
        parameters=["a", "b"],
        judge=raw_dcg_misleads,
        example=[[0, 0, 3, 3, 3], [1, 0, 0]],
        reread=["05"],
    ),
    Myth(
        "myth/18",
        "Linear or exponential gain only stretches the scale: the better ranking stays the better one.",
        [
            right(
                "flip",
                "The exponential gain pulls high grades apart, and that can change the winner",
                f"A grade 3 is worth {gain(3, 'exponential'):g}, a grade 2 only {gain(2, 'exponential'):g}: "
                "one very good document may outweigh three good ones.",
            ),
            wrong(
                "binary",
                "It matters for binary grades too",
                "Grades 0 and 1 have the gains 0 and 1 in both. There it makes no difference at all.",
            ),
            wrong(
                "ndcg",
                "It matters for DCG, but cancels in NDCG",
                "It is not a factor: it changes grades by different amounts, so it does not cancel.",
            ),
        ],
        task=(
            "Build two lists, `a` and `b`, of which one has the higher DCG with linear gain and the other "
            "with exponential gain."
        ),
        parameters=["a", "b"],
        judge=gain_flips,
        example=[[2, 2, 2], [3, 0, 0]],
        reread=["03"],
    ),
    Myth(
        "myth/16",
        "8 of 10 results are right, so the list is good.",
        [
            right(
                "order",
                "It depends on where the two wrong ones are",
                "At ranks 1 and 2 they are all that many people see. A share does not look at places.",
            ),
            wrong(
                "need-nine",
                "80 % is too little; 90 % would be good",
                "At any share below 100 % the wrong ones can be on top.",
            ),
            wrong(
                "recall",
                "It depends on recall alone",
                "What was missed matters too, but the order of these ten matters already.",
            ),
        ],
        task=(
            "Build two orders of the same documents, `a` and `b`, at least 80 % of them relevant, whose "
            "NDCG differs by 0.1 or more."
        ),
        parameters=["a", "b"],
        judge=good_share_bad_order,
        example=[[1] * 8 + [0] * 2, [0] * 2 + [1] * 8],
        reread=["01"],
    ),
    Myth(
        "myth/04",
        "P@10 is 0.9. The users see one page, so recall does not matter.",
        [
            right(
                "buried",
                "P@10 cannot tell whether ten or ten thousand relevant documents were missed",
                "Nine of ten good results may be nine of nine hundred. Whether that matters depends on the "
                "task; P@10 cannot say.",
            ),
            wrong(
                "too-high",
                "A P@10 of 0.9 is not reachable, so there must be a fault",
                "It is, wherever ten relevant documents are easy to find.",
            ),
            wrong(
                "implied",
                "Nothing: a high precision implies a high recall",
                "The two often pull in opposite directions. One sure hit gives P@1 = 1 and next to no "
                "recall.",
            ),
        ],
        task=(
            "Build a ranking `grades` with P@10 of at least 0.9, and all that was `judged`, so that "
            "recall@10 is at most 0.1."
        ),
        parameters=["grades", "judged"],
        judge=precise_and_lost,
        example=[[1] * 9 + [0], [1] * 90 + [0]],
        reread=["06"],
    ),
    Myth(
        "myth/06",
        "P@k grows with k: the more results, the more hits.",
        [
            right(
                "divisor-grows",
                "The hits grow with k, but so does the divisor",
                "One more result that is not relevant adds nothing above the line and one below it.",
            ),
            wrong(
                "hits-fall",
                "The number of hits falls as k grows",
                "It never falls: what was in the top k stays in the top k + 1. The share may fall.",
            ),
            wrong(
                "always-falls",
                "P@k can only fall as k grows",
                "It rises when the next document is relevant and the share was below 1.",
            ),
        ],
        task="Build `grades` whose P@k falls somewhere as k grows.",
        parameters=["grades"],
        judge=precision_falls,
        example=[[1, 0]],
        reread=["06"],
    ),
    Myth(
        "myth/07",
        "Average precision is what it says: the average of P@1, P@2, P@3 and so on.",
        [
            right(
                "at-hits",
                "It averages precision at the relevant ranks only, over all relevant documents",
                "Ranks without a hit are left out of the sum, and the divisor is the number of relevant "
                "documents.",
            ),
            wrong(
                "median",
                "It is the median of these values",
                "It is a mean, but of other values: the precision at each relevant rank.",
            ),
            wrong(
                "k-only",
                "It is the average of P@k over several queries",
                "That is the mean P@k. AP is a score of one query.",
            ),
        ],
        task="Build `grades` whose AP is not the mean of P@k over all its ranks.",
        parameters=["grades"],
        judge=ap_is_not_the_mean,
        example=[[0, 1]],
        reread=["07"],
    ),
    Myth(
        "myth/14",
        "For AP I divide by the number of relevant documents I found.",
        [
            right(
                "all-relevant",
                "The divisor is the number of all relevant documents, found or not",
                "Divided by the hits, a ranker that returns one sure hit and nothing else would be perfect.",
            ),
            wrong(
                "by-k",
                "The divisor is k, the length of the list",
                "Then a query with two relevant documents could never reach 1 at k = 10.",
            ),
            wrong(
                "by-min",
                "The divisor is the smaller of k and the number of relevant documents",
                "Some libraries do that, and it is another metric under the same name. This course follows "
                "trec_eval: all relevant.",
            ),
        ],
        task=(
            "Build a ranking `grades` and all that was `judged`, for which dividing by the hits gives a "
            "higher AP."
        ),
        parameters=["grades", "judged"],
        judge=divided_by_hits,
        example=[[1, 0], [1, 1, 0]],
        reread=["07"],
    ),
    Myth(
        "myth/13",
        "MAP is stricter than the other metrics: it punishes a query without any hit.",
        [
            right(
                "all-zero",
                "So do NDCG, RR, recall and hit rate: each gives such a query 0",
                "AP is 0 there, as they are. The mean of each feels it the same way.",
            ),
            wrong(
                "negative",
                "MAP gives such a query a negative score",
                "No metric of this course is ever negative.",
            ),
            wrong(
                "left-out",
                "MAP leaves such a query out",
                "It counts 0 and stays in the mean, as long as there was something to find.",
            ),
        ],
        task=(
            "Build a ranking `grades` and all that was `judged`: a total miss, although there was something "
            "to find."
        ),
        parameters=["grades", "judged"],
        judge=every_metric_gives_zero,
        example=[[0, 0], [1, 0, 0]],
        reread=["07", "09"],
    ),
    Myth(
        "myth/12",
        "MRR may only be used where there is exactly one right answer.",
        [
            right(
                "first-of-many",
                "It is defined for any number of right answers; it looks at the first",
                "The question is whether the first is all the user needs, not how many there are.",
            ),
            wrong(
                "average-rank",
                "With several answers it takes their mean rank",
                "It takes the first one alone.",
            ),
            wrong(
                "undefined",
                "With several answers it must be divided by their number",
                "There is no such divisor. That would be a step towards AP.",
            ),
        ],
        task="Build `grades` with two or more relevant documents, and see what RR makes of them.",
        parameters=["grades"],
        judge=rr_with_many,
        example=[[0, 1, 1]],
        reread=["08"],
    ),
    Myth(
        "myth/03",
        "MRR is easy to compute and to explain, so I use it for every search.",
        [
            right(
                "first-only",
                "It sees the first hit alone, so where several are needed it misses most of the ranking",
                "For a search where people read on, MAP or NDCG looks at the rest of the list.",
            ),
            wrong(
                "too-coarse",
                "It can only take a few values, so means of it are worthless",
                "Over many queries the mean is fine enough. The trouble is what it does not look at.",
            ),
            wrong(
                "not-defined",
                "It is not defined for queries with several relevant documents",
                "It is: one over the rank of the first. The others are not looked at.",
            ),
        ],
        task=(
            "Build two orders of the same documents, `a` and `b`, with the same RR and an AP that differs "
            "by 0.1 or more."
        ),
        parameters=["a", "b"],
        judge=rr_misses_the_rest,
        example=[[1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 1, 1]],
        reread=["08", "09"],
    ),
    Myth(
        "myth/01",
        "MAP and NDCG both lie between 0 and 1 and both want good documents early, so either will do.",
        [
            right(
                "different-input",
                "They read different labels and can prefer different rankings",
                "AP knows yes and no, NDCG knows grades, and they weigh ranks differently. Say which one "
                "you report, and why.",
            ),
            wrong(
                "same-scale",
                "Nothing: with the same range they measure the same",
                "Temperature and humidity can both be put between 0 and 1. The range says nothing about "
                "what is measured.",
            ),
            wrong(
                "one-is-right",
                "NDCG is right, MAP is out of date",
                "Each answers its own question. With binary labels and every relevant document mattering, "
                "MAP is a sound choice.",
            ),
        ],
        task=(
            "Build two orders of the same documents, `a` and `b`, of which AP prefers one and NDCG the other."
        ),
        parameters=["a", "b"],
        judge=map_and_ndcg_disagree,
        example=[[3, 0, 0, 1, 1], [1, 1, 0, 0, 3]],
        reread=["09"],
    ),
    Myth(
        "myth/17",
        "AUC moved by less than a tenth, so users will not notice the change.",
        [
            right(
                "pairs",
                "AUC weighs every pair alike, so a large change at the top is a small change of AUC",
                "From rank 1 to rank 10 of a hundred, one document passes 9 of 99 others. On the page it "
                "has gone from first to last.",
            ),
            wrong(
                "too-sensitive",
                "AUC overreacts: it follows the top ranks alone",
                "It is the other way round: it reacts to the whole list alike.",
            ),
            wrong(
                "threshold",
                "AUC depends on a threshold that has to be set first",
                "It needs no threshold. It counts pairs in the right order.",
            ),
        ],
        task=(
            "Build two orders of the same documents, `a` and `b`: AUC differs by 0.1 at most, NDCG by 0.5 "
            "or more."
        ),
        parameters=["a", "b"],
        judge=auc_sleeps,
        example=[[1] + [0] * 99, [0] * 9 + [1] + [0] * 90],
        reread=["09"],
    ),
]
