//! Codes of the step `findings`.

codes! {
    REVIEW_FINDING_RECORD_INVALID: RepairCopy, "review-finding-record-invalid";
    REVIEW_FINDING_ID_DUPLICATE: RepairCopy, "review-finding-id-duplicate";
    REVIEW_FINDING_AUTHORS_INVALID: RepairCopy, "review-finding-authors-invalid";
    REVIEW_FINDINGS_SEVERITY_COUNT_MISMATCH: RepairCopy, "review-findings-severity-count-mismatch";
    REVIEW_OPERATIONAL_BLOCKER_INVALID: RepairCopy, "review-operational-blocker-invalid";
    REVIEW_OPERATIONAL_BLOCKER_ID_DUPLICATE: RepairCopy, "review-operational-blocker-id-duplicate";
    REVIEW_OPERATIONAL_BLOCKER_PROCESS_LIMIT: RepairCopy, "review-operational-blocker-process-limit";
}
