//! Codes of the step `manifest`.

codes! {
    SPECIALIST_MANIFEST_MISSING: SupplyEvidence, "specialist-manifest-missing", "CR-66",
        "The run has no manifest of its passes",
        "The run was not routed, or the file was removed",
        "Run `code-polishy code-review route`";
    MANIFEST_PASS_MISSING: SupplyEvidence, "manifest-pass-missing", "CR-66",
        "A role that the routing asks for was never asked",
        "Its reviewer was not dispatched",
        "Dispatch the role, or do its pass as a substitute";
    MANIFEST_PASS_UNFINISHED: SupplyEvidence, "manifest-pass-unfinished", "CR-60",
        "A reviewer was dispatched, and no response was joined",
        "The reviewer is still at work, or broke off",
        "Join its response, or close the attempt with `refused` and substitute it";
    MANIFEST_OUTPUT_MISSING: SupplyEvidence, "manifest-output-missing", "CR-66",
        "A response that was joined is not in the run",
        "The file was removed or renamed",
        "Restore the response as it was joined";
    MANIFEST_DERIVATION_MISMATCH: Stop, "manifest-derivation-mismatch", "CR-66",
        "The manifest is not what events, responses, plan and routing give",
        "It was edited, or a record below it was",
        "Restore it as `code-polishy code-review reviewer-event` wrote it, or start a new run";
    ROLE_CARD_MISSING: Stop, "role-card-missing", "CR-67",
        "The card of a role is not in the run, or not among the installed ones",
        "It was removed or not installed",
        "Install or restore the card, or start a new run";
    ROLE_CARD_MISMATCH: Stop, "role-card-mismatch", "CR-67",
        "The card of a role is not the one that was frozen or is installed",
        "It was edited or updated during the review",
        "Install the card that the run used, or start a new run";
}
