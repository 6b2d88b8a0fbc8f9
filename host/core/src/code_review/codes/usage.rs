//! Codes of commands that end with exit status 2: nothing was written.

codes! {
    USAGE_ERROR: AskUser, "usage-error";
    MISSING_PRODUCER_ID: AskUser, "missing-producer-id";
    MISSING_REQUIRED: AskUser, "missing-required";
    INVALID_SCOPE: AskUser, "invalid-scope";
    REVIEW_CONFIG_INVALID: AskUser, "review-config-invalid";
    REPORTS_DIR_NOT_IGNORED: AskUser, "reports-dir-not-ignored";
    REVIEW_TARGET_NOT_FOUND: AskUser, "review-target-not-found";
    REVIEW_TARGET_OUTSIDE_REPOSITORY: AskUser, "review-target-outside-repository";
    CI_ROLLUP_COMMIT_MISMATCH: AskUser, "ci-rollup-commit-mismatch";
    WAIVER_RUN_INVALID: AskUser, "waiver-run-invalid";
    CALLER_CONTRACT_EVIDENCE_MISSING: AskUser, "caller-contract-evidence-missing";
    INVALID_SKIP_REASON: AskUser, "invalid-skip-reason";
    GATE_RECOVERY_BLOCKED: AskUser, "gate-recovery-blocked";
    DISCARD_NO_CANDIDATE: AskUser, "discard-no-candidate";
    DISCARD_PROMOTED_RUN: AskUser, "discard-promoted-run";
}
