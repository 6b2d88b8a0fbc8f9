//! Codes of the step `gates`.

codes! {
    MISSING_GATES_JSON: RerunGate, "missing-gates-json", "CR-137",
        "The run has no record of its gates",
        "The gates have not run, or their record was removed",
        "Run `code-polishy code-review gates`";
    GATES_FIELDS_INVALID: RerunGate, "gates-fields-invalid", "CR-137",
        "The record of the gates cannot be read, or has a missing, unknown or ill-typed field",
        "It was edited, cut off, or written by another version",
        "Run the gates again, and leave their record as it is";
    GATES_AGGREGATE_MISMATCH: RerunGate, "gates-aggregate-mismatch", "CR-135",
        "Status, counts or lists of the gates do not follow from their single records",
        "One of the files was changed after the run",
        "Run the gates again";
    PR_REVIEW_GATE_COMMAND_INVALID: RerunGate, "pr-review-gate-command-invalid", "CR-132",
        "The `review` gate of a pull request is not the fixed comparison of base and head",
        "Its command was replaced, skipped or shortened",
        "Run the gates again without a command for the `review` gate";
    PR_TESTS_SOURCE_PROOF_MISSING: RerunGate, "pr-tests-source-proof-missing", "CR-145",
        "Tests of a pull request passed without showing which source they ran",
        "Python changed, and they ran through a free command or a runner that tells nothing of imports",
        "Run the tests gate under pytest, and name what it has to load with `--pytest-import`";
    GATE_CHECK_SET_MISMATCH: RerunGate, "gate-check-set-mismatch", "CR-130",
        "The record does not hold the five gates in their order",
        "An entry was removed, added or moved",
        "Run the gates again";
    GATE_CHECK_STATUS_INVALID: RerunGate, "gate-check-status-invalid", "CR-227",
        "A gate that failed or did not run was replaced by a skip, or by another command",
        "The failure was hidden instead of repaired",
        "Run the recorded command again; name a changed one with its reason";
    GATE_CHECK_REASON_INVALID: RerunGate, "gate-check-reason-invalid", "CR-133",
        "The reason or its detail does not fit the status of a gate",
        "The record was edited",
        "Run the gates again, with a reason for each that does not apply";
    GATE_CHECK_EXIT_CONFLICT: RerunGate, "gate-check-exit-conflict", "CR-133",
        "The exit of a gate does not fit its status and reason",
        "The record was edited",
        "Run the gates again";
    GATE_CHECK_LOG_MISSING: RerunGate, "gate-check-log-missing", "CR-137",
        "A gate ran, and its command or output is not in the run",
        "The file was removed or moved",
        "Run the gates again, and keep their files in place";
    GATE_ARTIFACT_DIGEST_MISMATCH: RerunGate, "gate-artifact-digest-mismatch", "CR-137",
        "A file that a gate left is not as the gate left it",
        "It was changed or removed after the gate ended",
        "Run the gates again";
    GATE_SOURCE_RECEIPT_MISSING: RerunGate, "gate-source-receipt-missing", "CR-138",
        "It is not recorded what a gate saw of the tree before or after it ran",
        "The observation or the mirror's snapshot was removed",
        "Run the gates again";
    GATE_SOURCE_MISMATCH: RerunGate, "gate-source-mismatch", "CR-138",
        "The gates did not run on the reviewed tree as it is",
        "They ran elsewhere, on another commit, or on a tree with changes",
        "Run the gates again in the clean review worktree";
    GATE_SOURCE_PROOF_INVALID: RerunGate, "gate-source-proof-invalid", "CR-144",
        "The proof that a gate tested the reviewed source does not follow from what is kept",
        "The record, the facts, or the preparation of an overlay was edited or removed",
        "Run the gates again";
    LOCAL_GATE_ARTIFACTS_OVERLAP_SOURCE: RerunGate, "local-gate-artifacts-overlap-source", "CR-139",
        "The run lies inside the mirror, so that the gates would test their own output",
        "The reports folder was set to a place inside the review worktree",
        "Choose a reports folder outside the review worktree and start a new run";
    LOCAL_GATE_ARTIFACT_ESCAPE: RerunGate, "local-gate-artifact-escape", "CR-139",
        "A file that a gate left is recorded at a path outside the run",
        "The path is absolute, climbs with `..` or follows a link",
        "Keep what gates leave inside the run, and run them again";
    LOCAL_GATE_WORKTREE_MISMATCH: RerunGate, "local-gate-worktree-mismatch", "CR-139",
        "A gate ran in another folder than the mirror of this run",
        "Another worktree was named",
        "Run the gates again in the review worktree";
    LOCAL_GATE_SOURCE_RECEIPT_AMBIGUOUS: Stop, "local-gate-source-receipt-ambiguous", "CR-139",
        "The run has a mirror and receipts of a pull request at once",
        "Files of another run were put into it",
        "Start a new run";
    LOCAL_GATE_RECEIPT_CHANGED: Stop, "local-gate-receipt-changed", "CR-139",
        "The receipt of the mirror is not the one that the gates saw",
        "It was edited or replaced after the gates ran",
        "Start a new run";
    LOCAL_GATE_SOURCE_CHANGED: Stop, "local-gate-source-changed", "CR-139",
        "The mirror is not what was captured, and a gate ran on it or is about to",
        "Something wrote to the review worktree, or the record of a gate was edited",
        "Wait until nothing writes there and run the gates again, or start a new run";
    LOCAL_GATE_GITLINK_DIRTY: Stop, "local-gate-gitlink-dirty", "CR-139",
        "A submodule of the mirror has changes that are not part of the review",
        "Files in the submodule were edited",
        "Clean the submodule, then start a new run";
}
