//! Codes of the step `routing`.

codes! {
    REVIEW_ROUTING_MISSING: SupplyEvidence, "review-routing-missing", "CR-55",
        "The run has no routing",
        "It was not routed, or the file was removed",
        "Run `code-polishy code-review route`";
    REVIEW_ROUTING_FIELDS_INVALID: SupplyEvidence, "review-routing-fields-invalid", "CR-55",
        "The routing cannot be read, or a field is not what the run gives",
        "It was edited, or written by another version",
        "Restore it as `route` wrote it, or route again before the first event";
    REVIEW_ROUTING_TIER_UNDERCLASSIFIED: SupplyEvidence, "review-routing-tier-underclassified", "CR-50",
        "The declared tier is lower than the one that the changed paths and lines give",
        "The size or a path was judged by opinion",
        "Declare the mechanical tier or a higher one";
    REVIEW_ROUTING_MECHANICAL_MISMATCH: SupplyEvidence, "review-routing-mechanical-mismatch", "CR-50",
        "The mechanical tier or its evidence is not what the changed paths and lines give",
        "The routing was edited, or is that of another change",
        "Route the run again before its first event";
    REVIEW_ROUTING_SIGNAL_SET_MISMATCH: SupplyEvidence, "review-routing-signal-set-mismatch", "CR-51",
        "The signals are not exactly the eighteen known ones",
        "One was left out, doubled or made up",
        "State each known signal once, and no other";
    REVIEW_ROUTING_SIGNAL_EVIDENCE_EMPTY: SupplyEvidence, "review-routing-signal-evidence-empty", "CR-51",
        "Nothing says why a signal is stated as it is",
        "Its evidence was left empty",
        "Give the reason in a few words";
    REVIEW_ROUTING_MANDATORY_SIGNAL_FALSE: SupplyEvidence, "review-routing-mandatory-signal-false", "CR-52",
        "A signal that the changed paths make certain is stated as false",
        "It was judged by opinion",
        "State it as true";
    REVIEW_ROUTING_TRIGGERED_ROLE_MISMATCH: SupplyEvidence, "review-routing-triggered-role-mismatch", "CR-53",
        "The roles are not those that tier, signals and selections give",
        "A role was added or removed by hand",
        "Route the run again before its first event; add a role with --select";
    REVIEW_ROUTING_TRIGGER_REASON_MISMATCH: SupplyEvidence, "review-routing-trigger-reason-mismatch", "CR-55",
        "The reason of a role is not what triggers it",
        "Reasons were edited or mixed up",
        "Route the run again before its first event";
    REVIEW_ROUTING_PARENT_ONLY_REFUSED: SupplyEvidence, "review-routing-parent-only-refused", "CR-57",
        "The change asks for a reviewer besides the parent, and no role is triggered",
        "Its tier, its paths or the required independence ask for one",
        "Select a role with --select";
    REVIEW_ROUTING_FROZEN: Stop, "review-routing-frozen", "CR-58",
        "The run cannot be routed again, since reviewers have been dispatched",
        "The first event froze the routing",
        "Go on with the routing as it is, or start a new run";
    REVIEW_PLAN_INVALID: Stop, "review-plan-invalid", "CR-56",
        "The plan or the frozen briefs are not what the routing and the change give",
        "One of them was edited, or there are plans of two kinds",
        "Restore them as `route` wrote them, or start a new run";
    REVIEW_PLAN_PATH_UNASSIGNED: Stop, "review-plan-path-unassigned", "CR-56",
        "A path under review is assigned to nobody",
        "The plan was edited",
        "Restore the plan as `route` wrote it, or start a new run";
}
