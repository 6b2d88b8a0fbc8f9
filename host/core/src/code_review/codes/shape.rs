//! Codes of the step `shape`.

codes! {
    RESULT_FIELDS_INVALID: RepairCopy, "result-fields-invalid",
        "The result has a field that is missing, unknown or of another type",
        "The result was written by hand against another shape",
        "Write the fields as the schema of the result shows them";
    METADATA_FIELDS_INVALID: RepairCopy, "metadata-fields-invalid",
        "The metadata of the result has a field that is missing, unknown or of another type",
        "A field was forgotten or misspelled",
        "Write the metadata as the schema of the result shows it";
    TEXT_INVALID: RepairCopy, "text-invalid",
        "A text is empty, too long or holds characters that are not allowed",
        "It was pasted with control characters or left blank",
        "Write it again as plain text within its limit";
    INVALID_STATUS: RepairCopy, "invalid-status",
        "The status of the result is not one of the known words",
        "It is misspelled",
        "Use one of the words that the message lists";
    INVALID_REVIEW_SCOPE: RepairCopy, "invalid-review-scope",
        "The scope in the result is not one of the known words or not that of the run",
        "It was copied from another run",
        "Copy the scope of this run";
    INVALID_RISK_TIER: RepairCopy, "invalid-risk-tier",
        "The risk tier is not one of the known tiers",
        "It is misspelled or was made up",
        "Copy the tier from the routing";
    INVALID_REVIEW_STATUS: RepairCopy, "invalid-review-status",
        "The status of the review is not one of the known words",
        "It is misspelled",
        "Use one of the words that the message lists";
    RESULT_ARTIFACT_PATH_MISMATCH: RepairCopy, "result-artifact-path-mismatch",
        "The result names an artifact at another path than the run has it",
        "The path was copied from another run",
        "Copy the path that the run uses";
    FOLLOW_UP_ID_UNKNOWN: RepairCopy, "follow-up-id-unknown",
        "A follow-up refers to an id that is not in the result",
        "The finding was renamed or removed",
        "Refer to an id that is there, or remove the follow-up";
    UNSUPPORTED_RECORD_FAMILY: Stop, "unsupported-record-family",
        "The record is of a family or version that is not read here",
        "It was written by another tool or another version",
        "Start a new run with this version";
    REVIEW_PRODUCER_MISMATCH: Stop, "review-producer-mismatch",
        "The result names another producer than the run was started by",
        "The result was copied, or another producer went on with the run",
        "Finish the run as the producer that started it, or start a new one";
}
