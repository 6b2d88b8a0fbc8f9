//! Codes of the step `gate-reconcile`.

codes! {
    RESULT_CHECKS_RUN_GATE_MISMATCH: RepairCopy, "result-checks-run-gate-mismatch",
        "The checks that the result calls run are not those that ran",
        "The list was written by hand",
        "Copy the list from the gates";
    RESULT_CHECKS_FAILED_GATE_MISMATCH: RepairCopy, "result-checks-failed-gate-mismatch",
        "The checks that the result calls failed are not those that failed",
        "The list was written by hand",
        "Copy the list from the gates";
    RESULT_STATUS_TIMEOUT_MISMATCH: RepairCopy, "result-status-timeout-mismatch",
        "The status of the result does not go with a gate that ran out of time",
        "The status was set by hand",
        "Set the status that the message names";
    RESULT_EXTRA_CHECK_INVALID: RepairCopy, "result-extra-check-invalid",
        "A further check in the result has the wrong shape or the name of a gate",
        "It was written by hand",
        "Give it a name of its own and what it printed";
}
