//! Codes of the step `git-state`.

codes! {
    GIT_STATE_RECEIPT_MISSING: Stop, "git-state-receipt-missing";
    REVIEW_OPERATION_STATE_CHANGED: Stop, "review-operation-state-changed";
    REVIEW_INDEX_CHANGED: AskUser, "review-index-changed";
    REVIEW_INPROGRESS_OPERATION_UNREPORTED: RepairCopy, "review-inprogress-operation-unreported";
}
