#!/bin/sh
# Puts the course's notebooks back as they came, for a fresh start or before `git pull`.
# What the learner had in them is kept in my_copies/, in a folder named for the day and time.
set -eu
cd "$(dirname "$0")/.."
if ! git rev-parse --git-dir >/dev/null 2>&1; then
    echo "This folder was not made by git clone, so there is nothing to take the notebooks from." >&2
    echo "Download the course again beside it; your notebooks stay as they are." >&2
    exit 1
fi

changed=$(git -c core.quotePath=false diff --name-only HEAD -- notebooks exercises)
if [ -z "$changed" ]; then
    echo "All notebooks are as they came. To get the newest version: git pull"
    exit 0
fi

copies=my_copies/$(date +%Y-%m-%d_%H%M%S)
echo "$changed" | while IFS= read -r name; do
    if [ -e "$name" ]; then
        mkdir -p "$copies/$(dirname "$name")"
        cp -p "$name" "$copies/$name"
        echo "  $name  (yours: $copies/$name)"
    else
        echo "  $name  (was deleted)"
    fi
    git reset -q HEAD -- "$name"
    git checkout -q -- "$name"
done
echo "These are back as they came. To get the newest version: git pull"
