"""The commands of the Makefile, tried in throw-away copies: set up, open, put back, and what CI counts."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import junit, lab

ROOT = Path(__file__).parents[1]


def run(*command, cwd=ROOT, **variables):
    """The finished process; `variables` change its environment."""
    environment = {**os.environ, **variables}
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, timeout=120
    )


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


# --- make ----------------------------------------------------------------------------------------


def test_make_alone_lists_the_commands():
    done = run("make")
    assert done.returncode == 0
    listed = re.findall(r"^  make (\S+)", done.stdout, flags=re.MULTILINE)
    assert listed[:3] == ["help", "lab", "test"]
    targets = re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert set(listed) == set(targets)


OURS = ["lint", "unit", "nbval", "browser", "test", "notebooks", "screenshots", "bench"]


@pytest.mark.parametrize(("target", "progress"), [("lab", "mine.json"), *((each, "off") for each in OURS)])
def test_only_make_lab_records_progress(tmp_path, target, progress):
    shutil.copy(ROOT / "Makefile", tmp_path)
    program(tmp_path / "tools" / "environment.sh", "exit 0")
    program(tmp_path / ".venv" / "bin" / "python", f'echo "$RANKEDU_PROGRESS" >> {tmp_path}/seen')
    assert run("make", target, cwd=tmp_path, RANKEDU_PROGRESS="mine.json").returncode == 0
    assert set((tmp_path / "seen").read_text().split()) == {progress}


# --- make lab: the environment -------------------------------------------------------------------

# A Python whose pip writes down what it was asked for, so that no test installs anything
PIP = """
case "$*" in
  *"-m pip"*) echo "$@" >> {log}; exit {code};;
  *"-m venv"*) mkdir -p .venv/bin; cp "$0" .venv/bin/python;;
  *"print("*) echo {version};;
  *"3, 11"*) exit {old};;
  *ensurepip*) exit {bare};;
esac
"""


@pytest.fixture
def checkout(tmp_path):
    """A folder with what environment.sh reads."""
    here = tmp_path / "checkout"
    (here / "tools").mkdir(parents=True)
    for name in ("tools/environment.sh", "tools/lab_defaults.json", "pyproject.toml"):
        shutil.copy(ROOT / name, here / name)
    return here


@pytest.fixture
def set_up(checkout, tmp_path):
    """Runs environment.sh where a stand-in is the only Python; returns the process and pip's calls."""

    def set_up(extra="lab", *, name="python3", version="3.12", old=0, bare=0, code=0, **variables):
        tools, log = tmp_path / "bin", tmp_path / "pip.log"
        log.unlink(missing_ok=True)
        shutil.rmtree(tools, ignore_errors=True)
        for tool in ("sh", "cat", "cksum", "mkdir", "cp", "rm", "dirname"):
            (tools / tool).parent.mkdir(exist_ok=True)
            (tools / tool).symlink_to(shutil.which(tool))
        if name:
            program(tools / name, PIP.format(log=log, code=code, version=version, old=old, bare=bare))
        done = run("sh", "tools/environment.sh", extra, cwd=checkout, PATH=str(tools), **variables)
        return done, log.read_text().splitlines() if log.exists() else []

    return set_up


def test_the_first_time_it_installs(set_up, checkout):
    done, pip = set_up("lab")
    assert done.returncode == 0, done.stderr
    assert pip == ["-m pip install -qq --disable-pip-version-check --editable .[lab]"]
    assert "Making .venv" in done.stdout
    settings = checkout / ".venv" / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    assert json.loads(settings.read_text()) == json.loads((ROOT / "tools" / "lab_defaults.json").read_text())


def test_the_second_time_it_does_nothing(set_up):
    set_up("lab")
    done, pip = set_up("lab")
    assert (done.returncode, done.stdout, pip) == (0, "", [])


def test_what_the_tests_need_holds_what_a_learner_needs(set_up):
    set_up("lab")
    assert set_up("test")[1] == ["-m pip install -qq --disable-pip-version-check --editable .[test]"]
    assert set_up("test")[1] == []
    assert set_up("lab")[1] == []


@pytest.mark.parametrize("file", ["pyproject.toml", "tools/lab_defaults.json"])
def test_it_installs_again_when_the_requirements_change(set_up, checkout, file):
    set_up("test")
    (checkout / file).write_text("changed")
    assert len(set_up("lab")[1]) == 1
    assert len(set_up("test")[1]) == 1, "the lab extra alone is not enough for the tests"


def test_it_installs_again_when_the_folder_was_moved(set_up, checkout):
    set_up("lab")
    stamp = checkout / ".venv" / ".rankedu-lab"
    stamp.write_text(stamp.read_text().replace("/checkout", "/elsewhere"))
    assert len(set_up("lab")[1]) == 1


def test_it_starts_anew_when_the_python_is_gone(set_up, checkout):
    set_up("lab")
    program(checkout / ".venv" / "bin" / "python", "exit 127")
    done, pip = set_up("lab")
    assert "Making .venv" in done.stdout
    assert len(pip) == 1


def test_it_completes_an_environment_made_by_hand(set_up, checkout):
    set_up("lab")
    (checkout / ".venv" / ".rankedu-lab").unlink()
    done, pip = set_up("lab")
    assert "Making .venv" not in done.stdout
    assert len(pip) == 1


def test_when_pip_fails_the_next_run_goes_on(set_up):
    done, _ = set_up("lab", code=1)
    assert done.returncode == 1
    assert "goes on here" in done.stderr
    assert len(set_up("lab")[1]) == 1


@pytest.mark.parametrize("name", ["python3", "python3.13", "python3.11", "python"])
def test_it_finds_python_under_any_of_its_names(set_up, name):
    assert set_up("lab", name=name)[0].returncode == 0


@pytest.mark.parametrize(
    ("python", "says"),
    [
        (dict(name=None), "found no Python at all"),
        (dict(version="3.9", old=1), "needs Python 3.11 or later, and found none: python3 is 3.9"),
        (dict(version="3.12", bare=1), "sudo apt install python3.12-venv"),
        (dict(PYTHON="/nowhere/python3"), "found no Python at all"),
    ],
    ids=["none", "too old", "without the venv module", "a wrong PYTHON"],
)
def test_it_says_what_is_wrong_with_the_python(set_up, checkout, python, says):
    done, pip = set_up("lab", **python)
    assert done.returncode != 0
    assert says in done.stderr
    assert "Binder" in done.stderr
    assert pip == []
    assert not (checkout / ".venv").exists()


# --- make lab: JupyterLab ------------------------------------------------------------------------


def test_jupyterlab_opens_on_the_first_lesson():
    line = lab.command(["--no-browser"])
    assert line[:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in line
    assert f"--ServerApp.root_dir={ROOT}" in line
    assert (ROOT / "notebooks" / "00_start_here.ipynb").exists()
    assert line[-1] == "--no-browser"


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)], ids=["root", "anyone else"])
def test_jupyterlab_runs_as_root_only_when_it_must(monkeypatch, user, allowed):
    monkeypatch.setattr(lab.os, "geteuid", lambda: user)
    assert ("--allow-root" in lab.command([])) is allowed


# --- make reset ----------------------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    """A committed course of three notebooks, and a function that runs git in it."""
    here = tmp_path / "course"
    for name in (
        "notebooks/00.ipynb",
        "notebooks/a b é.ipynb",
        "exercises/00.ipynb",
        "tools/reset.sh",
        "README.md",
    ):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(f"as it came: {name}")
    shutil.copy(ROOT / "tools" / "reset.sh", here / "tools")
    shutil.copy(ROOT / ".gitignore", here)

    def git(*words):
        done = run("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words, cwd=here)
        assert done.returncode == 0, done.stderr
        return done.stdout

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "the course")
    return here, git


def test_reset_puts_the_notebooks_back_and_keeps_the_learners(course):
    here, git = course
    for name in ("notebooks/00.ipynb", "notebooks/a b é.ipynb"):
        (here / name).write_text("mine")
    (here / "notebooks" / "my_own.ipynb").write_text("not the course's")
    (here / "README.md").write_text("mine, and no notebook")
    done = run("sh", "tools/reset.sh", cwd=here)
    assert done.returncode == 0, done.stderr
    assert "git pull" in done.stdout
    assert git("status", "--short", "notebooks", "exercises") == "?? notebooks/my_own.ipynb\n"
    (kept,) = (here / "my_copies").iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d_\d{6}", kept.name)
    assert {path.relative_to(kept).as_posix(): path.read_text() for path in kept.rglob("*.ipynb")} == {
        "notebooks/00.ipynb": "mine",
        "notebooks/a b é.ipynb": "mine",
    }
    assert "my_copies" not in git("status", "--short"), "git ignores the learner's copies"
    assert (here / "README.md").read_text() == "mine, and no notebook"


def test_reset_brings_back_what_was_deleted_or_staged(course):
    here, git = course
    (here / "notebooks" / "00.ipynb").unlink()
    (here / "exercises" / "00.ipynb").write_text("mine")
    git("add", "exercises")
    assert run("sh", "tools/reset.sh", cwd=here).returncode == 0
    assert git("status", "--short") == ""
    assert (here / "notebooks" / "00.ipynb").read_text() == "as it came: notebooks/00.ipynb"


def test_after_reset_git_pull_goes_through(course, tmp_path):
    here, git = course
    run("git", "clone", "-q", here, tmp_path / "learner", cwd=tmp_path)
    learner = tmp_path / "learner"
    (here / "notebooks" / "00.ipynb").write_text("the newer version")
    git("commit", "-qam", "newer")
    (learner / "notebooks" / "00.ipynb").write_text("mine")
    assert run("git", "pull", "-q", cwd=learner).returncode != 0, "the very thing that reset is for"
    assert run("sh", "tools/reset.sh", cwd=learner).returncode == 0
    assert run("git", "pull", "-q", cwd=learner).returncode == 0
    assert (learner / "notebooks" / "00.ipynb").read_text() == "the newer version"


def test_reset_with_nothing_to_do_says_so(course):
    here, _ = course
    done = run("sh", "tools/reset.sh", cwd=here)
    assert done.returncode == 0
    assert "as they came" in done.stdout
    assert not (here / "my_copies").exists()


def test_reset_without_git_says_what_to_do(course):
    here, _ = course
    shutil.rmtree(here / ".git")
    done = run("sh", "tools/reset.sh", cwd=here, GIT_CEILING_DIRECTORIES=str(here.parent))
    assert done.returncode == 1
    assert "Download the course again" in done.stderr


# --- .ci/run: what it counts ---------------------------------------------------------------------

PASSED, SKIPPED = "<testcase/>", "<testcase><skipped/></testcase>"
FAILED, ERROR = "<testcase><failure/></testcase>", "<testcase><error/></testcase>"


@pytest.mark.parametrize(
    ("browser", "says"),
    [
        ([PASSED, PASSED], []),
        ([], ["browser: no test passed"]),
        ([SKIPPED], ["browser: no test passed", "browser: 1 skipped"]),
        ([PASSED, SKIPPED], ["browser: 1 skipped"]),
        ([PASSED, FAILED, ERROR], ["browser: 2 failed"]),
        (None, ["browser: no report, so its tests did not run"]),
    ],
    ids=["all ran", "none ran", "all skipped", "one skipped", "two failed", "no report"],
)
def test_ci_fails_unless_the_browser_tests_ran(tmp_path, browser, says):
    def report(part, cases):
        (tmp_path / f"{part}.xml").write_text(
            f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"
        )

    report("unit", [PASSED, SKIPPED])
    report("nbval", [PASSED])
    if browser is not None:
        report("browser", browser)
    assert junit.faults(tmp_path) == says


@pytest.fixture
def ci(tmp_path):
    """Runs .ci/run where everything but the shell is a stand-in; returns the process and what was called."""
    for name in (".ci/run", "tools/junit.py"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(ROOT / name, tmp_path / name)

    def ci(*, has=("make", "git", "chromium"), make=0, venv=0, library="libatomic.so.1", cases=PASSED):
        tools, log = tmp_path / "bin", tmp_path / "called"
        log.unlink(missing_ok=True)
        for tool in ("bash", "dirname", "rm", "mkdir"):
            program(tools / tool, f'exec {shutil.which(tool)} "$@"')
        for tool in has:
            program(tools / tool, f'echo {tool} "$@" >> {log}')
        report = f"<testsuites>{cases}</testsuites>"
        reports = "\n".join(f"echo '{report}' > out/junit/{part}.xml" for part in junit.PARTS)
        program(tools / "make", f'echo make "$@" >> {log}; mkdir -p out/junit\n{reports}\nexit {make}')
        program(tools / "ldconfig", f"echo '  {library} (libc6,x86-64)'")
        program(tools / "apt-get", f'echo apt-get "$@" >> {log}')
        program(tools / "python3", f'case "$*" in -c*) exit {venv};; esac\nexec {sys.executable} "$@"')
        done = run("bash", ".ci/run", cwd=tmp_path, PATH=str(tools))
        return done, log.read_text()

    return ci


def test_ci_installs_nothing_where_all_is_there(ci):
    done, called = ci()
    assert done.returncode == 0, done.stderr
    assert called == "make --keep-going test\n"
    assert "browser: 1 passed" in done.stdout


def test_ci_installs_what_is_missing(ci):
    _, called = ci(has=("make",), venv=1, library="libc.so.6")
    packages = "git chromium python3 python3-venv libatomic1"
    assert f"apt-get install -y -qq --no-install-recommends {packages}\n" in called


@pytest.mark.parametrize(
    "wrong",
    [dict(make=2), dict(cases=SKIPPED), dict(cases="")],
    ids=["a test fails", "all are skipped", "none ran"],
)
def test_ci_fails_when(ci, wrong):
    assert ci(**wrong)[0].returncode != 0
