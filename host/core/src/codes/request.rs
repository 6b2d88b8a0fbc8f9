//! Codes of requests: intents, their journal, features and what a change selects.

codes! {
    "feature.ambiguous", "BR-15",
        "A name means several features",
        "An alias of one is the name of another in the other policy",
        "Say one of the names that the hint gives";
    "feature.bad-operand", "BR-15",
        "The name of a feature cannot be one",
        "It is blank, too long, or has characters that nobody sees",
        "Say the feature's name or alias";
    "feature.too-many", "BR-16",
        "More features are named than a command takes",
        "The list is longer than 128",
        "Name fewer features";
    "feature.unknown", "BR-16",
        "No feature has this name or alias",
        "It is misspelled, or not configured",
        "Say one of the names that the hint gives";
    "follow-up.reason", "BR-53",
        "The reason for another review is blank or not one line",
        "It was left out",
        "Say in one line who authorised another review, and why";
    "intent.after-the-fact", "BR-31",
        "Every request in the journal was captured after the change was made",
        "The capture came too late",
        "Capture the request at the task's base, before the code";
    "intent.blank", "BR-23",
        "The intent is blank",
        "Nothing was given to capture",
        "Give the request as it was made";
    "intent.none", "BR-42",
        "A review is selected, and no request was captured",
        "The work began before the capture",
        "Capture the request at the task's base, before the code";
    "intent.not-utf8", "BR-23",
        "The intent is not UTF-8",
        "It was saved in another encoding",
        "Save it as UTF-8";
    "intent.too-large", "BR-23",
        "The intent is larger than 64 KiB",
        "More than the request was captured",
        "Capture the request alone";
    "intent.unusable", "BR-27",
        "The file of the intent cannot be used",
        "It is missing, a link, no regular file, or outside the repository",
        "Name a regular file of the repository, or use `-`";
    "journal.broken-chain", "BR-23",
        "A record of the journal does not follow from the one before it",
        "A record was removed, moved or edited",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.broken-reference", "BR-23",
        "A requirement names intents that are not there as it saw them",
        "An intent was removed, moved or edited",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.edited", "BR-23",
        "A record of the journal is not the one that was written",
        "It was edited",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.empty", "BR-23",
        "The journal has no entry",
        "Its entries were removed",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.features", "BR-23",
        "The features of a requirement are not sorted, unique and at least one",
        "The record was edited",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.full", "BR-23",
        "The journal holds as much as it may",
        "Many requests were captured for one task",
        "Finish the task, then run `code-polishy behavior-review cleanup`";
    "journal.malformed", "BR-23",
        "The journal is not JSON of its shape",
        "It was edited or cut off",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.other-history", "BR-29",
        "HEAD does not descend from where the last request was captured",
        "Another branch was checked out, or history was rewritten",
        "Check out the branch of the task, or capture with --rewritten";
    "journal.text", "BR-23",
        "The text of an intent is blank or too large",
        "The record was edited",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.too-many", "BR-23",
        "The journal has more records than it may",
        "It was edited, or put together from two",
        "Restore the journal, or run `code-polishy behavior-review cleanup` when the task is over";
    "journal.version", "BR-23",
        "The journal is of a version that is not read",
        "It was written by another version of the tool",
        "Use that version, or run `code-polishy behavior-review cleanup` when the task is over";
    "require.unrelated-base", "BR-30",
        "The base is not a commit at which a request was captured and the candidate builds on",
        "Another commit was named",
        "Name the commit at which the request was captured";
    "requirement.moved-base", "BR-33",
        "The task base of a requirement is not in the candidate's history",
        "History was rewritten, or another branch is checked out",
        "Check out the branch of the task; its features stay required";
    "selection.empty", "BR-42",
        "Nothing of the change asks for a review",
        "It touches no feature that is required now",
        "Nothing is to do; ask for a review with `require` if you want one";
    "selection.feature-gone", "BR-66",
        "A requested feature is defined neither at the base nor at the candidate",
        "Its definition was removed",
        "Define it again, or run `code-polishy behavior-review cleanup` when its task is over";
    "selection.suite-changed", "BR-40",
        "The suite that judges the change was changed by it",
        "The candidate's policy defines it otherwise than the base's",
        "Look at both definitions before you rely on the proof";
    "selection.suite", "BR-40",
        "A suite of a selected feature cannot serve the review",
        "The candidate removed it, or made it ineligible",
        "Restore the suite in `.code-polishy.json`, and commit";
    "test.base", "BR-6",
        "--base says where a change starts, and nothing asks about a change",
        "--changed or --recommended was left out",
        "Add --changed or --recommended";
    "test.no-selection", "BR-6",
        "Nothing says which suites to run",
        "No option of the kind was given",
        "Name suites or a module, or pass --changed, --recommended or --all";
    "test.nothing-selected", "BR-6",
        "No configured suite is selected",
        "The module or the change has none",
        "Name a suite, or configure one";
    "test.unknown-module", "BR-6",
        "There is no module of this name",
        "It is misspelled",
        "Use one of the names that the hint gives";
    "test.unknown-suite", "BR-6",
        "There is no suite of this name",
        "It is misspelled",
        "Use one of the names that the hint gives";
}
