"""The environment, as far as it can be tried without conda and Docker: specs, pip section, Dockerfile.

A conda solve, and the image that Binder builds, are not tried here.
"""

import importlib.metadata
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import rattler
import yaml
from packaging.requirements import Requirement

import rankedu

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
CONDA = [spec for spec in ENVIRONMENT["dependencies"] if isinstance(spec, str)]
PIP = [spec for each in ENVIRONMENT["dependencies"] if isinstance(each, dict) for spec in each["pip"]]
# "python=3.12" is conda's own notation; the others read as pip's do
SPECS = {Requirement(spec).name: Requirement(spec) for spec in CONDA + PIP if "=3.12" not in spec}
CONDA_NAMES = {"matplotlib": "matplotlib-base"}  # of a package on PyPI, where conda-forge calls it otherwise


def required(extra):
    """The requirements of an extra by name, with those of the package and of the extras it names."""
    found = {each.name: each for each in map(Requirement, PROJECT["dependencies"])}
    for requirement in map(Requirement, PROJECT["optional-dependencies"][extra]):
        if requirement.name == "rankedu":
            found |= required(*requirement.extras)
        else:
            found[requirement.name] = requirement
    return found


@pytest.mark.parametrize("spec", CONDA)
def test_conda_reads_each_spec(spec):
    matched = rattler.MatchSpec(spec, strict=True)
    assert matched.name.normalized == Requirement(spec.replace("=3.12", "")).name


def test_binder_and_conda_install_what_make_lab_does():
    there = {CONDA_NAMES.get(each, each) for each in required("lab")}
    assert set(SPECS) - {"pip"} == there


@pytest.mark.parametrize("name", sorted(required("lab")))
def test_in_the_same_versions(name):
    assert SPECS[CONDA_NAMES.get(name, name)].specifier == required("lab")[name].specifier


def test_pip_section_holds_only_what_conda_forge_has_not():
    assert "pip" in CONDA
    assert {Requirement(spec).name for spec in PIP} == {"ir_measures", "pytrec_eval-terrier"}


def test_python_is_pinned_in_the_one_form_that_repo2docker_reads():
    assert [spec for spec in CONDA if spec.startswith("python")] == ["python=3.12"]
    assert "3.12" in Requirement(f"python{PROJECT['requires-python']}").specifier


@pytest.fixture(scope="module")
def dockerfile():
    """What Binder would build: Dockerfile and messages of repo2docker, without Docker."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_binder_builds_from_environment_yml_and_postbuild(dockerfile):
    assert "Building conda environment for python=3.12" in dockerfile
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"' in dockerfile
    assert "RUN ./postBuild" in dockerfile


def test_binder_solves_before_it_copies_the_course(dockerfile):
    """So that a changed notebook does not build the environment anew."""
    assert dockerfile.index('--file "environment.yml"') < dockerfile.index("COPY --chown=0:0 src/ ")


def test_postbuild_is_a_program():
    script = ROOT / "postBuild"
    assert os.access(script, os.X_OK)
    assert script.read_text().startswith("#!/bin/bash\n")
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_postbuild_installs_the_course_alone(tmp_path):
    """Run with stand-ins for pip and python that write down how they are called."""
    for name in ("pip", "python"):
        says = f'case "$*" in *sys.prefix*) echo {tmp_path};; esac'
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/called\n{says}\n')
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    subprocess.run([ROOT / "postBuild"], cwd=ROOT, env={**os.environ, "PATH": path}, check=True)
    first, *others = (tmp_path / "called").read_text().splitlines()
    assert first.split()[:2] == ["pip", "install"]
    assert {"--no-deps", "-e", "."} <= set(first.split())
    assert others[-1] == "python -c import matplotlib.font_manager"
    settings = tmp_path / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    assert settings.read_bytes() == (ROOT / "tools" / "lab_defaults.json").read_bytes()


def test_the_package_is_what_the_project_says():
    """The data sets travel with the package, and it installs under its own name."""
    assert PROJECT["name"] == "rankedu"
    assert importlib.metadata.version("rankedu") == rankedu.__version__


def test_import_is_light():
    """numpy alone: no matplotlib, ipywidgets, scipy or pandas until something needs them."""
    heavy = ("matplotlib", "ipywidgets", "IPython", "scipy", "pandas", "sklearn", "tqdm")
    modules = (
        "import rankedu, rankedu.metrics, rankedu.batch, rankedu.trec, rankedu.exercises, rankedu.quiz, sys; "
    )
    code = modules + f"print(sorted(set(sys.modules) & set({heavy})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
