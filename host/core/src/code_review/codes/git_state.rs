//! Codes of the step `git-state`.

codes! {
    GIT_STATE_RECEIPT_MISSING: Stop, "git-state-receipt-missing",
        "The state of git at the start is not in the run",
        "The receipt was removed, or the start broke off",
        "Start a new run";
    REVIEW_OPERATION_STATE_CHANGED: Stop, "review-operation-state-changed",
        "A git operation began, went on or ended since the start",
        "A merge, rebase or the like was worked on during the review",
        "Start a new run once the repository rests";
    REVIEW_INDEX_CHANGED: AskUser, "review-index-changed",
        "What is staged is not what was staged at the start",
        "Something was added to or taken from the index",
        "Ask whether the review is to go on, or start a new run";
    REVIEW_INPROGRESS_OPERATION_UNREPORTED: RepairCopy, "review-inprogress-operation-unreported",
        "A git operation was in progress, but the result does not say so",
        "The line was forgotten",
        "Name the operation in the result as the message says";
}
