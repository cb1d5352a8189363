"""How long a notebook takes, reckoned from what is in it.

Reading goes at 130 words a minute, which is slow, because formulas and tables stand among the words. A code
cell takes half a minute to read and run, a slider widget two minutes to try, a question one minute, a list to
build against a misconception two more, an exercise six, and twice that if its solution is long. The sum is
rounded up to the next five minutes, and the notebook's first cell says it.

    python tools/minutes.py        what each notebook says, and what is reckoned
"""

import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rankedu import exercises  # noqa: E402 - the package of this checkout
from tools.notebook_rules import Book  # noqa: E402 - tools/ is in the checkout, not in the environment
from tools.readme import minutes as stated  # noqa: E402

WORDS_A_MINUTE = 130
MINUTES = {
    "code cell": 0.5,
    "widget": 2,
    "question": 1,
    "list to build": 2,
    "exercise": 6,
    "long exercise": 6,
}
LONG = 12  # lines of a solution, without its docstring


def long_exercises() -> list[str]:
    """The ids of the exercises whose solution is longer than LONG lines; they count twice."""
    functions = [ex for ex in exercises.all() if "def " in ex.stub]
    return [ex.id for ex in functions if len(ex.text.splitlines()) - len(ex.stub.splitlines()) >= LONG]


SIGNS = {
    "widget": r"\b(?:RankingSliders|MetricExplorer|Live|Disagreement)\(",
    "question": r"\.ask\(",
    "list to build": r"\"myth/\d+\"\)\.ask\(",
    "exercise": r"\.check\(\s*\w+\s*\)",
    "long exercise": "|".join(rf'"{id}"\)\.check\(' for id in long_exercises()),
}


def words(book: Book) -> int:
    """The words of the text cells; formulas count as one word a symbol."""
    return sum(len(re.findall(r"[\w@+-]+", text)) for _, text in book.texts)


def spent(book: Book) -> float:
    """The minutes that the notebook, or part of one, takes."""
    total = words(book) / WORDS_A_MINUTE + len(book.code) * MINUTES["code cell"]
    for kind, sign in SIGNS.items():
        uses = [len(re.findall(sign, cell.source, flags=re.MULTILINE)) for _, cell in book.code]
        # A cell shows one widget: a Live with sliders in it is not tried twice.
        total += sum(min(n, 1) if kind == "widget" else n for n in uses) * MINUTES[kind]
    return total


def reckon(book: Book) -> int:
    """The minutes that the notebook takes, rounded up to the next five."""
    return 5 * math.ceil(spent(book) / 5)


def main() -> None:
    for folder in ("notebooks", "exercises"):
        for path in sorted((ROOT / folder).glob("*.ipynb")):
            book = Book.read(path)
            print(f"{path.relative_to(ROOT)}: says {stated(book)}, reckoned {reckon(book)}")


if __name__ == "__main__":
    main()
