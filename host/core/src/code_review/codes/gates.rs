//! Codes of the step `gates`.

codes! {
    MISSING_GATES_JSON: RerunGate, "missing-gates-json",
        "The run has no record of its gates",
        "The gates have not run yet, or their record was removed",
        "Run the gates of the review, then validate again";
    GATES_FIELDS_INVALID: RerunGate, "gates-fields-invalid",
        "The record of the gates has a field that is missing, unknown or of another type",
        "The record was edited by hand or written by another tool",
        "Run the gates again and leave their record as it is";
    GATES_AGGREGATE_MISMATCH: RerunGate, "gates-aggregate-mismatch",
        "The overall status of the gates does not follow from their single checks",
        "One of the two was changed after the run",
        "Run the gates again";
    PR_REVIEW_GATE_COMMAND_INVALID: RerunGate, "pr-review-gate-command-invalid",
        "A gate ran another command than a review of a pull request may run",
        "The command was changed",
        "Run the gates again with the configured commands";
    PR_TESTS_SOURCE_PROOF_MISSING: RerunGate, "pr-tests-source-proof-missing",
        "It is not shown which source the tests ran on",
        "The proof was not recorded",
        "Run the gates again so that they record it";
    GATE_CHECK_SET_MISMATCH: RerunGate, "gate-check-set-mismatch",
        "The checks in the record are not those that the review asks for",
        "A check was left out, added or configured after the start",
        "Run the gates again with the configuration of the run";
    GATE_CHECK_STATUS_INVALID: RerunGate, "gate-check-status-invalid",
        "A check has a status that is not one of the known words",
        "The record was edited by hand",
        "Run the gates again";
    GATE_CHECK_REASON_INVALID: RerunGate, "gate-check-reason-invalid",
        "A check that did not run has no fitting reason, or one that ran has a reason",
        "The record was edited by hand, or a check was skipped silently",
        "Run the gates again and give a reason for each check that is skipped";
    GATE_CHECK_EXIT_CONFLICT: RerunGate, "gate-check-exit-conflict",
        "The exit code of a check does not go with its status",
        "The status was changed after the check ended",
        "Run the gates again";
    GATE_CHECK_LOG_MISSING: RerunGate, "gate-check-log-missing",
        "A check ran but its log is not in the run",
        "The log was removed or moved",
        "Run the gates again and keep the logs in place";
    GATE_ARTIFACT_DIGEST_MISMATCH: RerunGate, "gate-artifact-digest-mismatch",
        "A log or artifact of a gate is not the one that was recorded",
        "The file changed after the gate ended",
        "Run the gates again";
    GATE_SOURCE_RECEIPT_MISSING: RerunGate, "gate-source-receipt-missing",
        "A gate has no record of the source that it ran on",
        "The record was removed",
        "Run the gates again";
    GATE_SOURCE_MISMATCH: RerunGate, "gate-source-mismatch",
        "A gate ran on another source than the one under review",
        "The worktree had changed",
        "Run the gates again on the reviewed source";
    GATE_SOURCE_PROOF_INVALID: RerunGate, "gate-source-proof-invalid",
        "The proof of the source of a gate does not hold",
        "It was edited or is incomplete",
        "Run the gates again";
    LOCAL_GATE_ARTIFACTS_OVERLAP_SOURCE: RerunGate, "local-gate-artifacts-overlap-source",
        "The artifacts of a gate lie within the source under review",
        "Their folder was set to a path of the source",
        "Set another folder and run the gates again";
    LOCAL_GATE_ARTIFACT_ESCAPE: RerunGate, "local-gate-artifact-escape",
        "An artifact of a gate leads out of its folder",
        "A link or a path with two dots was used",
        "Keep artifacts in their folder and run the gates again";
    LOCAL_GATE_WORKTREE_MISMATCH: RerunGate, "local-gate-worktree-mismatch",
        "A gate ran in another worktree than the reviewed one",
        "It was called from elsewhere",
        "Run the gates again in the reviewed worktree";
    LOCAL_GATE_SOURCE_RECEIPT_AMBIGUOUS: Stop, "local-gate-source-receipt-ambiguous",
        "More than one record claims to be the source of a gate",
        "Records of several runs were mixed",
        "Start a new run";
    LOCAL_GATE_RECEIPT_CHANGED: Stop, "local-gate-receipt-changed",
        "The record of the source of a gate was changed",
        "It was edited after the gate ended",
        "Start a new run";
    LOCAL_GATE_SOURCE_CHANGED: Stop, "local-gate-source-changed",
        "The source changed while a gate ran",
        "The gate or somebody else wrote to it",
        "Start a new run and let nothing write to the source";
    LOCAL_GATE_GITLINK_DIRTY: Stop, "local-gate-gitlink-dirty",
        "A submodule has changes that are not part of the review",
        "Files in the submodule were edited",
        "Clean the submodule, then start a new run";
}
