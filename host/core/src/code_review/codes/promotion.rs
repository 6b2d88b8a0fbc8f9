//! Codes of the step `promotion`.

codes! {
    REVIEW_RESULT_NOT_PROMOTED: RepairCopy, "review-result-not-promoted";
    REVIEW_ALREADY_PROMOTED: Stop, "review-already-promoted";
    PROMOTION_RECORD_MISMATCH: Stop, "promotion-record-mismatch";
    REVIEW_COMPLETION_FINAL_CHANGED: Stop, "review-completion-final-changed";
}
