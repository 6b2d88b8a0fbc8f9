//! Codes of the step `findings`.

codes! {
    REVIEW_FINDING_RECORD_INVALID: RepairCopy, "review-finding-record-invalid",
        "A finding has a field that is missing, unknown or of another type",
        "It was written by hand",
        "Write it as the schema of the result shows it";
    REVIEW_FINDING_ID_DUPLICATE: RepairCopy, "review-finding-id-duplicate",
        "Two findings have the same id",
        "One was copied",
        "Give each its own id";
    REVIEW_FINDING_AUTHORS_INVALID: RepairCopy, "review-finding-authors-invalid",
        "The authors of a finding are not reviewers of this run",
        "A name was copied or made up",
        "Name the roles that reported it";
    REVIEW_FINDINGS_SEVERITY_COUNT_MISMATCH: RepairCopy, "review-findings-severity-count-mismatch",
        "The counts by severity are not those of the findings",
        "A finding was changed after counting",
        "Count again";
    REVIEW_OPERATIONAL_BLOCKER_INVALID: RepairCopy, "review-operational-blocker-invalid",
        "An operational blocker has the wrong shape",
        "A field is missing or of another type",
        "Write it as the schema of the result shows it";
    REVIEW_OPERATIONAL_BLOCKER_ID_DUPLICATE: RepairCopy, "review-operational-blocker-id-duplicate",
        "Two operational blockers have the same id",
        "One was copied",
        "Give each its own id";
    REVIEW_OPERATIONAL_BLOCKER_PROCESS_LIMIT: RepairCopy, "review-operational-blocker-process-limit",
        "A limit of the review itself is reported as a blocker",
        "What the review could not do was taken for a defect",
        "Name it among the limits instead";
}
