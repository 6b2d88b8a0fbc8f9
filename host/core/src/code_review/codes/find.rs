//! Codes of the finder (CR-180, CR-182).

codes! {
    MATCHING_REVIEW_INCOMPLETE: AskUser, "matching-review-incomplete";
    MATCHING_REVIEW_CANDIDATE_UNPROMOTED: AskUser, "matching-review-candidate-unpromoted";
    MATCHING_REVIEW_CLOSED_NOT_REMEDIABLE: AskUser, "matching-review-closed-not-remediable";
    MATCHING_REVIEW_UNAVAILABLE_RERUN_CODE_REVIEW: AskUser, "matching-review-unavailable-rerun-code-review";
    MATCHING_REVIEW_NOT_CURRENT: AskUser, "matching-review-not-current";
    MISSING_MATCHING_REVIEW_REPORT: AskUser, "missing-matching-review-report";
    INVALID_REVIEW_REPORT_RERUN_CODE_REVIEW: AskUser, "invalid-review-report-rerun-code-review";
    INVALID_REVIEW_RESULT_PATH: AskUser, "invalid-review-result-path";
    FINDING_ID_UNKNOWN: AskUser, "finding-id-unknown";
    PRIOR_RESOLUTIONS_RUN_INVALID: AskUser, "prior-resolutions-run-invalid";
    HISTORICAL_REVIEW_UNVERIFIED_ARCHIVE: Stop, "historical-review-unverified-archive";
    HISTORICAL_REVIEW_ARCHIVE_PATH_INVALID: Stop, "historical-review-archive-path-invalid";
    HISTORICAL_REVIEW_ARCHIVE_SCHEMA_INVALID: Stop, "historical-review-archive-schema-invalid";
}
