//! Codes of the step `routing`.

codes! {
    REVIEW_ROUTING_MISSING: SupplyEvidence, "review-routing-missing";
    REVIEW_ROUTING_FIELDS_INVALID: SupplyEvidence, "review-routing-fields-invalid";
    REVIEW_ROUTING_TIER_UNDERCLASSIFIED: SupplyEvidence, "review-routing-tier-underclassified";
    REVIEW_ROUTING_MECHANICAL_MISMATCH: SupplyEvidence, "review-routing-mechanical-mismatch";
    REVIEW_ROUTING_SIGNAL_SET_MISMATCH: SupplyEvidence, "review-routing-signal-set-mismatch";
    REVIEW_ROUTING_SIGNAL_EVIDENCE_EMPTY: SupplyEvidence, "review-routing-signal-evidence-empty";
    REVIEW_ROUTING_MANDATORY_SIGNAL_FALSE: SupplyEvidence, "review-routing-mandatory-signal-false";
    REVIEW_ROUTING_TRIGGERED_ROLE_MISMATCH: SupplyEvidence, "review-routing-triggered-role-mismatch";
    REVIEW_ROUTING_TRIGGER_REASON_MISMATCH: SupplyEvidence, "review-routing-trigger-reason-mismatch";
    REVIEW_ROUTING_PARENT_ONLY_REFUSED: SupplyEvidence, "review-routing-parent-only-refused";
    REVIEW_ROUTING_FROZEN: Stop, "review-routing-frozen";
    REVIEW_PLAN_INVALID: Stop, "review-plan-invalid";
    REVIEW_PLAN_PATH_UNASSIGNED: Stop, "review-plan-path-unassigned";
}
