"""Ten questions that interviewers ask about ranking metrics, from easy to expert."""

import math

from rankedu.metrics import average_precision, discount, ndcg, precision_at_k, reciprocal_rank

from ._question import Option, Question

EVERY_OTHER = [1, 0, 1, 0, 1]

QUESTIONS = [
    Question(
        "interview/01",
        "In information retrieval, what does it mean that a document is relevant?",
        [
            Option(
                "fits-the-query",
                "It answers the need behind the query",
                "Relevance is a relation between a query and a document: the same page is relevant to one "
                "query and not to the next. Every metric starts from this judgment.",
                right=True,
            ),
            Option(
                "like-other-documents",
                "It resembles the other documents in the collection",
                "That is similarity of documents. Two pages may be near copies and both useless for this "
                "query.",
            ),
            Option(
                "long",
                "It covers its subject at length",
                "Length is a property of the document alone. Without a query there is no relevance to speak "
                "of.",
            ),
            Option(
                "recent",
                "It was published or updated recently",
                "For some queries freshness is part of the need, but it does not define relevance: for a "
                "question about a historic text the newest page may miss the point.",
            ),
        ],
        difficulty="easy",
        reread=["01"],
    ),
    Question(
        "interview/02",
        "How is precision at k, P@k, calculated?",
        [
            Option(
                "by-k",
                "Relevant documents in the top k, divided by k",
                "The share of the first k places that is well used. k stays the divisor even when fewer "
                "than k documents came back.",
                right=True,
            ),
            Option(
                "recall",
                "Relevant documents in the top k, divided by all relevant documents",
                "That is recall at k. The count above the line is the same; precision asks about the "
                "places, recall about the documents there were to find.",
            ),
            Option(
                "share-irrelevant",
                "Irrelevant documents in the top k, divided by k",
                "That is 1 - P@k: the share of the top k that was wasted.",
            ),
            Option(
                "all-relevant",
                "All relevant documents, divided by k",
                "This never looks at the ranking: any order of the results would get the same number, and "
                "it may exceed 1.",
            ),
        ],
        difficulty="easy",
        reread=["06"],
    ),
    Question(
        "interview/03",
        "For which task is the mean reciprocal rank, MRR, the best fit?",
        [
            Option(
                "one-answer",
                "Answering questions where the first good answer is all the user needs",
                "MRR looks at the rank of the first relevant result and at nothing after it, which is what "
                "such a user does. It is defined with many right answers too; it does not look at the rest "
                "of them.",
                right=True,
            ),
            Option(
                "graded",
                "Ranking products whose relevance has several levels",
                "MRR knows only yes and no: a fair match on top scores as high as a perfect one. NDCG uses "
                "the levels.",
            ),
            Option(
                "clustering",
                "Clustering a large collection that has no labels",
                "There is no ranked list here and no judgment of what is relevant, so there is no first hit.",
            ),
            Option(
                "diversity",
                "Checking that a long summary covers many topics",
                "Coverage is about the set of things said. MRR stops at the first hit and cannot see the "
                "rest.",
            ),
        ],
        difficulty="easy",
        reread=["08", "09"],
    ),
    Question(
        "interview/04",
        "A query has one relevant document, and it is returned at rank 3. What is the reciprocal rank, to "
        "three decimals?",
        [
            Option(
                "inverse",
                f"{reciprocal_rank([0, 0, 1]):.3f}",
                "One divided by the rank of the first relevant document: 1 / 3.",
                right=True,
            ),
            Option(
                "rank-itself",
                f"{1 / reciprocal_rank([0, 0, 1]):.3f}",
                "That is the rank itself. Its reciprocal is 1 / 3, so that an earlier hit scores higher and "
                "no score exceeds 1.",
            ),
            Option(
                "hit-rate",
                f"{1:.3f}",
                "Found somewhere in the list is what the hit rate asks. The reciprocal rank is 1 only when "
                "the hit is at rank 1.",
            ),
            Option(
                "log-discount",
                f"{discount(3):.3f}",
                "That is the weight NDCG gives to rank 3, 1 / log2(3 + 1). The reciprocal rank falls "
                "faster: 1 / 3.",
            ),
        ],
        difficulty="medium",
        reread=["08"],
    ),
    Question(
        "interview/05",
        "Which statements about NDCG are true?",
        [
            Option(
                "graded",
                "It accepts relevance with several levels",
                "Each grade enters as a gain, so a perfect match on top earns more than a fair one.",
                right=True,
            ),
            Option(
                "needs-ideal",
                "It divides by the DCG of the best possible order",
                "That is the N: divided by the ideal DCG at the same cut-off, a score is a share of what "
                "could have been reached for this query.",
                right=True,
            ),
            Option(
                "raw-dcg-comparable",
                "Its DCG can be compared between queries as it is",
                "A query with ten relevant documents reaches a DCG that a query with one cannot. Only after "
                "dividing by each query's own ideal do the scores share a scale.",
            ),
            Option(
                "weight-grows",
                "The weight of a rank grows with the rank",
                f"It shrinks: 1 / log2(i + 1) is {discount(1):.3f} at rank 1, {discount(2):.3f} at rank 2 "
                f"and {discount(10):.3f} at rank 10.",
            ),
        ],
        difficulty="medium",
        many=True,
        reread=["03", "05"],
    ),
    Question(
        "interview/06",
        "What is the average precision, AP, of one query?",
        [
            Option(
                "precision-at-hits",
                "The precision at the rank of each relevant document, averaged over all relevant documents",
                "Walk down the list, note P@i at every hit, add them up and divide by R, the number of all "
                "relevant documents. One that was never returned adds 0.",
                right=True,
            ),
            Option(
                "recall-at-misses",
                "The recall at the rank of each irrelevant document, averaged over the irrelevant ones",
                "Both halves are turned round: AP reads precision, and it reads it at the relevant ranks.",
            ),
            Option(
                "first-hit",
                "One divided by the rank of the first relevant document",
                "That is the reciprocal rank. The two agree when there is one relevant document, and can "
                "part ways from the second on.",
            ),
            Option(
                "mean-over-ranks",
                "P@1, P@2, P@3 and so on, averaged over all ranks of the list",
                f"The ranks without a hit do not count. For [0, 1], AP is {average_precision([0, 1]):.2f}; "
                "the mean of P@1 and P@2 is "
                f"{(precision_at_k([0, 1], 1) + precision_at_k([0, 1], 2)) / 2:.2f}.",
            ),
        ],
        difficulty="medium",
        reread=["07"],
    ),
    Question(
        "interview/07",
        "Which statements about MAP are true?",
        [
            Option(
                "early-hits",
                "Moving a relevant document up past one that is not raises it",
                "Each miss less above a hit raises the precision read there, so AP rises, and MAP with it.",
                right=True,
            ),
            Option(
                "mean-of-ap",
                "It is the mean of AP over the queries",
                "AP scores one query; MAP is the plain mean, each query counting once.",
                right=True,
            ),
            Option(
                "graded-only",
                "It needs relevance with several levels",
                "It is the other way round: AP knows only relevant and not relevant. Levels have to be cut "
                "at a threshold first.",
            ),
            Option(
                "depth-free",
                "It is fair to compare MAP of lists cut at 10 with MAP of lists cut at 100",
                "AP is defined for a list of any length, but a deeper list has more chances to collect "
                "hits: the comparison is about the depth. Cut both at the same rank.",
            ),
        ],
        difficulty="medium",
        many=True,
        reread=["07"],
    ),
    Question(
        "interview/08",
        "In NDCG with the discount `1 / log2(i + 1)`, ranks starting at i = 1, what is the weight of rank 3?",
        [
            Option(
                "rank-3",
                f"{discount(3):.3f}",
                "1 / log2(4): the logarithm is taken of the rank plus one, and log2(3 + 1) is 2.",
                right=True,
            ),
            Option(
                "no-plus-one",
                f"{1 / math.log2(3):.3f}",
                "1 / log2(3): here the + 1 was forgotten. This is the weight of rank 2, and without the + 1 "
                "rank 1 would be divided by log2(1), which is 0.",
            ),
            Option(
                "rank-1",
                f"{discount(1):.3f}",
                "1 / log2(2): that is rank 1, the only one that counts in full.",
            ),
            Option(
                "plus-two",
                f"{discount(4):.3f}",
                "1 / log2(5): that is rank 4. A + 2 belongs to code that counts from 0: with index 2 for "
                "rank 3, log2(2 + 2) is log2(4) again.",
            ),
        ],
        difficulty="hard",
        reread=["03"],
    ),
    Question(
        "interview/09",
        "Which of these are sound choices when evaluating rankings at work?",
        [
            Option(
                "ndcg-for-shops",
                "NDCG for a shop, where a purchase says more than a click",
                "Behaviour of several strengths makes graded labels, and NDCG is the metric that reads them.",
                right=True,
            ),
            Option(
                "mrr-for-answers",
                "MRR for a question-answering bot that is judged by its first good answer",
                "The user stops at the first good answer, and so does MRR.",
                right=True,
            ),
            Option(
                "precision-alone",
                "P@k alone for a literature search, leaving recall out",
                "Someone who must not miss a study needs to know how many were missed. P@k cannot say: it "
                "never asks how many relevant papers there are.",
            ),
            Option(
                "map-is-ndcg",
                "Either of MAP and NDCG, since the two always agree",
                "MAP reads yes and no, NDCG reads grades, and they weigh ranks differently. With the "
                "relevant ones of 8 documents at ranks 1, 7, 8 or 2, 3, 6, NDCG prefers the first list "
                f"({ndcg([1, 0, 0, 0, 0, 0, 1, 1]):.3f} to {ndcg([0, 1, 1, 0, 0, 1, 0, 0]):.3f}), AP the "
                f"second ({average_precision([1, 0, 0, 0, 0, 0, 1, 1]):.3f} to "
                f"{average_precision([0, 1, 1, 0, 0, 1, 0, 0]):.3f}).",
            ),
        ],
        difficulty="hard",
        many=True,
        reread=["09"],
    ),
    Question(
        "interview/10",
        "A query has 3 relevant documents. The results are relevant, not, relevant, not, relevant. What is "
        "AP, to three decimals?",
        [
            Option(
                "by-r",
                f"{average_precision(EVERY_OTHER):.3f}",
                "The hits are at ranks 1, 3 and 5, with precision 1/1, 2/3 and 3/5 there; their sum divided "
                "by 3.",
                right=True,
            ),
            Option(
                "by-length",
                f"{average_precision(EVERY_OTHER) * 3 / 5:.3f}",
                "The sum of the precisions is right, but it was divided by 5, the length of the list. The "
                "divisor is the number of relevant documents.",
            ),
            Option(
                "ndcg",
                f"{ndcg(EVERY_OTHER):.3f}",
                "That is the NDCG of the same list. AP reads the precision at each hit instead of a "
                "discount.",
            ),
            Option(
                "plain-precision",
                f"{precision_at_k(EVERY_OTHER, 5):.3f}",
                "That is P@5, 3 of 5, which would be the same in any order. AP also reads the precision at "
                "ranks 1 and 3.",
            ),
        ],
        difficulty="expert",
        reread=["07"],
    ),
]
