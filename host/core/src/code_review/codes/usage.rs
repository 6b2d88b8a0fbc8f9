//! Codes of commands that end with exit status 2: nothing was written.

codes! {
    USAGE_ERROR: AskUser, "usage-error",
        "The command line cannot be understood",
        "An argument is missing, unknown or of another form",
        "Read the message and call again";
    MISSING_PRODUCER_ID: AskUser, "missing-producer-id",
        "The command does not say who produces the review",
        "The option was left out",
        "Call again with an identity of the producer";
    MISSING_REQUIRED: AskUser, "missing-required",
        "Something that the command needs was not given",
        "An option was left out",
        "Call again with what the message names";
    INVALID_SCOPE: AskUser, "invalid-scope",
        "The scope is unknown or lacks what belongs to it",
        "It is misspelled, or its options were left out",
        "Call again with one of the scopes that the message lists";
    REVIEW_CONFIG_INVALID: AskUser, "review-config-invalid",
        "The configuration of code review cannot be read",
        "A key is unknown or a value is out of range",
        "Correct the configuration where the message points";
    REPORTS_DIR_NOT_IGNORED: AskUser, "reports-dir-not-ignored",
        "Git does not ignore the folder of reviews",
        "It is not in the ignore rules",
        "Add the folder to the ignore rules";
    REVIEW_TARGET_NOT_FOUND: AskUser, "review-target-not-found",
        "What is to be reviewed does not exist",
        "A path or reference is mistyped",
        "Name one that exists";
    REVIEW_TARGET_OUTSIDE_REPOSITORY: AskUser, "review-target-outside-repository",
        "What is to be reviewed lies outside the repository",
        "The path climbs out or follows a link",
        "Name a path within the repository";
    CI_ROLLUP_COMMIT_MISMATCH: AskUser, "ci-rollup-commit-mismatch",
        "The results of CI are for another commit",
        "They were exported before the last push",
        "Export them for the head under review";
    WAIVER_RUN_INVALID: AskUser, "waiver-run-invalid",
        "The waiver belongs to no valid run",
        "Its run was named wrongly or is damaged",
        "Name the run that the waiver is for";
    CALLER_CONTRACT_EVIDENCE_MISSING: AskUser, "caller-contract-evidence-missing",
        "What the caller asks for has no evidence in the run",
        "It was not recorded",
        "Record the evidence, then call again";
    INVALID_SKIP_REASON: AskUser, "invalid-skip-reason",
        "The reason for skipping is empty or not allowed",
        "It was left out",
        "Call again with a reason that says why";
    GATE_RECOVERY_BLOCKED: AskUser, "gate-recovery-blocked",
        "An interrupted gate cannot be taken up again",
        "Its source or its record has changed",
        "Look at what the message names, then decide whether to start a new run";
    DISCARD_NO_CANDIDATE: AskUser, "discard-no-candidate",
        "There is nothing to discard",
        "The run has no result that waits",
        "Name the run that you mean";
    DISCARD_PROMOTED_RUN: AskUser, "discard-promoted-run",
        "The run has become a report and is not discarded",
        "The wrong run was named",
        "Name another run, or leave the report as it is";
}
