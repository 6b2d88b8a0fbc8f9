//! Codes of the step `gate-reconcile`.

codes! {
    RESULT_CHECKS_RUN_GATE_MISMATCH: RepairCopy, "result-checks-run-gate-mismatch", "CR-164",
        "The result does not list the five gates in their order",
        "The list was written by hand",
        "Copy the list of the hint";
    RESULT_CHECKS_FAILED_GATE_MISMATCH: RepairCopy, "result-checks-failed-gate-mismatch", "CR-167",
        "The failed checks of the result do not begin with the gates that failed",
        "The list was written before the gates ran again",
        "List exactly the failed gates first, in their order";
    RESULT_STATUS_TIMEOUT_MISMATCH: RepairCopy, "result-status-timeout-mismatch", "CR-108",
        "The result says that a gate ran out of time, or fails to say so",
        "The status was written before the gates ran again",
        "Take the status of `gates.json`";
    RESULT_EXTRA_CHECK_INVALID: RepairCopy, "result-extra-check-invalid", "CR-167",
        "The failed checks hold something that is neither a gate nor a band of the confidence",
        "A check of its own was added",
        "Remove it";
}
