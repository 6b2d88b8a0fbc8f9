//! Codes of the step `routing`.

codes! {
    REVIEW_ROUTING_MISSING: SupplyEvidence, "review-routing-missing",
        "The run has no routing",
        "It was not derived yet",
        "Derive the routing, then validate again";
    REVIEW_ROUTING_FIELDS_INVALID: SupplyEvidence, "review-routing-fields-invalid",
        "The routing has a field that is missing, unknown or of another type",
        "It was edited by hand",
        "Write the routing as its schema shows it";
    REVIEW_ROUTING_TIER_UNDERCLASSIFIED: SupplyEvidence, "review-routing-tier-underclassified",
        "The tier is lower than the change asks for",
        "A signal was left out of account",
        "Raise the tier to the one that the message names";
    REVIEW_ROUTING_MECHANICAL_MISMATCH: SupplyEvidence, "review-routing-mechanical-mismatch",
        "The change is called mechanical but is not, or the other way round",
        "The claim was made without looking at the paths",
        "State it as the changed paths show it";
    REVIEW_ROUTING_SIGNAL_SET_MISMATCH: SupplyEvidence, "review-routing-signal-set-mismatch",
        "The signals are not exactly the known ones",
        "One was left out or made up",
        "Answer each known signal once";
    REVIEW_ROUTING_SIGNAL_EVIDENCE_EMPTY: SupplyEvidence, "review-routing-signal-evidence-empty",
        "A signal is answered without evidence",
        "The reason was forgotten",
        "Add the path or line that shows it";
    REVIEW_ROUTING_MANDATORY_SIGNAL_FALSE: SupplyEvidence, "review-routing-mandatory-signal-false",
        "A signal that the paths prove is answered with no",
        "It was judged by opinion",
        "Answer it with yes and name the path";
    REVIEW_ROUTING_TRIGGERED_ROLE_MISMATCH: SupplyEvidence, "review-routing-triggered-role-mismatch",
        "The triggered roles do not follow from the signals",
        "A role was left out or added",
        "List the roles that the message names";
    REVIEW_ROUTING_TRIGGER_REASON_MISMATCH: SupplyEvidence, "review-routing-trigger-reason-mismatch",
        "The reason for a role is not the signal that triggers it",
        "Reasons were mixed up",
        "Name the signal that triggers the role";
    REVIEW_ROUTING_PARENT_ONLY_REFUSED: SupplyEvidence, "review-routing-parent-only-refused",
        "The change may not be reviewed without further reviewers",
        "Its tier or its signals ask for more",
        "Let the triggered roles review it";
    REVIEW_ROUTING_FROZEN: Stop, "review-routing-frozen",
        "The routing changed after reviewers were sent out",
        "It was edited too late",
        "Start a new run with the new routing";
    REVIEW_PLAN_INVALID: Stop, "review-plan-invalid",
        "The plan of the review cannot be read or contradicts itself",
        "It was edited by hand",
        "Start a new run";
    REVIEW_PLAN_PATH_UNASSIGNED: Stop, "review-plan-path-unassigned",
        "A path of the scope is given to no reviewer",
        "The plan was made for another scope",
        "Start a new run, so that the plan is derived from the scope";
}
