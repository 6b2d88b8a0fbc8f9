//! Codes of the step `shape`.

codes! {
    RESULT_FIELDS_INVALID: RepairCopy, "result-fields-invalid", "CR-164",
        "The result is not JSON of the required shape",
        "A field is missing, unknown, doubled or of another type",
        "Write exactly the fields that the schema of the result shows";
    METADATA_FIELDS_INVALID: RepairCopy, "metadata-fields-invalid", "CR-165",
        "The metadata of the result has a missing, unknown or ill-typed field",
        "It was written against another shape",
        "Write exactly the fields that the schema of the result shows";
    TEXT_INVALID: RepairCopy, "text-invalid", "CR-6",
        "A text is blank, too long, or has control characters",
        "It was left empty or pasted from a terminal",
        "Write it as plain text within its limit";
    INVALID_STATUS: RepairCopy, "invalid-status", "CR-164",
        "The status of the result is not `pass`, `fail` or `timeout`",
        "It is misspelled",
        "Use the word of the hint";
    INVALID_REVIEW_SCOPE: RepairCopy, "invalid-review-scope", "CR-166",
        "The scope in the metadata is unknown, or not that of the run",
        "It was copied from another run",
        "Write the scope that the hint gives";
    INVALID_RISK_TIER: RepairCopy, "invalid-risk-tier", "CR-166",
        "The risk tier in the metadata is unknown, or not that of the routing",
        "It was copied before the run was routed again",
        "Write the tier that the hint gives";
    INVALID_REVIEW_STATUS: RepairCopy, "invalid-review-status", "CR-187",
        "The review status is not `unavailable` or `closed`, or does not fit the branch",
        "It is misspelled, or was copied from another run",
        "Write the status that the hint gives";
    RESULT_ARTIFACT_PATH_MISMATCH: RepairCopy, "result-artifact-path-mismatch", "CR-164",
        "The result names another place than its own",
        "It was copied from another run",
        "Write the path that the hint gives";
    FOLLOW_UP_ID_UNKNOWN: RepairCopy, "follow-up-id-unknown", "CR-164",
        "A follow-up names no finding, blocker or open claim of this result",
        "Its record was renamed, removed or closed",
        "Name an id of the result, or remove the follow-up";
    UNSUPPORTED_RECORD_FAMILY: Stop, "unsupported-record-family", "CR-200",
        "The result is of a family that is not judged here",
        "It was written by an older or newer version",
        "Judge it with the version that wrote it, or review again";
    REVIEW_PRODUCER_MISMATCH: Stop, "review-producer-mismatch", "CR-19",
        "The run belongs to another producer than the one who calls",
        "Another id was given, or the run was taken over",
        "Call with the id that `start` printed, or start a new run";
}
