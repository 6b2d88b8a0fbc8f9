//! Codes of the finder (CR-180, CR-182).

codes! {
    MATCHING_REVIEW_INCOMPLETE: AskUser, "matching-review-incomplete", "CR-180",
        "A newer review of this pull request was begun and has no result",
        "Its work is unfinished",
        "Finish that run, or start a new one";
    MATCHING_REVIEW_CANDIDATE_UNPROMOTED: AskUser, "matching-review-candidate-unpromoted", "CR-180",
        "A newer review of this pull request has a candidate that was not promoted",
        "Finalizing did not pass, or was not asked to promote",
        "Finalize that run with --promote, or discard its candidate";
    MATCHING_REVIEW_CLOSED_NOT_REMEDIABLE: AskUser, "matching-review-closed-not-remediable", "CR-180",
        "The newest review advises to close the pull request, so it holds nothing to repair",
        "The review ended before a detailed one",
        "Decide what becomes of the pull request";
    MATCHING_REVIEW_UNAVAILABLE_RERUN_CODE_REVIEW: AskUser, "matching-review-unavailable-rerun-code-review", "CR-180",
        "Every review of this pull request ended because its evidence could not be collected",
        "The export, a remote or a worktree was missing",
        "Remove what the newest run reports, then review again";
    MATCHING_REVIEW_NOT_CURRENT: AskUser, "matching-review-not-current", "CR-182",
        "The named result is not of the newest review of its pull request",
        "A newer review took its place",
        "Use the newest result, which `find --target` prints";
    MISSING_MATCHING_REVIEW_REPORT: AskUser, "missing-matching-review-report", "CR-180",
        "There is no review of this pull request here",
        "None was made, or its reports lie in another folder",
        "Review the pull request, or name the folder with --reports-dir";
    INVALID_REVIEW_REPORT_RERUN_CODE_REVIEW: AskUser, "invalid-review-report-rerun-code-review", "CR-180",
        "The result that was found or named does not hold",
        "The result or its run was damaged or edited",
        "Validate that run to see what is wrong, or review again";
    INVALID_REVIEW_RESULT_PATH: AskUser, "invalid-review-result-path", "CR-182",
        "The path is not the `result.json` of a run",
        "It is mistyped, or names another file",
        "Name the `result.json` of a run";
    FINDING_ID_UNKNOWN: AskUser, "finding-id-unknown", "CR-184",
        "The result has no finding and no claim of this id",
        "It is misspelled, or belongs to another run",
        "Name an id of this result";
    PRIOR_RESOLUTIONS_RUN_INVALID: AskUser, "prior-resolutions-run-invalid", "CR-185",
        "The run is not one of the numbered runs of a pull request",
        "A local run, or another folder, was named",
        "Name a run like `pr-7/run-003`";
    HISTORICAL_REVIEW_UNVERIFIED_ARCHIVE: Stop, "historical-review-unverified-archive", "CR-182",
        "The result is of an older family, which can be read but not vouched for",
        "It was written by an older version",
        "Read it with --archive-result, and review again before relying on it";
    HISTORICAL_REVIEW_ARCHIVE_PATH_INVALID: Stop, "historical-review-archive-path-invalid", "CR-198",
        "The path of an archived result is not a regular file named `result.json`",
        "It is mistyped, or leads through a link",
        "Name the file itself";
    HISTORICAL_REVIEW_ARCHIVE_SCHEMA_INVALID: Stop, "historical-review-archive-schema-invalid", "CR-198",
        "The archived result is of no schema that can be read",
        "It was written by another tool, or is damaged",
        "Do not rely on it; review again";
}
