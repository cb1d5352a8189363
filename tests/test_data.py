"""rankedu.data: the data sets load, are whole, and say what they are."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rankedu import data, metrics, trec

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "tools" / "make_stdlib_search.py"
MAIN_RUNS = ["bm25", "tfidf", "name_match"]
POOLED_RUNS = [*MAIN_RUNS, "fielded", "expanded"]


@pytest.fixture(scope="module")
def task():
    return data.load("stdlib_search")


@pytest.fixture(scope="module")
def collection():
    return data.path("stdlib_search/collection.txt").read_text(encoding="utf-8").split()


@pytest.fixture
def script(tmp_path):
    """The module of the script, working on a copy of the data set that a test may spoil."""
    spec = importlib.util.spec_from_file_location("make_stdlib_search", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.FOLDER = shutil.copytree(module.FOLDER, tmp_path / "stdlib_search")
    return module


class TestFiles:
    def test_numbers_of_the_task(self, task):
        assert len(task.queries) == 32
        assert list(task.runs) == MAIN_RUNS
        assert set(task.run_names) == {*POOLED_RUNS, "fielded_export"}

    def test_ids_of_queries_are_the_same_everywhere(self, task):
        assert task.queries.keys() == task.needs.keys() == task.qrels.keys()
        for name in task.run_names:
            assert task.run(name).keys() <= task.queries.keys()

    def test_ids_of_documents_are_the_same_everywhere(self, task, collection):
        assert len(collection) == len({doc_id.lower() for doc_id in collection})
        judged = {doc_id for grades in task.qrels.values() for doc_id in grades}
        assert judged == task.documents.keys()
        assert judged <= set(collection)
        for name in POOLED_RUNS:
            assert {doc_id for found in task.run(name).values() for doc_id in found} <= set(collection)

    def test_descriptions_are_one_short_line_each(self, task):
        for doc_id, line in task.documents.items():
            assert line == line.strip(), doc_id
            assert 5 <= len(line) <= 110, doc_id

    def test_every_query_has_a_text_and_a_need(self, task):
        assert all(text.strip() for text in [*task.queries.values(), *task.needs.values()])
        assert len(set(task.queries.values())) == len(task.queries)

    def test_grades_are_0_to_3_and_each_query_has_a_best_answer(self, task):
        for query_id in task.queries:
            assert set(task.qrels[query_id].values()) <= {0, 1, 2, 3}
            assert task.judged(query_id)[0] == 3, query_id

    @pytest.mark.parametrize("name", POOLED_RUNS)
    def test_the_first_ten_of_every_run_are_judged_and_described(self, task, name):
        for query_id in task.queries:
            for doc_id in task.ranking(name, query_id)[:10]:
                assert doc_id in task.qrels[query_id], f"{query_id} {doc_id}"
                assert doc_id in task.documents

    @pytest.mark.parametrize("name", POOLED_RUNS)
    def test_scores_fall_along_the_ranks_as_written(self, task, name):
        lines = [line.split() for line in task.path(f"{name}.run").read_text().splitlines()]
        for query_id in task.queries:
            mine = [line for line in lines if line[0] == query_id]
            assert [line[2] for line in mine] == task.ranking(name, query_id)
            assert [int(line[3]) for line in mine] == list(range(1, len(mine) + 1))
            assert len(mine) <= 30

    def test_the_page_states_the_numbers_of_the_files(self, task, collection):
        page = task.path("README.md").read_text(encoding="utf-8")
        grades = [grade for query_id in task.queries for grade in task.judged(query_id)]
        unpooled = sum(
            len(
                task.qrels[query_id].keys()
                - {doc for run in POOLED_RUNS for doc in first_ten(task, run, query_id)}
            )
            for query_id in task.queries
        )
        stated = dict(re.findall(r"^\| ([0-3]) \| (\d+) \|$", page, flags=re.MULTILINE))
        assert stated == {str(grade): str(grades.count(grade)) for grade in range(4)}
        assert f"{len(grades)} judgments, as TREC qrels" in page
        assert f"all {len(collection)} documents" in page
        assert f"the {len(task.documents)} judged documents" in page
        assert f"{unpooled} more judgments were added" in page
        assert f"is among the {unpooled}" in page
        hopeless = [
            query_id
            for query_id in task.queries
            if not any(grade > 1 for run in POOLED_RUNS for grade in task.grades(run, query_id)[:10])
        ]
        assert (
            f"four queries ({', '.join(f'`{query_id}`' for query_id in hopeless)}) have no grade above 1"
            in page
        )

    def test_descriptions_share_no_four_words_in_a_row_with_the_docstring(self, task, script):
        def fours(text):
            found = re.findall(r"[a-z]+", text.lower())
            return {tuple(found[start : start + 4]) for start in range(len(found) - 3)}

        here = [doc_id for doc_id in task.documents if script.is_here(doc_id)]
        assert len(here) > 400
        for doc_id in here:
            shared = fours(task.documents[doc_id]) & fours(script.find(doc_id).__doc__ or "")
            assert not shared, doc_id


def first_ten(task, run_name, query_id):
    return task.ranking(run_name, query_id)[:10]


class TestFactsThatLessonsUse:
    """Numbers that notebooks print; a change here means that notebooks are to be executed again."""

    @pytest.mark.parametrize(
        ("run", "grades"),
        [
            ("bm25", [2, 3, 3, 1, 3, 0, 1, 0, 0, 1]),
            ("tfidf", [1, 2, 3, 3, 1, 1, 0, 1, 3, 1]),
            ("name_match", [3, 0, 0, 0, 3, 0, 0, 0, 0]),
        ],
    )
    def test_running_a_shell_command(self, task, run, grades):
        assert task.queries["q02"] == "run a shell command and capture its output"
        assert task.grades(run, "q02")[:10] == grades
        assert [grade for grade in task.judged("q02") if grade] == [3] * 3 + [2] * 3 + [1] * 8

    def test_checking_whether_a_file_exists_divides_the_rankers(self, task):
        assert task.grades("tfidf", "q14")[:2] == [3, 3]
        assert task.grades("bm25", "q14")[:6] == [0, 1, 0, 0, 3, 3]
        assert max(task.grades("name_match", "q14")[:6]) == 0

    def test_name_match_finds_nothing_where_no_name_has_a_word_of_the_query(self, task):
        assert [q for q in task.queries if not task.ranking("name_match", q)] == ["q07", "q18", "q23"]

    def test_nobody_finds_anything_for_unzip_and_it_has_relevant_documents(self, task):
        assert task.queries["q18"] == "unzip"
        assert all("q18" not in run for run in task.runs.values())
        assert task.grades("bm25", "q18") == []
        assert task.judged("q18") == [3, 3, 3, 2, 1]

    def test_name_match_ties_and_ties_are_ordered_by_id_descending(self, task):
        scores = task.runs["name_match"]["q14"]
        tied = [doc_id for doc_id in task.ranking("name_match", "q14") if scores[doc_id] == 0.2]
        assert len(tied) == 14
        assert tied == sorted(tied, reverse=True)

    def test_one_query_has_a_single_relevant_document(self, task):
        relevant = {query_id: sum(map(bool, task.judged(query_id))) for query_id in task.queries}
        assert [query_id for query_id, count in relevant.items() if count == 1] == ["q27"]
        assert task.qrels["q27"]["contextlib.suppress"] == 3

    def test_the_exported_run_is_the_other_one_with_two_faults(self, task):
        exported = [line.split() for line in task.path("fielded_export.run").read_text().splitlines()]
        right = [line.split() for line in task.path("fielded.run").read_text().splitlines()]
        seen, repaired = set(), []
        for query_id, _, doc_id, _, score, _ in exported:
            assert doc_id == doc_id.lower()
            if (query_id, doc_id) not in seen:
                repaired.append((query_id, doc_id, score))
            seen.add((query_id, doc_id))
        assert repaired == [(line[0], line[2].lower(), line[4]) for line in right]
        assert len(exported) > len(repaired)
        assert any(line[2] != line[2].lower() for line in right)

    def test_of_the_capstone_runs_one_has_the_better_top_and_the_other_finds_more(self, task):
        def mean(metric, name, k):
            scores = [metric(task.grades(name, q), k, judged=task.judged(q)) for q in task.queries]
            return sum(scores) / len(scores)

        assert mean(metrics.ndcg, "fielded", 10) > mean(metrics.ndcg, "expanded", 10) + 0.02
        assert mean(metrics.recall_at_k, "fielded", 30) < mean(metrics.recall_at_k, "expanded", 30) - 0.05
        assert mean(metrics.average_precision, "fielded", None) < mean(
            metrics.average_precision, "expanded", None
        )


class TestLoading:
    def test_a_ranking_follows_the_scores_and_grades_follow_the_ranking(self, task):
        scores = task.runs["bm25"]["q01"]
        ranking = task.ranking("bm25", "q01")
        assert sorted(ranking) == sorted(scores)
        assert [scores[doc_id] for doc_id in ranking] == sorted(scores.values(), reverse=True)
        assert task.grades("bm25", "q01") == [task.qrels["q01"].get(doc_id, 0) for doc_id in ranking]

    def test_an_unjudged_document_counts_as_0(self, task):
        ranking = task.ranking("bm25", "q01")
        unjudged = [rank for rank, doc_id in enumerate(ranking) if doc_id not in task.qrels["q01"]]
        assert unjudged
        assert {task.grades("bm25", "q01")[rank] for rank in unjudged} == {0}

    def test_judged_holds_more_than_any_ranking_found(self, task):
        assert sorted(task.judged("q02"), reverse=True) == task.judged("q02")
        assert len(task.judged("q02")) == len(task.qrels["q02"])

    def test_paths_lead_to_files_that_trec_reads(self, task):
        assert trec.read_run(data.path("stdlib_search/bm25.run")) == task.runs["bm25"]
        assert trec.read_qrels(task.path("judgments.qrels")) == task.qrels
        assert data.path("stdlib_search").is_dir()

    def test_what_one_learner_changes_another_load_does_not_see(self, task):
        mine = data.load("stdlib_search")
        mine.queries["q01"] = "changed"
        mine.runs["mine"] = {}
        assert "mine" not in data.load("stdlib_search").runs
        assert task.queries["q01"] == "read a csv file"

    def test_the_text_form_says_what_it_holds(self, task):
        assert repr(task).startswith("<SearchTask stdlib_search: 32 queries, ")
        assert "bm25" in repr(task)

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (
                lambda task: data.load("stdlib_serch"),
                "unknown data set 'stdlib_serch'; did you mean 'stdlib_search'?",
            ),
            (lambda task: data.load(3), "unknown data set 3; the names are: stdlib_search"),
            (lambda task: data.path("stdlib_search/bm52.run"), "did you mean 'stdlib_search/bm25.run'?"),
            (lambda task: data.path("../metrics.py"), "unknown file '../metrics.py'"),
            (lambda task: task.path("judgements.qrels"), "did you mean 'judgments.qrels'?"),
            (lambda task: task.run("tf-idf"), "unknown run 'tf-idf'; did you mean 'tfidf'?"),
            (lambda task: task.ranking("bm25", "q99"), "unknown query 'q99'"),
            (lambda task: task.grades("nobody's", "q01"), "names are: bm25, expanded, fielded"),
            (lambda task: task.judged("2"), "unknown query '2'"),
        ],
    )
    def test_an_unknown_name_is_told_what_there_is(self, task, call, message):
        with pytest.raises(ValueError, match=re.escape(message)):
            call(task)

    def test_loading_needs_no_matplotlib_or_widgets(self):
        program = (
            "import sys; from rankedu import data; data.load('stdlib_search').runs; "
            "print([m for m in ('matplotlib', 'ipywidgets', 'pandas', 'scipy') if m in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
        assert done.stdout.strip() == "[]", done.stderr


class TestTheScript:
    def test_finds_nothing_to_complain_about(self, script):
        assert script.faults_of_judgments() == []

    @pytest.mark.parametrize(
        ("file", "old", "new", "complaint"),
        [
            ("judgments.qrels", "q01 0 csv 2\n", "", "q01: csv is in the pool and has no judgment"),
            ("judgments.qrels", "q01 0 csv 2\n", "q01 0 CSV 2\n", "CSV is judged and not in collection.txt"),
            ("judgments.qrels", "q27 ", "q72 ", "q72 is judged and not in queries.tsv"),
            ("judgments.qrels", "q27 ", "q72 ", "q27 has no judgments"),
            (
                "documents.tsv",
                "\ncsv.reader\t",
                "\ncsv.raeder\t",
                "csv.reader is judged and has no description",
            ),
            (
                "documents.tsv",
                "\ncsv.reader\t",
                "\nabc\tx\ncsv.reader\t",
                "abc is described and judged for no query",
            ),
            (
                "bm25.run",
                "q01 Q0 csv.writer 1 ",
                "q01 Q0 zlib 1 ",
                "q01: zlib is in the pool and has no judgment",
            ),
        ],
    )
    def test_names_what_is_missing(self, script, file, old, new, complaint):
        text = script.FOLDER.joinpath(file).read_text(encoding="utf-8")
        assert old in text
        script.FOLDER.joinpath(file).write_text(text.replace(old, new), encoding="utf-8")
        assert complaint in script.faults_of_judgments()

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("OrderedDict", ["ordered", "dict"]),
            ("functools.lru_cache", ["functool", "lru", "cache"]),
            ("HTTPServer", ["http", "server"]),
            ("all the files of a class", ["file", "class"]),
            ("B64encode", ["b", "64", "encode"]),
        ],
    )
    def test_takes_text_apart_into_words(self, script, text, found):
        assert script.words(text) == found

    def test_equal_scores_are_in_descending_order_of_ids_and_zeros_are_dropped(self, script):
        assert script.top({"a": 1.0, "b": 1.00001, "c": 2.0, "d": 0.00001}) == [
            ("c", 2.0),
            ("b", 1.0),
            ("a", 1.0),
        ]

    def test_refuses_another_python_by_name(self, script, monkeypatch, capsys):
        monkeypatch.setattr(script.platform, "python_version", lambda: "3.99.1")
        before = script.FOLDER.joinpath("bm25.run").read_bytes()
        assert script.main([]) == 2
        assert "made by CPython 3.11.7 on Linux; this is CPython 3.99.1" in capsys.readouterr().out
        assert script.FOLDER.joinpath("bm25.run").read_bytes() == before

    def test_check_on_another_python_still_checks_the_pool(self, script, monkeypatch, capsys):
        monkeypatch.setattr(script.platform, "python_version", lambda: "3.99.1")
        assert script.main(["--check"]) == 2
        script.FOLDER.joinpath("judgments.qrels").write_text("q01 0 csv 2\n")
        assert script.main(["--check"]) == 1
        assert "csv.reader is in the pool and has no judgment" in capsys.readouterr().out


def why_the_runs_cannot_be_made():
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True)
    return done.stdout if done.returncode == 2 else ""


@pytest.fixture
def copy_of_project(tmp_path):
    """A folder with the script and its data, and a function that runs the script there.

    In an interpreter of its own, since pytest puts another function in the place of pdb.set_trace.
    """
    (tmp_path / "tools").mkdir()
    shutil.copy(SCRIPT, tmp_path / "tools")
    folder = shutil.copytree(data.path("stdlib_search"), tmp_path / "rankedu" / "data" / "stdlib_search")

    def run(*arguments, seed="0"):
        command = [sys.executable, str(tmp_path / "tools" / SCRIPT.name), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": seed}
        )
        return done.returncode, done.stdout + done.stderr

    return folder, run


@pytest.mark.skipif(bool(why := why_the_runs_cannot_be_made()), reason=why)
class TestTheScriptOnItsPython:
    @pytest.mark.parametrize("seed", ["1", "2"])
    def test_check_agrees_with_the_committed_runs_whatever_the_order_of_sets(self, copy_of_project, seed):
        _, run = copy_of_project
        assert run("--check", seed=seed) == (
            0,
            "6 runs are as this script makes them; every pooled document is judged.\n",
        )

    def test_check_names_a_run_that_differs(self, copy_of_project):
        folder, run = copy_of_project
        tfidf = folder / "tfidf.run"
        tfidf.write_text(tfidf.read_text().replace(" csv.excel ", " csv.exce ", 1))
        code, said = run("--check")
        assert code == 1
        assert "tfidf.run is not what this script makes" in said

    def test_writes_what_is_committed(self, copy_of_project):
        folder, run = copy_of_project
        committed = {file.name: file.read_bytes() for file in folder.glob("*.run")}
        for file in folder.glob("*.run"):
            file.write_text("")
        assert run()[0] == 0
        assert {file.name: file.read_bytes() for file in folder.glob("*.run")} == committed

    def test_pool_shows_the_text_of_what_waits_for_a_judgment(self, copy_of_project):
        folder, run = copy_of_project
        judgments = folder / "judgments.qrels"
        judgments.write_text(judgments.read_text().replace("q01 0 csv.reader 3\n", ""))
        code, shown = run("--pool")
        assert code == 0
        assert shown.startswith("=== q01 csv.reader\n")
        assert shown.count("===") == 1
