# Two commands are enough for most: `make lab` to learn, `make test` to be sure that all of it works.
# `make` alone lists the rest.

JOBS ?= 2
python := .venv/bin/python
pytest := $(python) -m pytest

# Nothing but `make lab` may touch the learner's progress
test lint unit nbval browser notebooks solutions class screenshots bench: export RANKEDU_PROGRESS = off

.DEFAULT_GOAL := help
.PHONY: help lab test lint unit nbval browser notebooks solutions class readme site screenshots bench reset clean environment-lab environment-test

help:  ## this list
	@echo "rankedu: how good is a ranked list? A course in Jupyter notebooks."
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

lab: environment-lab  ## open JupyterLab on the first lesson (sets up what it needs the first time)
	@$(python) tools/lab.py $(LAB_OPTIONS)

test: lint unit nbval browser  ## all the checks: style, package, notebooks, and the course in a real browser

lint: environment-test  ## ruff over code and notebooks
	$(python) -m ruff check
	$(python) -m ruff format --check

unit: environment-test  ## the package, its examples, and the rules that every notebook keeps
	$(pytest) -n $(JOBS) --ignore tests/browser --junit-xml out/junit/unit.xml

nbval: environment-test  ## run every notebook and compare each output with the stored one
	$(pytest) -n $(JOBS) --dist loadscope --nbval --nbval-current-env --junit-xml out/junit/nbval.xml notebooks exercises

browser: environment-test  ## every notebook in JupyterLab in a real Chromium
	$(pytest) -n $(JOBS) --dist loadgroup --junit-xml out/junit/browser.xml tests/browser

notebooks: environment-test  ## run every notebook and store its outputs, the same way each time
	$(python) tools/notebooks.py --jobs $(JOBS) $(ONLY)

solutions: environment-lab  ## every exercise notebook solved and run, in out/solutions, for those who teach
	$(python) tools/solutions.py $(ONLY)

class: environment-lab  ## the exercise notebooks without hints and solutions, in out/class, for a timed session
	$(python) tools/solutions.py --class $(ONLY)

readme: environment-test  ## README.md in step with the notebooks and the repository's address
	$(python) tools/readme.py

site: environment-test  ## the course as web pages for reading without a kernel, in out/site
	$(python) tools/site.py

screenshots: environment-test  ## pictures of every notebook, light and dark, in out/screenshots
	$(python) tools/screenshots.py

bench: environment-test  ## how fast the sliders, the notebooks, the import and the metrics are
	$(python) tools/bench_course.py
	$(python) tools/bench_widgets.py
	$(python) tools/bench_batch.py
	$(python) tools/bench_trec.py

reset:  ## the notebooks as they came; your own versions are kept in my_copies/
	@sh tools/reset.sh

clean:  ## remove what the tools left behind (not .venv, not my_copies)
	rm -rf out build dist .pytest_cache .ruff_cache .hypothesis
	find . -path ./.venv -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -type d -exec rm -rf {} +

environment-lab environment-test: environment-%:
	@sh tools/environment.sh $*
