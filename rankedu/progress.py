"""What the learner has done so far, kept in one file that is never lost.

This module records, shows, moves and merges; what is worth recording, the exercises and the quiz decide.
It imports nothing of the package, so everything may use it.

One file of JSON holds a list of *records*, oldest first. A record is what happened once: a check with its
verdict and the mistake it named, a question answered, a hint or a solution looked at. Nothing else is kept,
above all not the learner's code, name or machine. Records are only ever added, so two files are merged by
taking what is in either: `load` can be repeated, and two notebooks at once lose nothing.

Where the file is: `RANKEDU_PROGRESS` if it is set (a path; a folder means `progress.json` in it; a relative
path starts at your home folder, since notebooks differ in their current folder). `off` keeps progress in
memory alone, until the kernel stops. Left unset, it is the place the system gives to a program's data:

| system | file |
|---|---|
| Linux | `$XDG_DATA_HOME/rankedu/progress.json`, by default under `~/.local/share` |
| macOS | `~/Library/Application Support/rankedu/progress.json` |
| Windows | `%LOCALAPPDATA%\\rankedu\\progress.json` |

It is never in the checkout, so that `git pull` is never in its way.

What cannot be saved is said once, on stderr, and in `show()`. The course goes on, and the records stay in
memory, from where `export` can still write them elsewhere.
"""

import contextlib
import html
import importlib
import itertools
import json
import os
import re
import secrets
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

__all__ = ["LESSONS", "export", "load", "read_class", "record", "records", "reset", "show", "trouble"]

FORMAT = "rankedu-progress"
VERSION = 1

LESSONS = {
    "00": "Start here",
    "01": "Relevance grading",
    "02": "Cumulative gain",
    "03": "Discounted cumulative gain",
    "04": "Ideal DCG",
    "05": "NDCG",
    "06": "Precision and recall",
    "07": "Average precision",
    "08": "Reciprocal rank",
    "09": "Choosing a metric",
    "10": "Evaluation in practice",
    "11": "Your own data",
}
_GROUPS = {
    **LESSONS,
    "interview": "Interview questions",
    "myth": "Misconceptions",
    "bug": "Bug hunt",
    "capstone": "Capstone",
}

_COLUMNS = ("exercise", "quiz")
_OFF = None
_LOCK_WAIT = 2.0
_guard = threading.RLock()
_unsaved = defaultdict(list)  # by place, so that a changed RANKEDU_PROGRESS does not carry records over
_said = set()
_trouble = {}
_last_time = datetime.fromtimestamp(0, UTC)


class _Newer(Exception):
    """The file was written by a later version of the course."""


class _Damaged(Exception):
    """The file is not a progress file, or only part of one; `args[0]` is what could be read of it."""


# --- what notebooks call ----------------------------------------------------------------------------


def record(kind, id, **facts):
    """Add one record, such as `record("exercise", "05/ndcg", status="incorrect", mistake="log-base")`.

    `kind` is "exercise", "quiz", "hint", "solution" or any other word, `id` names what it happened to,
    `facts` are plain values: text, numbers, lists of these. Never raises and never stops a lesson: what goes
    wrong is said once, and the record is kept in memory and written with the next one.
    """
    try:
        with _guard:
            _unsaved[_place()].append(_as_record(kind, id, facts))
            _exchange()
    except Exception as problem:  # a course must not stop because its diary cannot be written
        _say("unexpected", f"Progress could not be recorded ({type(problem).__name__}: {problem}).")


def records():
    """Every record so far, oldest first: a list of dicts with "kind", "id", "at" (UTC) and the facts."""
    with _guard:
        return [dict(r) for r in _exchange(write=False).records]


def show():
    """What is done, lesson by lesson: an object that draws itself, and prints as plain text."""
    return _Summary(records(), _totals(), _note())


def reset():
    """Forget everything. What there was moves to a file beside, whose name is printed, for `load`."""
    with _guard:
        place = _place()
        kept = _exchange()
        _unsaved[place].clear()
        if place is not _OFF and place.exists():
            with _locked(place):
                kept = _File(kept.owner, _union(kept.records, _read(place).records))
                if kept.records:
                    aside = place.with_name(f"{place.stem}.before-reset{place.suffix}")
                    _write(aside, kept)
                    print(f"progress.load({str(aside)!r}) brings back what was there.")
                _write(place, _File(kept.owner, []))
    print("Progress is empty.")


def export(path):
    """Write a copy of your progress to `path` and return where it is; a folder gets `rankedu-progress.json`.

    For a Binder session, which forgets everything when it ends, and for handing in. An existing
    progress file is replaced, any other file is refused with a `ValueError`.
    """
    target = Path(path).expanduser()
    if target.is_dir():
        target /= "rankedu-progress.json"
    if target.exists():
        try:
            _parse(target.read_text("utf-8"))
        except (_Newer, _Damaged, UnicodeDecodeError):
            raise ValueError(
                f"path must not be an existing file of another kind; got {str(target)!r}"
            ) from None
    with _guard:
        _write(target, _exchange(write=False))
    return target


def load(path):
    """Add the records of an exported file to your own and return `show()`.

    Loading the same file twice changes nothing. `FileNotFoundError` if there is none, `ValueError` if it is
    not a progress file or a newer version's.
    """
    source = Path(path).expanduser()
    if source.is_dir():
        source /= "rankedu-progress.json"
    found = _read_for_others(source)
    with _guard:
        _unsaved[_place()].extend(found.records)
        _exchange(owner=found.owner)
    return show()


def trouble():
    """Why progress is not being saved, as a sentence, or None when all is well or it was turned off."""
    with _guard:
        return _trouble.get(_place())


def read_class(paths):
    """The progress of many learners together: which mistakes they made, how often, and what they solved.

    `paths` is a list of exported files, or one folder that holds them (`*.json`, folders in it included).
    Files of one learner are counted once. A file that cannot be read is listed in `.unread`, not fatal.
    The result draws itself as tables; `.mistakes`, `.tasks`, `.learners` are the rows, `.picture()` a figure.
    """
    if isinstance(paths, (str, os.PathLike)):
        folder = Path(paths).expanduser()
        if not folder.exists():
            raise FileNotFoundError(
                f"paths must be an existing folder or a list of files; got {str(folder)!r}"
            )
        paths = sorted(folder.rglob("*.json")) if folder.is_dir() else [folder]
    merged, names, unread = {}, defaultdict(list), []
    for path in map(Path, paths):
        try:
            found = _read_for_others(path)
        except (OSError, ValueError) as problem:
            unread.append((str(path), str(problem)))
            continue
        seen = merged.setdefault(found.owner, {})
        seen.update((_key(r), r) for r in found.records)
        names[found.owner].append(path.stem)
    people = {owner: sorted(rows.values(), key=lambda r: r["at"]) for owner, rows in merged.items()}
    labels = {owner: " + ".join(stems) for owner, stems in names.items()}
    return _Class(people, labels, unread)


# --- the file ---------------------------------------------------------------------------------------


class _File(NamedTuple):
    owner: str  # a random word that tells learners' files apart without saying who they are
    records: list


_memory_owner = secrets.token_hex(8)


def _as_record(kind, id, facts):
    global _last_time
    # Two records of one process never share a time: the time is part of what tells records apart.
    _last_time = max(datetime.now(UTC), _last_time + timedelta(microseconds=1))
    row = {"at": _last_time.isoformat(timespec="microseconds"), "kind": str(kind), "id": str(id)}
    row |= {name: value for name, value in facts.items() if value is not None and name not in row}
    return json.loads(json.dumps(row, default=_plain))


def _plain(value):
    return value.item() if getattr(value, "ndim", None) == 0 else str(value)


def _key(row):
    """What tells records apart: no notebook notes two things in the same microsecond."""
    return row["at"], row["kind"], row["id"]


def _union(*lists):
    """What is in any of the lists, once each, oldest first."""
    return sorted({_key(row): row for rows in lists for row in rows}.values(), key=lambda row: row["at"])


def _place():
    """The file in use, or _OFF. A newer version's file is left alone for one of this version beside it."""
    setting = os.environ.get("RANKEDU_PROGRESS", "").strip()
    if setting.lower() == "off":
        return _OFF
    if setting:
        place = _home() / Path(setting).expanduser()
        place = place / "progress.json" if os.path.isdir(place) else place
    else:
        place = _data_folder() / "rankedu" / "progress.json"
    place = Path(os.path.realpath(place))  # a link stays a link when the file behind it is replaced
    with contextlib.suppress(OSError):
        version = _version_of(place)
        if version > VERSION:
            beside = place.with_name(f"{place.stem}.v{VERSION}{place.suffix}")
            _say(
                f"newer {place}",
                f"{place} was written by a newer version of this course (format {version}; this one knows "
                f"{VERSION}). It stays as it is, and new records go to {beside}. Update the course to go on "
                "with the newer file; progress.load adds the other.",
            )
            return beside
    return place


def _home():
    try:
        return Path.home()
    except RuntimeError:  # a user without a home folder, as in some containers
        return Path(tempfile.gettempdir())


def _data_folder():
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or _home() / ".local" / "share")


def _exchange(write=True, owner=None):
    """Bring memory and file together, as a _File: what is unsaved is written, unless `write` is False.

    `owner` is taken over when there was nothing yet: a file loaded into an empty place is the same learner.
    """
    place = _place()
    if place is _OFF:
        return _File(_memory_owner, _union(_unsaved[place]))
    kept = _File(_memory_owner, [])
    try:
        if not write:
            kept = _read(place)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            with _locked(place) as alone:
                kept = _read(place, keep_damaged=True)
                owner = owner if owner and not kept.records else kept.owner
                kept = _File(owner, _union(kept.records, _unsaved[place]))
                _write(place, kept)
                _sweep(place)
            # Without the lock another notebook may still write over ours: hold on to it for the next time.
            if alone:
                _unsaved[place].clear()
            _trouble.pop(place, None)
    except (OSError, _Newer) as problem:
        reason = (
            f"it is of format {problem}, newer than this course"
            if isinstance(problem, _Newer)
            else problem.strerror or str(problem)
        )
        _trouble[place] = (
            f"Progress cannot be saved to {place} ({reason}). The course works all the same, and what you do "
            "is remembered until the kernel stops. progress.export(path) writes it to another place; "
            "RANKEDU_PROGRESS, set before JupyterLab starts, changes the place."
        )
        _say(f"unsaved {place}", _trouble[place])
        with contextlib.suppress(OSError, _Newer):
            kept = _read(place)
    return _File(kept.owner, _union(kept.records, _unsaved[place]))


def _read(place, keep_damaged=False):
    """The file's content; of a damaged one whatever can be read, after a copy was put aside."""
    try:
        text = place.read_text("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return _File(_memory_owner, [])
    try:
        return _parse(text)
    except _Damaged as damage:
        (rescued,) = damage.args
        if keep_damaged:
            aside = _unused(place.with_name(f"{place.stem}.damaged{place.suffix}"))
            shutil.copyfile(place, aside)
            _say(
                f"damaged {aside}",
                f"The progress file was damaged. It is kept as {aside}; the records that could be read from "
                f"it ({len(rescued)}) go on in a new one.",
            )
        return _File(_memory_owner, rescued)


def _read_for_others(path):
    """The content of a file that someone chose: what is wrong with it is an error."""
    try:
        return _parse(path.read_text("utf-8-sig"))
    except _Newer as newer:
        raise ValueError(f"path must be of format {VERSION} or older; {str(path)!r} is of {newer}") from None
    except (_Damaged, UnicodeDecodeError):
        raise ValueError(f"path must be a progress file that export() wrote; got {str(path)!r}") from None


def _parse(text):
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if isinstance(content, dict) and content.get("format") == FORMAT:
        version = content.get("version")
        if isinstance(version, int) and version > VERSION:
            raise _Newer(version)
        rows = content.get("records")
        if isinstance(rows, list) and all(map(_is_record, rows)) and isinstance(content.get("owner"), str):
            return _File(content["owner"], rows)
    raise _Damaged(_rescue(text))


def _rescue(text):
    """The records of a damaged file that are whole: each stands on a line of its own."""
    found = []
    for line in text.splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line.strip().rstrip(","))
            found += [row] if _is_record(row) else []
    return found


def _is_record(row):
    return isinstance(row, dict) and all(isinstance(row.get(name), str) for name in ("at", "kind", "id"))


def _version_of(place):
    """The version that the file's first words name; what does not name one is looked at when it is read."""
    with open(place, encoding="utf-8-sig", errors="replace") as file:
        named = re.match(rf'\s*{{\s*"format"\s*:\s*"{FORMAT}"\s*,\s*"version"\s*:\s*(\d+)', file.read(200))
    return int(named[1]) if named else VERSION


def _unused(path):
    numbered = (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in itertools.count(2))
    return next(p for p in itertools.chain([path], numbered) if not p.exists())


def _write(place, content):
    """Replace the file in one step, so that a crash leaves the old one or the new one, whole."""
    place.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps({"format": FORMAT, "version": VERSION, "owner": content.owner})
    rows = ",\n".join(json.dumps(row) for row in content.records)
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=f".{place.stem}-", suffix=".tmp")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(f'{head[:-1]}, "records": [\n{rows}\n]}}\n')
            file.flush()
            os.fsync(file.fileno())
        _replace(draft, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def _sweep(place):
    """Remove the drafts that crashes have left; a young one may be another notebook's, at work."""
    for draft in place.parent.glob(f".{place.stem}-*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - draft.stat().st_mtime > 3600:
                draft.unlink()


def _replace(draft, place, patience=20):
    # Windows refuses while another notebook is reading the file: that is over in a moment
    while True:
        try:
            return os.replace(draft, place)
        except PermissionError:
            patience -= 1
            if os.name != "nt" or not patience:
                raise
            time.sleep(0.02)


@contextlib.contextmanager
def _locked(place):
    """Hold the file's lock; gives False where it cannot be had in time, as on some network folders."""
    with open(place.with_name(place.name + ".lock"), "a+b") as handle:
        deadline = time.monotonic() + _LOCK_WAIT
        held = False
        while not held:
            try:
                _lock(handle)
                held = True
            except BlockingIOError:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.01)
            except OSError:
                break
        try:
            yield held
        finally:
            if held:
                _unlock(handle)


if os.name == "nt":
    import msvcrt

    def _lock(handle):
        handle.seek(0)
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as busy:
            raise BlockingIOError from busy

    def _unlock(handle):
        handle.seek(0)
        msvcrt.locking(handle.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle):
        fcntl.flock(handle, fcntl.LOCK_UN)


def _say(once, text):
    if once not in _said:
        _said.add(once)
        with contextlib.suppress(Exception):
            print(text, file=sys.stderr)


# --- what is drawn ----------------------------------------------------------------------------------


def _lesson(id):
    """The key of an id's lesson or set: "05" for "05/ndcg" and "check/05/1", "bug" for "bug/03"."""
    parts = id.split("/")
    key = parts[1] if parts[0] == "check" and len(parts) > 1 else parts[0]
    return key if key in _GROUPS else "other"


def _is_check(row):
    return row["kind"] in _COLUMNS and row.get("status") not in (None, "not attempted")


def _totals():
    """{(lesson, kind): ids} of everything there is to do, as far as it can be imported."""
    totals = defaultdict(set)
    for kind, module in (("exercise", "rankedu.exercises"), ("quiz", "rankedu.quiz")):
        with contextlib.suppress(ImportError):
            for task in importlib.import_module(module).all():
                # A misconception is both: a question, and a list to build
                for column in getattr(task, "recorded_as", (kind,)):
                    totals[_lesson(task.id), column].add(task.id)
    return totals


def _note():
    if _place() is _OFF:
        return "Kept in memory until the kernel stops (RANKEDU_PROGRESS is off)."
    return trouble() or f"Kept in {_place()}"


class Row(NamedTuple):
    """One lesson or set of questions: what is done, of how many, and the help that was taken."""

    lesson: str
    title: str
    exercises_done: int
    exercises: int
    questions_done: int
    questions: int
    hints: int
    solutions: int


class _Summary:
    """What the learner has done, a row per lesson: `.rows`."""

    def __init__(self, rows, totals, note):
        done, known = defaultdict(set), defaultdict(set)
        for key, ids in totals.items():
            known[key] |= ids
        aids = {kind: defaultdict(set) for kind in ("hint", "solution")}
        for row in rows:
            lesson = _lesson(row["id"])
            if _is_check(row):
                known[lesson, row["kind"]].add(row["id"])
                if row["status"] == "correct":
                    done[lesson, row["kind"]].add(row["id"])
            elif row["kind"] in aids:
                aids[row["kind"]][lesson].add((row["id"], row.get("number")))
        self.note = note
        self.rows = [
            Row(
                lesson,
                title,
                *(len(of[lesson, kind]) for kind in _COLUMNS for of in (done, known)),
                len(aids["hint"][lesson]),
                len(aids["solution"][lesson]),
            )
            for lesson, title in {**_GROUPS, "other": "Other"}.items()
            if any(known[lesson, kind] for kind in _COLUMNS) or lesson in LESSONS
        ]

    def _cells(self):
        for row in self.rows:
            aids = [_count(row.hints, "hint"), _count(row.solutions, "solution")]
            yield (
                f"{row.lesson} {row.title}" if row.lesson in LESSONS else row.title,
                (row.exercises_done, row.exercises),
                (row.questions_done, row.questions),
                ", ".join(filter(None, aids)),
            )

    def __str__(self):
        head = ("", "exercises", "questions", "help taken")
        body = [(title, _of(*e), _of(*q), aids) for title, e, q, aids in self._cells()]
        return f"{_columns(head, body)}\n{self.note}"

    __repr__ = __str__

    def _repr_html_(self):
        body = [(html.escape(title), _bar(*e), _bar(*q), aids) for title, e, q, aids in self._cells()]
        return _table("Your progress", ("", "exercises", "questions", "help taken"), body) + _small(self.note)


class Mistake(NamedTuple):
    """A named mistake of one task: how many learners made it, and how often in all."""

    id: str
    mistake: str
    learners: int
    times: int


class Task(NamedTuple):
    """One exercise or question: the learners who tried, who solved it, and the tries that solving it took."""

    id: str
    tried: int
    solved: int
    median_tries: float
    hints: int
    solutions: int


class Learner(NamedTuple):
    """One learner's file, by its name."""

    file: str
    exercises: int
    questions: int
    hints: int
    solutions: int
    last: str


class _Class:
    """The progress of many learners: `.mistakes`, `.tasks`, `.learners` and `.unread` are its rows."""

    UNNAMED = "(no named mistake)"

    def __init__(self, people, labels, unread):
        self.unread = unread
        times, makers = Counter(), defaultdict(set)
        tried, solved, tries = defaultdict(set), defaultdict(set), defaultdict(list)
        aids = {kind: defaultdict(set) for kind in ("hint", "solution")}
        self.learners = []
        for owner, rows in people.items():
            right, took, own_tries = defaultdict(set), Counter(), Counter()
            for row in rows:
                id = row["id"]
                if row["kind"] in aids:
                    aids[row["kind"]][id].add(owner)
                    took[row["kind"]] += 1
                if not _is_check(row):
                    continue
                tried[id].add(owner)
                if id not in right[row["kind"]]:
                    own_tries[id] += 1
                if row["status"] == "correct":
                    if owner not in solved[id]:
                        tries[id].append(own_tries[id])
                    right[row["kind"]].add(id)
                    solved[id].add(owner)
                else:
                    mistake = id, str(row.get("mistake", self.UNNAMED))
                    times[mistake] += 1
                    makers[mistake].add(owner)
            self.learners.append(
                Learner(
                    labels[owner],
                    len(right["exercise"]),
                    len(right["quiz"]),
                    took["hint"],
                    took["solution"],
                    rows[-1]["at"][:16].replace("T", " ") if rows else "",
                )
            )
        self.learners.sort()
        self.mistakes = sorted(
            (Mistake(*key, len(makers[key]), count) for key, count in times.items()),
            key=lambda m: (-m.learners, -m.times, m.id, m.mistake),
        )
        self.tasks = [
            Task(
                id,
                len(tried[id]),
                len(solved[id]),
                statistics.median(tries[id]) if tries[id] else float("nan"),
                len(aids["hint"][id]),
                len(aids["solution"][id]),
            )
            for id in sorted(tried)
        ]

    def _tables(self):
        yield (
            f"Mistakes of {_count(len(self.learners), 'learner') or 'no learner'}, the most common first",
            ("task", "mistake", "learners", "times"),
            [(m.id, m.mistake, m.learners, m.times) for m in self.mistakes],
        )
        yield (
            "Tasks",
            ("task", "tried by", "solved by", "tries, median", "used a hint", "saw the solution"),
            [
                (t.id, t.tried, t.solved, f"{t.median_tries:g}" if t.solved else "-", t.hints, t.solutions)
                for t in self.tasks
            ],
        )
        yield (
            "Learners",
            ("file", "exercises solved", "questions right", "hints", "solutions", "last seen (UTC)"),
            [tuple(row) for row in self.learners],
        )
        if self.unread:
            yield "Files that could not be read", ("file", "why"), self.unread

    def __str__(self):
        parts = (f"{title}\n{_columns(head, body)}" for title, head, body in self._tables())
        return "\n\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self):
        return "".join(
            _table(title, head, [tuple(html.escape(str(cell)) for cell in row) for row in body])
            for title, head, body in self._tables()
        )

    def picture(self, most=15):
        """A `pictures.Picture` of the `most` common mistakes: a bar each, its length the learners."""
        from rankedu import pictures

        rows = self.mistakes[:most][::-1]
        figure, axes = pictures.new_figure(8, 1 + 0.36 * max(len(rows), 1))
        bars = axes.barh(
            [f"{m.id}\n{m.mistake}" for m in rows], [m.learners for m in rows], color=pictures.BLUE
        )
        axes.bar_label(bars, [f"{m.learners} ({m.times}×)" for m in rows], padding=3, fontsize=8)
        axes.set_xlabel("learners who made it (times in all)", fontsize=9)
        axes.set(xlim=(0, 1.15 * max(len(self.learners), 1)))
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(visible=False)
        figure.set_layout_engine("constrained")
        text = "; ".join(
            f"{m.id} {m.mistake}: {_count(m.learners, 'learner')}, {m.times}×" for m in rows[::-1]
        )
        return pictures.Picture(figure, f"Common mistakes: {text or 'none'}.")


def _count(n, word):
    return f"{n} {word}{'' if n == 1 else 's'}" if n else ""


def _of(done, total):
    return f"{done} of {total}" if total else "-"


def _columns(head, body):
    rows = [tuple(map(str, row)) for row in [head, *body]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _bar(done, total):
    if not total:
        return "–"
    outer = "display:inline-block;width:44px;height:9px;border:1px solid currentColor;margin-right:6px"
    inner = f"display:block;width:{100 * done / total:.0f}%;height:100%;background:currentColor"
    bar = f'<span style="{outer}"><span style="{inner}"></span></span>'
    return f'<span style="white-space:nowrap">{bar}{_of(done, total)}</span>'


def _table(title, head, body):
    """An HTML table from cells that are HTML already."""
    cell = "text-align:left;padding:2px 10px 2px 0"
    heads = "".join(f'<th scope="col" style="{cell}">{name}</th>' for name in head)
    rows = "".join(
        "<tr>"
        + f'<th scope="row" style="{cell};font-weight:normal">{row[0]}</th>'
        + "".join(f'<td style="{cell};font-variant-numeric:tabular-nums">{value}</td>' for value in row[1:])
        + "</tr>"
        for row in body
    )
    caption = (
        f'<caption style="text-align:left;font-weight:bold;padding:6px 0;color:inherit">{title}</caption>'
    )
    body = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
    return f'<table style="margin:0 0 8px 0">{caption}{body}</table>'


def _small(text):
    return f'<p style="font-size:85%;margin:4px 0">{html.escape(text)}</p>'
