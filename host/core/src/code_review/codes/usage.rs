//! Codes of commands that end with exit status 2: nothing was written.

codes! {
    USAGE_ERROR: AskUser, "usage-error", "CR-16",
        "The command line, or a file that it names, cannot be understood",
        "An argument is missing, unknown, blank or of another form",
        "Correct what the message names, then run the command again";
    MISSING_PRODUCER_ID: AskUser, "missing-producer-id", "CR-19",
        "The command does not say who drives the review",
        "--producer-id was left out",
        "Give the id that `code-polishy code-review start` printed";
    MISSING_REQUIRED: AskUser, "missing-required", "CR-16",
        "Something that the command needs was not given or not made yet",
        "An option, a target or an earlier command was left out",
        "Give what the message names, then run the command again";
    INVALID_SCOPE: AskUser, "invalid-scope", "CR-28",
        "The scope is unknown",
        "It is misspelled",
        "Use one of the scopes that the message names";
    REVIEW_CONFIG_INVALID: AskUser, "review-config-invalid", "CR-18",
        "The section `codeReview` of the policy cannot be used",
        "A key is unknown, or a value is out of its range",
        "Correct the policy where the message points";
    REPORTS_DIR_NOT_IGNORED: AskUser, "reports-dir-not-ignored", "CR-11",
        "Git does not ignore the folder of reports",
        "It is in no ignore rule",
        "Add the folder to `.gitignore`";
    REVIEW_TARGET_NOT_FOUND: AskUser, "review-target-not-found", "CR-29",
        "What is to be reviewed does not exist",
        "A path, branch or commit is misspelled",
        "Name one that exists";
    REVIEW_TARGET_OUTSIDE_REPOSITORY: AskUser, "review-target-outside-repository", "CR-29",
        "What is to be reviewed lies outside the repository",
        "The path climbs out or follows a link",
        "Name a path of the repository";
    CI_ROLLUP_COMMIT_MISMATCH: AskUser, "ci-rollup-commit-mismatch", "CR-126",
        "The results of CI are of another commit",
        "They were exported for another revision",
        "Export them for the reviewed commit";
    WAIVER_RUN_INVALID: AskUser, "waiver-run-invalid", "CR-63",
        "The waiver does not name an earlier run that a waiver can revise",
        "The run is missing, damaged, or needs no waiver",
        "Name the run whose scope is revised, with the words of the waiver";
    CALLER_CONTRACT_EVIDENCE_MISSING: AskUser, "caller-contract-evidence-missing", "CR-158",
        "A caller's own format is asked for, and nothing shows that the caller wants it",
        "Only one of the two options was given",
        "Give --caller-contract together with --caller-contract-evidence";
    INVALID_SKIP_REASON: AskUser, "invalid-skip-reason", "CR-131",
        "The reason for leaving a gate out is blank or longer than a line",
        "It was left empty",
        "Say in one line why the gate does not apply";
    GATE_RECOVERY_BLOCKED: AskUser, "gate-recovery-blocked", "CR-140",
        "The gates cannot run again over their present record",
        "A failed gate would be hidden by a skip, or the record is damaged",
        "Run the recorded command again, or restore the record";
    DISCARD_NO_CANDIDATE: AskUser, "discard-no-candidate", "CR-20",
        "The run has no candidate to discard",
        "It was discarded before, promoted, or never written",
        "Name the run that you mean";
    DISCARD_PROMOTED_RUN: AskUser, "discard-promoted-run", "CR-206",
        "The run has its promoted result, which is not discarded",
        "The wrong run was named",
        "Start a new run to review the change again";
}
