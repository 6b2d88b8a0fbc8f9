//! Codes of the step `findings`.

codes! {
    REVIEW_FINDING_RECORD_INVALID: RepairCopy, "review-finding-record-invalid", "CR-81",
        "A finding has a missing, unknown, empty or ill-typed field, or there are more findings than a result may hold",
        "It was written against another shape",
        "Write exactly the eight fields that the schema of the result shows";
    REVIEW_FINDING_ID_DUPLICATE: RepairCopy, "review-finding-id-duplicate", "CR-82",
        "Two findings have the same id",
        "An entry was copied",
        "Give each its own id";
    REVIEW_FINDING_AUTHORS_INVALID: RepairCopy, "review-finding-authors-invalid", "CR-81",
        "A finding or blocker names no author, one twice, or one who has no assessment",
        "A label was copied or made up",
        "Name the reviewers who found it, by the labels of their assessments";
    REVIEW_FINDINGS_SEVERITY_COUNT_MISMATCH: RepairCopy, "review-findings-severity-count-mismatch", "CR-82",
        "The counts by severity are not those of the findings",
        "A finding was changed after counting",
        "Write the counts that the hints give";
    REVIEW_OPERATIONAL_BLOCKER_INVALID: RepairCopy, "review-operational-blocker-invalid", "CR-85",
        "A blocker has a missing, unknown, empty or ill-typed field",
        "It was written against another shape",
        "Write exactly the five fields that the schema of the result shows";
    REVIEW_OPERATIONAL_BLOCKER_ID_DUPLICATE: RepairCopy, "review-operational-blocker-id-duplicate", "CR-82",
        "A blocker has the id of another blocker or of a finding",
        "An entry was copied",
        "Give each its own id";
    REVIEW_OPERATIONAL_BLOCKER_PROCESS_LIMIT: RepairCopy, "review-operational-blocker-process-limit", "CR-85",
        "A limit of the review itself is reported as a blocker of the change",
        "A missing reviewer, gate or check was taken for project work",
        "Remove the blocker, and state the limit in confidence and readiness";
}
