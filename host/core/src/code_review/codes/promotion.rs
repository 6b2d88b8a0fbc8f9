//! Codes of the step `promotion`.

codes! {
    REVIEW_RESULT_NOT_PROMOTED: RepairCopy, "review-result-not-promoted",
        "The result of the run has not become the report",
        "Finalizing has not been done, or broke off",
        "Finalize the run";
    REVIEW_ALREADY_PROMOTED: Stop, "review-already-promoted",
        "The result of this run is the report already",
        "The command was called a second time",
        "Use the report as it is, or start a new run";
    PROMOTION_RECORD_MISMATCH: Stop, "promotion-record-mismatch",
        "The record of the report does not fit the run",
        "It was edited or copied",
        "Start a new run";
    REVIEW_COMPLETION_FINAL_CHANGED: Stop, "review-completion-final-changed",
        "The final report was changed after it was completed",
        "It was edited",
        "Start a new run";
}
