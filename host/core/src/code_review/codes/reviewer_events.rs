//! Codes of the step `reviewer-events`.

codes! {
    REVIEWER_EVENT_INVALID: Stop, "reviewer-event-invalid",
        "An event of a reviewer cannot be read",
        "The log was edited by hand",
        "Start a new run";
    REVIEWER_EVENT_ORDER: Stop, "reviewer-event-order",
        "Events stand in an order that cannot have happened",
        "A line was moved or left out",
        "Start a new run";
    REVIEWER_EVENT_CHAIN_BROKEN: Stop, "reviewer-event-chain-broken",
        "An event does not follow from the one before it",
        "A line was changed, added or removed",
        "Start a new run";
    REVIEWER_EVENT_DIGEST_MISMATCH: Stop, "reviewer-event-digest-mismatch",
        "A file is not the one that an event recorded",
        "The brief or the answer was edited later",
        "Start a new run";
    REVIEWER_EVENT_IDENTITY_REUSED: Stop, "reviewer-event-identity-reused",
        "Two reviewers have the same identity",
        "An identity was used again",
        "Start a new run with an identity for each reviewer";
    REVIEWER_ROLE_NOT_TRIGGERED: Stop, "reviewer-role-not-triggered",
        "A reviewer took a role that the routing does not ask for",
        "The reviewer was sent out by hand",
        "Start a new run, or let only triggered roles review";
    REVIEWER_ATTESTATION_REJECTED: Stop, "reviewer-attestation-rejected",
        "What vouches for a reviewer was refused",
        "It is not valid for this run",
        "Start a new run";
    REVIEWER_ATTEMPT_LIMIT: Stop, "reviewer-attempt-limit",
        "A role was tried more often than is allowed",
        "Every attempt failed",
        "Stop and find out why the attempts fail";
    REVIEWER_RETRY_UNSUPPORTED: SupplyEvidence, "reviewer-retry-unsupported",
        "The first attempt does not support the reason for a second one",
        "It has no attested refusal, or its answer can be read",
        "Do the pass as the parent and disclose that";
    REVIEWER_OBSERVED_CONTROLS_FORBIDDEN: SupplyEvidence, "reviewer-observed-controls-forbidden",
        "An inspection states controls that nobody could observe",
        "They were copied from the request",
        "Leave them out: an inspection is bounded by its instructions only";
}
