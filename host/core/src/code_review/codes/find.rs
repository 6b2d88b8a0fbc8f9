//! Codes of the finder (CR-180, CR-182).

codes! {
    MATCHING_REVIEW_INCOMPLETE: AskUser, "matching-review-incomplete",
        "A review of this scope exists but is not finished",
        "It was broken off",
        "Finish it, or start a new run";
    MATCHING_REVIEW_CANDIDATE_UNPROMOTED: AskUser, "matching-review-candidate-unpromoted",
        "A review of this scope has a result that is not yet its report",
        "It was not finalized",
        "Finalize it, or start a new run";
    MATCHING_REVIEW_CLOSED_NOT_REMEDIABLE: AskUser, "matching-review-closed-not-remediable",
        "The matching review advises to close, so that there is nothing to fix",
        "It ended early",
        "Ask what is to be done with the pull request";
    MATCHING_REVIEW_UNAVAILABLE_RERUN_CODE_REVIEW: AskUser, "matching-review-unavailable-rerun-code-review",
        "The matching review could not take place",
        "Something that it needed was not at hand",
        "Review again once it is";
    MATCHING_REVIEW_NOT_CURRENT: AskUser, "matching-review-not-current",
        "The matching review is of an older state",
        "The source changed since",
        "Review again";
    MISSING_MATCHING_REVIEW_REPORT: AskUser, "missing-matching-review-report",
        "There is no review of this scope",
        "None was made, or it lies elsewhere",
        "Review the scope, or name the report";
    INVALID_REVIEW_REPORT_RERUN_CODE_REVIEW: AskUser, "invalid-review-report-rerun-code-review",
        "The report of the review is not valid",
        "It was edited or is incomplete",
        "Review again";
    INVALID_REVIEW_RESULT_PATH: AskUser, "invalid-review-result-path",
        "The path does not lead to the result of a review",
        "It is mistyped",
        "Name the result of a run";
    FINDING_ID_UNKNOWN: AskUser, "finding-id-unknown",
        "The report has no finding of this id",
        "It is mistyped or from another report",
        "Name an id of the report";
    PRIOR_RESOLUTIONS_RUN_INVALID: AskUser, "prior-resolutions-run-invalid",
        "The run that earlier decisions are taken from is not valid",
        "It was edited or is incomplete",
        "Name another run";
    HISTORICAL_REVIEW_UNVERIFIED_ARCHIVE: Stop, "historical-review-unverified-archive",
        "An archived review cannot be verified",
        "Its list of files is missing or does not fit",
        "Do not rely on it; review again";
    HISTORICAL_REVIEW_ARCHIVE_PATH_INVALID: Stop, "historical-review-archive-path-invalid",
        "The path of an archived review leads elsewhere",
        "It follows a link or climbs out of the archive",
        "Name a path within the archive";
    HISTORICAL_REVIEW_ARCHIVE_SCHEMA_INVALID: Stop, "historical-review-archive-schema-invalid",
        "An archived review is of a shape that is not read here",
        "It was written by another tool",
        "Do not rely on it; review again";
}
