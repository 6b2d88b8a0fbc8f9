//! Codes of the step `reviewer-events`.

codes! {
    REVIEWER_EVENT_INVALID: Stop, "reviewer-event-invalid", "CR-59",
        "A line of the reviewers' log is not an event, or has fields that its kind of event does not have",
        "The log was edited, or the event was given too much or too little",
        "Give each event exactly what it needs; restore a log that was edited";
    REVIEWER_EVENT_ORDER: Stop, "reviewer-event-order", "CR-60",
        "An event cannot follow what the log already holds",
        "A step was left out, doubled, or its time lies before the last one",
        "Record the events of an attempt in their order";
    REVIEWER_EVENT_CHAIN_BROKEN: Stop, "reviewer-event-chain-broken", "CR-59",
        "A line of the reviewers' log does not follow from the one before it",
        "A line was changed, added or removed",
        "Restore the log, or start a new run; nothing is appended to a broken one";
    REVIEWER_EVENT_DIGEST_MISMATCH: Stop, "reviewer-event-digest-mismatch", "CR-60",
        "A context, response or receipt is not the one that an event recorded, or is gone",
        "The file was edited, replaced or removed later",
        "Restore the file as it was recorded, or start a new run";
    REVIEWER_EVENT_IDENTITY_REUSED: Stop, "reviewer-event-identity-reused", "CR-60",
        "Two passes share a context or a response, or two attempts share a reviewer",
        "An id or a path was used again",
        "Give every pass its own context and response, and every attempt its own reviewer";
    REVIEWER_ROLE_NOT_TRIGGERED: Stop, "reviewer-role-not-triggered", "CR-66",
        "An event is of a role that the routing does not ask for",
        "A reviewer was added after routing",
        "Select the role with `route --select` before the first event, or start a new run";
    REVIEWER_ATTESTATION_REJECTED: Stop, "reviewer-attestation-rejected", "CR-62",
        "An adapter rejects the receipt of an event",
        "The receipt is of another run, was edited, or is not of its host",
        "Find out where the receipt comes from; record the event with the true one";
    REVIEWER_ATTEMPT_LIMIT: Stop, "reviewer-attempt-limit", "CR-65",
        "A third attempt at a pass was begun",
        "Two attempts did not give a response",
        "Do the pass as a substitute, and disclose it";
    REVIEWER_RETRY_UNSUPPORTED: SupplyEvidence, "reviewer-retry-unsupported", "CR-65",
        "The first attempt does not support the reason for a second one",
        "It has no attested refusal, or its response parses",
        "Do the pass as a substitute, and disclose it";
    REVIEWER_OBSERVED_CONTROLS_FORBIDDEN: SupplyEvidence, "reviewer-observed-controls-forbidden", "CR-61",
        "An inspection states controls, which its kind cannot observe",
        "They were copied from the request",
        "Leave the controls out";
}
