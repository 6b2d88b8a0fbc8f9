//! Codes of the step `gates`.

codes! {
    MISSING_GATES_JSON: RerunGate, "missing-gates-json";
    GATES_FIELDS_INVALID: RerunGate, "gates-fields-invalid";
    GATES_AGGREGATE_MISMATCH: RerunGate, "gates-aggregate-mismatch";
    PR_REVIEW_GATE_COMMAND_INVALID: RerunGate, "pr-review-gate-command-invalid";
    PR_TESTS_SOURCE_PROOF_MISSING: RerunGate, "pr-tests-source-proof-missing";
    GATE_CHECK_SET_MISMATCH: RerunGate, "gate-check-set-mismatch";
    GATE_CHECK_STATUS_INVALID: RerunGate, "gate-check-status-invalid";
    GATE_CHECK_REASON_INVALID: RerunGate, "gate-check-reason-invalid";
    GATE_CHECK_EXIT_CONFLICT: RerunGate, "gate-check-exit-conflict";
    GATE_CHECK_LOG_MISSING: RerunGate, "gate-check-log-missing";
    GATE_ARTIFACT_DIGEST_MISMATCH: RerunGate, "gate-artifact-digest-mismatch";
    GATE_SOURCE_RECEIPT_MISSING: RerunGate, "gate-source-receipt-missing";
    GATE_SOURCE_MISMATCH: RerunGate, "gate-source-mismatch";
    GATE_SOURCE_PROOF_INVALID: RerunGate, "gate-source-proof-invalid";
    LOCAL_GATE_ARTIFACTS_OVERLAP_SOURCE: RerunGate, "local-gate-artifacts-overlap-source";
    LOCAL_GATE_ARTIFACT_ESCAPE: RerunGate, "local-gate-artifact-escape";
    LOCAL_GATE_WORKTREE_MISMATCH: RerunGate, "local-gate-worktree-mismatch";
    LOCAL_GATE_SOURCE_RECEIPT_AMBIGUOUS: Stop, "local-gate-source-receipt-ambiguous";
    LOCAL_GATE_RECEIPT_CHANGED: Stop, "local-gate-receipt-changed";
    LOCAL_GATE_SOURCE_CHANGED: Stop, "local-gate-source-changed";
    LOCAL_GATE_GITLINK_DIRTY: Stop, "local-gate-gitlink-dirty";
}
