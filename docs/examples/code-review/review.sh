#!/bin/sh
# Reviews a change of code-polishy itself, from the repository to the report.
#
#     review.sh FOLDER
#
# FOLDER is new and gets the repository and, beside it, the reports. Needs code-polishy, git and jq.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$1"
cd "$1"
out=$(pwd)

# The files that the change touches, before it and with it; at fixed times, so that the commits have the same ids everywhere.
export GIT_AUTHOR_NAME='The maintainers' GIT_AUTHOR_EMAIL=maintainers@example.org GIT_AUTHOR_DATE=2026-12-01T02:00:00Z
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
git -c init.defaultObjectFormat=sha1 init --quiet --initial-branch=main repo
cd repo
cp -R "$here/before/." .
cp -R "$here/gates" recorded
echo /.code-polishy-reports/ > .gitignore
git add --all
git -c commit.gpgSign=false commit --quiet --message 'Sweep abandoned worktrees'
git -c commit.gpgSign=false am --quiet "$here/change.patch"

# What is reviewed, and by whom.
export CODE_POLISHY_PRODUCER_ID=reviewer-1
code-polishy code-review start --scope commit --target HEAD > "$out/start.txt"
run=$(tail -n 1 "$out/start.txt")
code-polishy code-review route --run "$run" --signals "$here/signals.json"

# Each reviewer gets specialists/ROLE-context.md of the run, and answers once.
for role in sw-engineer qa-specialist; do
    code-polishy code-review reviewer-event --run "$run" --role "$role" --event dispatched --mode spawned --reviewer-id "$role-a"
    code-polishy code-review reviewer-event --run "$run" --role "$role" --event started
    code-polishy code-review reviewer-event --run "$run" --role "$role" --event completed --output "$here/$role.md"
    code-polishy code-review reviewer-event --run "$run" --role "$role" --event joined
done

# Two files do not build: the gates say what the commands of the real review said.
code-polishy code-review gates --run "$run" --lint 'cat recorded/lint.txt' --format-cmd 'cat recorded/format.txt' \
    --skip-types 'the compiler checks types' --tests 'cat recorded/tests.txt'

# What the run knows of the metadata goes below the words of whoever drives the review.
code-polishy code-review validate --run "$run" --manifest-only --format json > "$out/mirror.json"
plan=sha256:$(sha256sum < "$run/direct-plan.json" | cut -d ' ' -f 1)
jq --slurpfile mirror "$out/mirror.json" --arg plan "$plan" \
    '. + $mirror[0].mirror | .review_validation.candidates[].source_revision = $plan' "$here/metadata.json" > "$out/metadata.json"

# The notes are drafted, and the gaps of the draft get its author's words.
code-polishy code-review notes --run "$run" --draft --metadata "$out/metadata.json"
sed -f "$here/notes.sed" "$run/review-notes.md" > "$out/notes.md"
cp "$out/notes.md" "$run/review-notes.md"

# The hand-off is drafted, checked by its author, given back, and becomes the report.
code-polishy code-review finalize --run "$run" --metadata "$out/metadata.json" --draft-handoff "$out/handoff.json"
code-polishy code-review finalize --run "$run" --metadata "$out/metadata.json" --handoff "$out/handoff.json" --renderer handoff-html --promote
code-polishy code-review complete --run "$run" > "$out/final.md"
cp "$run/renders/handoff-html/final.html" "$out/final.html"
