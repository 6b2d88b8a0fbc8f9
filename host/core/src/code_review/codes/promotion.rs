//! Codes of the step `promotion`.

codes! {
    REVIEW_RESULT_NOT_PROMOTED: RepairCopy, "review-result-not-promoted", "CR-172",
        "The run has no promoted result",
        "Finalizing has not passed, or was not asked to promote",
        "Run `code-polishy code-review finalize --promote`";
    REVIEW_ALREADY_PROMOTED: Stop, "review-already-promoted", "CR-206",
        "The run has its promoted result, and nothing in it changes any more",
        "The command was called on a finished review",
        "Complete this run, or start a new one";
    PROMOTION_RECORD_MISMATCH: Stop, "promotion-record-mismatch", "CR-169",
        "The record of the promotion does not fit the result or the run",
        "The record, the result or the run's manifest was edited, or a copy took its place",
        "Start a new run; a promoted one is not repaired";
    REVIEW_COMPLETION_FINAL_CHANGED: Stop, "review-completion-final-changed", "CR-172",
        "The final report is not the one that was completed",
        "It was edited after completion",
        "Start a new run; a promoted one is not repaired";
}
