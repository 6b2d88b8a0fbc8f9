//! Codes of the step `reviewer-events`.

codes! {
    REVIEWER_EVENT_INVALID: Stop, "reviewer-event-invalid";
    REVIEWER_EVENT_ORDER: Stop, "reviewer-event-order";
    REVIEWER_EVENT_CHAIN_BROKEN: Stop, "reviewer-event-chain-broken";
    REVIEWER_EVENT_DIGEST_MISMATCH: Stop, "reviewer-event-digest-mismatch";
    REVIEWER_EVENT_IDENTITY_REUSED: Stop, "reviewer-event-identity-reused";
    REVIEWER_ROLE_NOT_TRIGGERED: Stop, "reviewer-role-not-triggered";
    REVIEWER_ATTESTATION_REJECTED: Stop, "reviewer-attestation-rejected";
    REVIEWER_ATTEMPT_LIMIT: Stop, "reviewer-attempt-limit";
    REVIEWER_RETRY_UNSUPPORTED: SupplyEvidence, "reviewer-retry-unsupported";
    REVIEWER_OBSERVED_CONTROLS_FORBIDDEN: SupplyEvidence, "reviewer-observed-controls-forbidden";
}
