"""What the learner has done is never lost, never in the way, and never more than was said."""

import errno
import json
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from rankedu import progress

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A place of its own for each test, and a module that has said nothing yet."""
    path = tmp_path / "home" / "progress.json"
    monkeypatch.setenv("RANKEDU_PROGRESS", str(path))
    for memory in ("_unsaved", "_said", "_trouble"):
        kind = type(getattr(progress, memory))
        fresh = kind(list) if memory == "_unsaved" else kind()
        monkeypatch.setattr(progress, memory, fresh)
    return path


def facts(rows):
    """The records without their times."""
    return [{name: value for name, value in row.items() if name != "at"} for row in rows]


def ids(rows):
    return [row["id"] for row in rows]


def in_another_kernel(code, path):
    """Run code in a Python of its own, as a second notebook would."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "RANKEDU_PROGRESS": str(path), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process):
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out, err


# --- what is kept ---


def test_a_record_keeps_its_facts_and_its_time(place):
    progress.record("exercise", "05/ndcg", status="incorrect", mistake="log-base")
    progress.record("exercise", "05/ndcg", status="correct", mistake=None)
    assert facts(progress.records()) == [
        {"kind": "exercise", "id": "05/ndcg", "status": "incorrect", "mistake": "log-base"},
        {"kind": "exercise", "id": "05/ndcg", "status": "correct"},
    ]
    first, second = (row["at"] for row in progress.records())
    assert first < second
    assert first.endswith("+00:00")


def test_the_file_is_versioned_json_with_a_record_a_line(place):
    progress.record("hint", "05/ndcg", number=1)
    content = json.loads(place.read_text())
    assert (content["format"], content["version"]) == ("rankedu-progress", 1)
    assert ids(content["records"]) == ["05/ndcg"]
    assert len(place.read_text().splitlines()) == 3


def test_it_holds_nothing_of_the_learner_or_the_machine(place):
    progress.record("exercise", "05/ndcg", status="correct")
    text = place.read_text()
    assert set(json.loads(text)) == {"format", "version", "owner", "records"}
    assert set(json.loads(text)["records"][0]) == {"at", "kind", "id", "status"}
    assert str(Path.home()) not in text


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        pytest.param(3, 3, id="int"),
        pytest.param("数", "数", id="text"),
        pytest.param("\ud800", "\ud800", id="half a surrogate pair"),
        pytest.param([1, "a"], [1, "a"], id="list"),
        pytest.param(
            {
                1,
            },
            "{1}",
            id="a set, as text",
        ),
        pytest.param(object, "<class 'object'>", id="anything, as text"),
    ],
)
def test_facts_are_kept_whatever_they_are(place, value, kept):
    progress.record("exercise", "05/ndcg", value=value)
    assert progress.records()[0]["value"] == kept


def test_numpy_numbers_are_kept_as_numbers(place):
    np = pytest.importorskip("numpy")
    progress.record("exercise", "05/ndcg", score=np.float64(0.5), tries=np.int64(2), grades=np.arange(2))
    assert facts(progress.records())[0] | {"grades": ""} == {
        "kind": "exercise", "id": "05/ndcg", "score": 0.5, "tries": 2, "grades": "",
    }  # fmt: skip


def test_a_restarted_kernel_finds_it_again(place):
    finished(in_another_kernel("from rankedu import progress; progress.record('quiz', 'check/01/1')", place))
    assert ids(progress.records()) == ["check/01/1"]


def test_record_never_raises(place, capsys):
    class Unfriendly:
        def __str__(self):
            raise RuntimeError("no")

    progress.record("exercise", "05/ndcg", value=Unfriendly())
    progress.record("exercise", "05/ndcg", value=Unfriendly())
    progress.record("exercise", "05/dcg")
    assert ids(progress.records()) == ["05/dcg"]
    assert capsys.readouterr().err.count("could not be recorded") == 1


# --- where it is kept ---


@pytest.mark.parametrize(
    ("system", "variables", "expected"),
    [
        pytest.param("linux", {}, ".local/share/rankedu/progress.json", id="Linux"),
        pytest.param("linux", {"XDG_DATA_HOME": "{home}/x"}, "x/rankedu/progress.json", id="Linux, XDG"),
        pytest.param("darwin", {}, "Library/Application Support/rankedu/progress.json", id="macOS"),
        pytest.param("win32", {}, "AppData/Local/rankedu/progress.json", id="Windows"),
        pytest.param("win32", {"LOCALAPPDATA": "{home}/x"}, "x/rankedu/progress.json", id="Windows, set"),
        pytest.param("linux", {"RANKEDU_PROGRESS": "~/a/b.json"}, "a/b.json", id="~ is your home"),
        pytest.param("linux", {"RANKEDU_PROGRESS": "b.json"}, "b.json", id="relative: from your home"),
        pytest.param("linux", {"RANKEDU_PROGRESS": "{home}"}, "progress.json", id="a folder"),
        pytest.param("linux", {"RANKEDU_PROGRESS": " "}, ".local/share/rankedu/progress.json", id="empty"),
    ],
)
def test_the_place(tmp_path, monkeypatch, system, variables, expected):
    for name in ("RANKEDU_PROGRESS", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setattr(sys, "platform", system)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(home=tmp_path))
    assert progress._place() == tmp_path.resolve() / expected


def test_the_default_place_is_outside_the_checkout(monkeypatch):
    monkeypatch.delenv("RANKEDU_PROGRESS", raising=False)
    assert ROOT not in progress._place().parents


@pytest.mark.parametrize("word", ["off", "OFF", " off "])
def test_off_remembers_in_memory_and_touches_no_file(tmp_path, place, monkeypatch, word):
    monkeypatch.setenv("RANKEDU_PROGRESS", word)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    progress.record("exercise", "05/ndcg", status="correct")
    assert ids(progress.records()) == ["05/ndcg"]
    assert "off" in str(progress.show())
    assert progress.trouble() is None
    progress.reset()
    assert progress.records() == []
    assert list(tmp_path.rglob("*")) == []


def test_turning_it_on_does_not_bring_in_what_was_done_while_off(place, monkeypatch):
    monkeypatch.setenv("RANKEDU_PROGRESS", "off")
    progress.record("exercise", "05/ndcg")
    monkeypatch.setenv("RANKEDU_PROGRESS", str(place))
    assert progress.records() == []


@pytest.mark.skipif(os.name == "nt", reason="making a link needs rights there")
def test_a_link_stays_a_link(place, tmp_path):
    real = tmp_path / "elsewhere.json"
    place.parent.mkdir()
    place.symlink_to(real)
    progress.record("exercise", "05/ndcg")
    assert place.is_symlink()
    assert ids(json.loads(real.read_text())["records"]) == ["05/ndcg"]


# --- two notebooks at once ---

WRITER = """
    import sys
    from rankedu import progress
    sys.stdin.readline()                       # all start together
    for n in range(40):
        progress.record("exercise", f"{sys.argv[1]}/{n}", status="incorrect")
"""


def test_notebooks_that_write_at_once_lose_nothing(place):
    writers = []
    for name in "abc":
        writer = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), name],
            env={**os.environ, "RANKEDU_PROGRESS": str(place), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        writers.append(writer)
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, err = writer.communicate(timeout=60)
        assert (writer.returncode, err) == (0, "")
    assert sorted(ids(progress.records())) == sorted(f"{name}/{n}" for name in "abc" for n in range(40))
    assert {p.name for p in place.parent.iterdir()} == {"progress.json", "progress.json.lock"}


def test_threads_that_write_at_once_lose_nothing(place):
    def work(name):
        for n in range(20):
            progress.record("exercise", f"{name}/{n}")

    threads = [threading.Thread(target=work, args=[name]) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids(progress.records()))) == 80


def test_without_a_lock_what_another_overwrote_is_written_again(place, monkeypatch):
    def no_locks(handle):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(progress, "_lock", no_locks)
    progress.record("exercise", "mine")
    before = place.read_text()
    progress.record("exercise", "mine too")
    place.write_text(before)  # another notebook had read it before, and wrote after
    progress.record("exercise", "the third")
    assert ids(json.loads(place.read_text())["records"]) == ["mine", "mine too", "the third"]
    assert progress.trouble() is None


def test_a_lock_that_is_never_released_delays_but_loses_nothing(place, monkeypatch):
    monkeypatch.setattr(progress, "_LOCK_WAIT", 0.05)
    place.parent.mkdir()
    with progress._locked(place) as held:
        assert held
        progress.record("exercise", "05/ndcg")
    assert ids(json.loads(place.read_text())["records"]) == ["05/ndcg"]


# --- crashes and damage ---


@pytest.mark.parametrize("moment", ["os.fsync", "os.replace"])
def test_a_crash_while_writing_leaves_the_old_file_whole(place, moment):
    progress.record("exercise", "before")
    crash = f"""
        import os
        from rankedu import progress
        {moment} = lambda *_: os._exit(9)
        progress.record("exercise", "during")
    """
    process = in_another_kernel(crash, place)
    process.communicate(timeout=60)
    assert process.returncode == 9
    assert ids(json.loads(place.read_text())["records"]) == ["before"]
    progress.record("exercise", "after")
    assert ids(progress.records()) == ["before", "after"]


def test_drafts_that_crashes_left_behind_are_swept_up(place):
    place.parent.mkdir()
    old = place.parent / ".progress-left.tmp"
    old.write_text("half")
    os.utime(old, (0, 0))
    progress.record("exercise", "05/ndcg")
    assert not old.exists()


def damage(text, how):
    return {
        "cut in the middle": text[: len(text) * 2 // 3],
        "text in front": "<<<<<<< HEAD\n" + text,
        "a line broken": text.replace('"id": "01/b"', '"id": "01/b'),
        "a record without an id": text.replace('"id": "01/b", ', ""),
        "empty": "",
        "not JSON": "hello",
        "JSON of another kind": '{"a": 1}',
        "a list": "[1, 2]",
        "nothing but zeros": "\0" * 400,
        "deeply nested": "[" * 100_000,
    }[how]


@pytest.mark.parametrize(
    ("how", "rescued"),
    [
        ("cut in the middle", ["01/a"]),
        ("text in front", ["01/a", "01/b", "01/c"]),
        ("a line broken", ["01/a", "01/c"]),
        ("a record without an id", ["01/a", "01/c"]),
        ("empty", []),
        ("not JSON", []),
        ("JSON of another kind", []),
        ("a list", []),
        ("nothing but zeros", []),
        ("deeply nested", []),
    ],
)
def test_a_damaged_file_is_kept_aside_and_what_is_whole_goes_on(place, capsys, how, rescued):
    for name in "abc":
        progress.record("exercise", f"01/{name}", status="correct")
    broken = damage(place.read_text(), how)
    place.write_text(broken)
    assert ids(progress.records()) == rescued  # looking changes nothing
    assert place.read_text() == broken
    progress.record("exercise", "01/new")
    progress.record("exercise", "01/newer")
    assert ids(json.loads(place.read_text())["records"]) == [*rescued, "01/new", "01/newer"]
    assert place.with_name("progress.damaged.json").read_text() == broken
    said = capsys.readouterr().err
    assert said.count("was damaged") == 1
    assert "progress.damaged.json" in said


def test_every_damaged_file_is_kept_under_a_name_of_its_own(place):
    for text in ("one", "two", "three"):
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
        progress.record("exercise", "01/a")
    kept = {p.name: p.read_text() for p in place.parent.glob("*damaged*")}
    assert kept == {
        "progress.damaged.json": "one",
        "progress.damaged-2.json": "two",
        "progress.damaged-3.json": "three",
    }


def test_a_file_saved_by_an_editor_with_a_mark_and_windows_line_ends_is_read(place):
    progress.record("exercise", "01/a")
    place.write_bytes(b"\xef\xbb\xbf" + place.read_bytes().replace(b"\n", b"\r\n"))
    progress.record("exercise", "01/b")
    assert ids(progress.records()) == ["01/a", "01/b"]
    assert not list(place.parent.glob("*damaged*"))


# --- a newer version's file ---


def test_a_newer_versions_file_is_never_touched(place, capsys):
    place.parent.mkdir()
    newer = json.dumps({"format": "rankedu-progress", "version": 2, "anything": ["else"]})
    place.write_text(newer)
    progress.record("exercise", "01/a", status="correct")
    progress.record("exercise", "01/b", status="correct")
    assert place.read_text() == newer
    assert ids(progress.records()) == ["01/a", "01/b"]
    assert ids(json.loads(place.with_name("progress.v1.json").read_text())["records"]) == ["01/a", "01/b"]
    progress.reset()
    assert place.read_text() == newer
    said = capsys.readouterr().err
    assert said.count("newer version") == 1
    assert "progress.v1.json" in said


def test_a_newer_versions_file_that_names_its_version_last_is_not_touched_either(place, capsys):
    place.parent.mkdir()
    newer = json.dumps({"anything": "else", "version": 2, "format": "rankedu-progress"})
    place.write_text(newer)
    progress.record("exercise", "01/a", status="correct")
    assert place.read_text() == newer
    assert ids(progress.records()) == ["01/a"]
    assert "newer than this course" in capsys.readouterr().err


# --- where nothing can be written ---


def check_trouble(place, capsys):
    progress.record("exercise", "01/a", status="correct")
    progress.record("exercise", "01/b", status="correct")
    assert ids(progress.records()) == ["01/a", "01/b"]  # remembered all the same
    assert capsys.readouterr().err.count("cannot be saved") == 1
    assert str(place) in progress.trouble()
    assert "cannot be saved" in str(progress.show())
    assert "cannot be saved" in progress.show()._repr_html_()


def test_a_folder_that_cannot_be_made(place, capsys):
    place.parent.write_text("a file where the folder should be")
    check_trouble(place, capsys)


def test_a_path_that_is_too_long(place, capsys, monkeypatch):
    path = place.parent / ("x" * 5000)
    monkeypatch.setenv("RANKEDU_PROGRESS", str(path))
    check_trouble(path, capsys)


def test_a_full_disk_and_then_room_again(place, capsys, monkeypatch):
    progress.record("exercise", "01/before")
    before = place.read_text()

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        progress.record("exercise", "01/a")
        progress.record("exercise", "01/b")
        assert place.read_text() == before
        assert "No space left" in progress.trouble()
        assert ids(progress.records()) == ["01/before", "01/a", "01/b"]
    progress.record("exercise", "01/c")
    assert ids(json.loads(place.read_text())["records"]) == ["01/before", "01/a", "01/b", "01/c"]
    assert progress.trouble() is None
    assert capsys.readouterr().err.count("cannot be saved") == 1
    assert not list(place.parent.glob(".*.tmp"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits on files are POSIX")
def test_a_file_system_that_refuses_to_grow(place):
    """The real thing: the system itself ends the write half-way."""
    code = """
        import resource, signal
        from rankedu import progress
        progress.record("exercise", "01/before")
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        progress.record("exercise", "01/a")
        progress.record("exercise", "01/b")
        print(len(progress.records()))
    """
    out, err = finished(in_another_kernel(code, place))
    assert out.strip() == "3"
    assert err.count("cannot be saved") == 1
    assert ids(json.loads(place.read_text())["records"]) == ["01/before"]
    assert not list(place.parent.glob(".*.tmp"))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights are POSIX")
def test_a_read_only_home(place, tmp_path):
    progress.record("exercise", "01/before")
    before = place.read_text()
    place.chmod(0o644)
    place.parent.chmod(0o555)
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o001 and folder.stat().st_uid == os.geteuid():
            folder.chmod(folder.stat().st_mode | 0o011)
    code = """
        import os
        from rankedu import progress
        progress.records()
        if os.geteuid() == 0:
            os.setuid(65534)      # root may write anywhere, nobody may not
        progress.record("exercise", "01/a", status="correct")
        progress.record("exercise", "01/b", status="correct")
        print([row["id"] for row in progress.records()])
    """
    try:
        out, err = finished(in_another_kernel(code, place))
    finally:
        place.parent.chmod(0o755)
    assert out.strip() == "['01/before', '01/a', '01/b']"
    assert err.count("cannot be saved") == 1
    assert place.read_text() == before


def test_a_file_that_cannot_be_read_is_left_alone(place, capsys, monkeypatch):
    progress.record("exercise", "01/before")
    before = place.read_text()

    def refuse(self, *args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", refuse)
        check_trouble(place, capsys)
    assert place.read_text() == before


# --- reset, export, load ---


def test_reset_forgets_and_can_be_taken_back(place, capsys):
    progress.record("exercise", "01/a", status="correct")
    progress.reset()
    assert progress.records() == []
    aside = place.with_name("progress.before-reset.json")
    assert str(aside) in capsys.readouterr().out
    progress.load(aside)
    assert ids(progress.records()) == ["01/a"]


def test_reset_of_nothing_keeps_what_an_earlier_one_put_aside(place):
    progress.record("exercise", "01/a")
    progress.reset()
    progress.reset()
    assert ids(progress._read_for_others(place.with_name("progress.before-reset.json")).records) == ["01/a"]


def test_what_another_notebook_reset_stays_forgotten(place):
    progress.record("exercise", "01/a")
    finished(in_another_kernel("from rankedu import progress; progress.reset()", place))
    progress.record("exercise", "01/b")
    assert ids(progress.records()) == ["01/b"]


def test_export_and_load_carry_progress_to_another_machine(place, tmp_path, monkeypatch):
    progress.record("exercise", "01/a", status="correct")
    file = progress.export(tmp_path / "mine.json")
    assert file == tmp_path / "mine.json"
    monkeypatch.setenv("RANKEDU_PROGRESS", str(tmp_path / "new machine" / "p.json"))
    progress.record("exercise", "01/b", status="correct")
    summary = progress.load(file)
    assert ids(progress.records()) == ["01/a", "01/b"]
    assert summary.rows == progress.show().rows


def test_loading_twice_changes_nothing(place, tmp_path):
    progress.record("exercise", "01/a")
    file = progress.export(tmp_path)
    assert file.name == "rankedu-progress.json"
    progress.load(tmp_path)
    before = place.read_text()
    progress.load(file)
    assert place.read_text() == before


def test_export_while_the_disk_is_full_still_has_everything(place, tmp_path):
    place.parent.write_text("in the way")
    progress.record("exercise", "01/a")
    file = progress.export(tmp_path / "saved.json")
    assert ids(progress._read_for_others(file).records) == ["01/a"]


def test_export_replaces_a_progress_file_and_nothing_else(place, tmp_path):
    progress.record("exercise", "01/a")
    progress.export(tmp_path / "mine.json")
    progress.export(tmp_path / "mine.json")
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years of work")
    with pytest.raises(ValueError, match="path must not be an existing file of another kind"):
        progress.export(thesis)
    assert thesis.read_text() == "years of work"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("hello", "path must be a progress file", id="another file"),
        pytest.param('{"format": "rankedu-progress", "version": 9}', "format 1 or older", id="newer"),
    ],
)
def test_load_refuses_other_files_and_changes_nothing(place, tmp_path, text, says):
    progress.record("exercise", "01/a")
    before = place.read_text()
    other = tmp_path / "other.json"
    other.write_text(text)
    with pytest.raises(ValueError, match=says):
        progress.load(other)
    with pytest.raises(FileNotFoundError):
        progress.load(tmp_path / "none.json")
    assert place.read_text() == before


# --- what is shown ---


def done(rows, lesson):
    (row,) = [row for row in rows if row.lesson == lesson]
    return row


def test_show_counts_each_task_once_and_notes_the_help(place):
    progress.record("exercise", "05/ndcg", status="incorrect", mistake="log-base")
    progress.record("exercise", "05/ndcg", status="correct")
    progress.record("exercise", "05/ndcg", status="incorrect")  # once solved, it stays solved
    progress.record("exercise", "05/ndcg", status="correct")
    progress.record("exercise", "05/unheard_of", status="not attempted")
    progress.record("hint", "05/ndcg", number=1)
    progress.record("hint", "05/ndcg", number=1)
    progress.record("hint", "05/ndcg", number=2)
    progress.record("solution", "05/ndcg")
    progress.record("quiz", "check/05/1", status="correct")
    row = done(progress.show().rows, "05")
    assert (row.exercises_done, row.questions_done, row.hints, row.solutions) == (1, 1, 2, 1)
    empty = done(progress.show().rows, "06")
    assert (empty.exercises_done, empty.questions_done, empty.hints, empty.solutions) == (0, 0, 0, 0)


def test_show_counts_what_there_is_to_do(place):
    from rankedu import quiz

    row = done(progress.show().rows, "interview")
    assert (row.questions_done, row.questions) == (0, len(quiz.all("interview")))


def test_show_says_it_in_words_and_in_html(place):
    progress.record("exercise", "zz/<script>", status="correct")
    progress.record("hint", "05/ndcg", number=1)
    summary = progress.show()
    assert "Interview questions" in str(summary)
    assert "1 hint" in str(summary)
    assert str(place) in str(summary)
    page = summary._repr_html_()
    assert page.count("<table") == page.count("</table>") == 1
    assert 'scope="row"' in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("id", "lesson"),
    [
        ("05/ndcg", "05"),
        ("check/05/1", "05"),
        ("interview/04", "interview"),
        ("myth/01", "myth"),
        ("bug/03", "bug"),
        ("capstone/report", "capstone"),
        ("my/own", "other"),
        ("", "other"),
    ],
)
def test_the_lesson_of_an_id(id, lesson):
    assert progress._lesson(id) == lesson


# --- a class ---


@pytest.fixture
def classroom(place, tmp_path, monkeypatch):
    """Three learners' exported files, one of them exported twice, and two files that are something else."""
    folder = tmp_path / "class"
    (folder / "group 1").mkdir(parents=True)
    work = {
        "ana": [
            ("exercise", "05/ndcg", "incorrect", "ideal-cut-before-sort"),
            ("exercise", "05/ndcg", "incorrect", "ideal-cut-before-sort"),
            ("exercise", "05/ndcg", "correct", None),
        ],
        "ben": [
            ("exercise", "05/ndcg", "incorrect", "ideal-cut-before-sort"),
            ("exercise", "05/ndcg", "incorrect", None),
            ("quiz", "interview/04", "incorrect", "rank-itself"),
            ("hint", "05/ndcg", None, None),
        ],
        "chloé": [("exercise", "05/ndcg", "correct", None), ("exercise", "03/dcg", "not attempted", None)],
    }
    for name, rows in work.items():
        code = f"""
            from rankedu import progress
            for kind, id, status, mistake in {rows!r}:
                progress.record(kind, id, status=status, mistake=mistake)
            progress.export({str(folder / "group 1" / name)!r} + ".json")
        """
        finished(in_another_kernel(code, tmp_path / name / "p.json"))
    again = folder / "ana (1).json"
    again.write_bytes((folder / "group 1" / "ana.json").read_bytes())
    (folder / "notes.json").write_text("{}")
    (folder / "later.json").write_text('{"format": "rankedu-progress", "version": 7}')
    return folder


def test_a_class_is_read_as_rows(classroom):
    report = progress.read_class(classroom)
    assert report.mistakes == [
        ("05/ndcg", "ideal-cut-before-sort", 2, 3),
        ("05/ndcg", "(no named mistake)", 1, 1),
        ("interview/04", "rank-itself", 1, 1),
    ]
    assert [task[:3] for task in report.tasks] == [("05/ndcg", 3, 2), ("interview/04", 1, 0)]
    assert report.tasks[0].median_tries == 2  # 3 for ana, 1 for chloé
    assert report.tasks[0].hints == 1
    assert [learner[:3] for learner in report.learners] == [
        ("ana (1) + ana", 1, 0),
        ("ben", 0, 0),
        ("chloé", 1, 0),
    ]


def test_files_of_a_class_that_cannot_be_read_are_named_and_left_as_they_are(classroom):
    before = {p: p.read_bytes() for p in classroom.rglob("*.json")}
    report = progress.read_class(classroom)
    assert sorted(Path(path).name for path, _ in report.unread) == ["later.json", "notes.json"]
    assert {p: p.read_bytes() for p in classroom.rglob("*.json")} == before


def test_a_class_can_be_given_as_files(classroom):
    report = progress.read_class([classroom / "group 1" / "ben.json", classroom / "missing.json"])
    assert [learner.file for learner in report.learners] == ["ben"]
    assert [Path(path).name for path, _ in report.unread] == ["missing.json"]
    with pytest.raises(FileNotFoundError, match="paths must be an existing folder"):
        progress.read_class(classroom / "nowhere")


def test_a_class_draws_itself(classroom):
    report = progress.read_class(classroom)
    assert "ideal-cut-before-sort" in str(report)
    page = report._repr_html_()
    assert page.count("<table") == page.count("</table>") == 4
    assert "chloé" in page


def test_the_picture_of_a_class_says_how_many_made_which_mistake(classroom):
    pytest.importorskip("matplotlib")
    picture = progress.read_class(classroom).picture(most=2)
    (axes,) = picture.figure.axes
    assert [bar.get_width() for bar in axes.patches] == [1, 2]  # drawn from below: the most common on top
    assert "ideal-cut-before-sort: 2 learners, 3×" in str(picture)
    assert "rank-itself" not in str(picture)


def test_the_picture_of_a_class_without_mistakes(place, tmp_path):
    pytest.importorskip("matplotlib")
    progress.record("exercise", "05/ndcg", status="correct")
    progress.export(tmp_path / "a.json")
    assert "none" in str(progress.read_class([tmp_path / "a.json"]).picture())


def test_a_file_loaded_on_a_new_machine_is_still_the_same_learner(place, tmp_path, monkeypatch):
    progress.record("exercise", "01/a", status="correct")
    first = progress.export(tmp_path / "monday.json")
    code = f"""
        from rankedu import progress
        progress.load({str(first)!r})
        progress.record("exercise", "01/b", status="correct")
        progress.export({str(tmp_path / "tuesday.json")!r})
    """
    finished(in_another_kernel(code, tmp_path / "binder" / "p.json"))
    report = progress.read_class([first, tmp_path / "tuesday.json"])
    assert [learner.exercises for learner in report.learners] == [2]


# --- the weight of it ---


def test_it_needs_the_standard_library_alone():
    code = """
        import sys
        before = set(sys.modules)
        from rankedu import progress
        progress.record("exercise", "01/a")
        loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(sorted(loaded - set(sys.stdlib_module_names)))
    """
    out, _ = finished(in_another_kernel(code, "off"))
    assert out.strip() == "['rankedu']"
