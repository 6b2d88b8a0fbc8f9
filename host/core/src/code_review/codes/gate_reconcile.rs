//! Codes of the step `gate-reconcile`.

codes! {
    RESULT_CHECKS_RUN_GATE_MISMATCH: RepairCopy, "result-checks-run-gate-mismatch";
    RESULT_CHECKS_FAILED_GATE_MISMATCH: RepairCopy, "result-checks-failed-gate-mismatch";
    RESULT_STATUS_TIMEOUT_MISMATCH: RepairCopy, "result-status-timeout-mismatch";
    RESULT_EXTRA_CHECK_INVALID: RepairCopy, "result-extra-check-invalid";
}
