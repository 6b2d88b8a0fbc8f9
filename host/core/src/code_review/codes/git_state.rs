//! Codes of the step `git-state`.

codes! {
    GIT_STATE_RECEIPT_MISSING: Stop, "git-state-receipt-missing", "CR-34",
        "The state of git at the start is not recorded, or the checkout can no longer be looked at",
        "The receipt or the checkout was removed or moved",
        "Restore the checkout where it was, or start a new run";
    REVIEW_OPERATION_STATE_CHANGED: Stop, "review-operation-state-changed", "CR-34",
        "A merge, rebase or the like was begun, continued or ended since the start",
        "Work went on in the checkout during the review",
        "Accept the change with its reason when completing, or start a new run";
    REVIEW_INDEX_CHANGED: AskUser, "review-index-changed", "CR-34",
        "What is staged is not what was staged at the start",
        "Something was added to or taken from the index",
        "Accept the change with its reason when completing, or start a new run";
    REVIEW_INPROGRESS_OPERATION_UNREPORTED: RepairCopy, "review-inprogress-operation-unreported", "CR-35",
        "An operation was in progress at the start, and notes or hand-off do not say so",
        "The line was left out",
        "Add the line and the remaining entry that the hint gives";
}
