//! Codes of the step `shape`.

codes! {
    RESULT_FIELDS_INVALID: RepairCopy, "result-fields-invalid";
    METADATA_FIELDS_INVALID: RepairCopy, "metadata-fields-invalid";
    TEXT_INVALID: RepairCopy, "text-invalid";
    INVALID_STATUS: RepairCopy, "invalid-status";
    INVALID_REVIEW_SCOPE: RepairCopy, "invalid-review-scope";
    INVALID_RISK_TIER: RepairCopy, "invalid-risk-tier";
    INVALID_REVIEW_STATUS: RepairCopy, "invalid-review-status";
    RESULT_ARTIFACT_PATH_MISMATCH: RepairCopy, "result-artifact-path-mismatch";
    FOLLOW_UP_ID_UNKNOWN: RepairCopy, "follow-up-id-unknown";
    UNSUPPORTED_RECORD_FAMILY: Stop, "unsupported-record-family";
    REVIEW_PRODUCER_MISMATCH: Stop, "review-producer-mismatch";
}
