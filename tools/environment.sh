#!/bin/sh
# Makes sure that .venv holds an extra of the project: environment.sh lab | test
#
# The second time it only compares two lines. It does its work again when pyproject.toml or the settings of
# JupyterLab have changed, when the folder was moved, or when the Python that .venv was made with is gone; a .venv
# made by hand is completed.
set -eu
cd "$(dirname "$0")/.."
extra=$1
stamp=.venv/.rankedu-$extra
state="$(pwd -P) $(cat pyproject.toml tools/lab_defaults.json | cksum)"

runs() { "$1" -c '' 2>/dev/null; }

if [ "$(cat "$stamp" 2>/dev/null)" = "$state" ] && runs .venv/bin/python; then
    exit 0
fi

# The first Python that is new enough and can make environments. It is run, not only looked for: a version
# manager's shim is on the PATH even when there is nothing behind it.
find_python() {
    old= bare=
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
        version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        if ! "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            old="$old $candidate is $version;"
        elif ! "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
            bare=${bare:-$version}
        else
            command -v "$candidate"
            return
        fi
    done
    {
        if [ -n "$bare" ]; then
            echo "Python $bare is here, but cannot make an environment: its venv module is missing."
            echo "On Debian and Ubuntu: sudo apt install python$bare-venv"
        elif [ -n "$old" ]; then
            echo "rankedu needs Python 3.11 or later, and found none:$old"
            echo "Install a later one from https://www.python.org/downloads/, or name it: make lab PYTHON=/path/to/python3"
        else
            echo "rankedu needs Python 3.11 or later, and found no Python at all on the PATH."
            echo "Install one from https://www.python.org/downloads/, or name it: make lab PYTHON=/path/to/python3"
        fi
        echo "Without installing anything: the Binder link in README.md opens the course in your browser."
    } >&2
    return 1
}

if ! runs .venv/bin/python || ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    base=$(find_python)
    rm -rf .venv
    echo "Making .venv with $base"
    "$base" -m venv .venv
fi
rm -f .venv/.rankedu-*
echo "Installing the course and what it needs into .venv (extra: $extra). This happens once and takes a minute or two."
if ! .venv/bin/python -m pip install -qq --disable-pip-version-check --editable ".[$extra]"; then
    echo "pip could not install everything; its message is above. Once that is mended, the same command goes on here." >&2
    exit 1
fi
# JupyterLab's question about news would lie over the first lesson; and cells and sliders would run in two threads
# at once, of which matplotlib's pyplot knows nothing
mkdir -p .venv/share/jupyter/lab/settings
cp tools/lab_defaults.json .venv/share/jupyter/lab/settings/overrides.json
# matplotlib reads all the fonts the first time and says so on stderr: better now than in the first lesson
.venv/bin/python -c 'import matplotlib.font_manager' 2>/dev/null
echo "$state" > .venv/.rankedu-lab
[ "$extra" = lab ] || echo "$state" > "$stamp"
