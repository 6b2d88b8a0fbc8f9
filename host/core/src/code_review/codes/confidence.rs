//! Codes of the step `confidence`.

codes! {
    CONFIDENCE_PRECISION_INVALID: RepairCopy, "confidence-precision-invalid", "CR-110",
        "The confidence is not a number from 0 to 1 with at most two decimals",
        "It was computed and not rounded",
        "Round it to hundredths, like 0.86";
    CONFIDENCE_GAPS_REQUIRED: RepairCopy, "confidence-gaps-required", "CR-112",
        "The confidence is below 1.00, and no gap is declared",
        "What is uncertain was not written down",
        "Declare what is not certain, each with its share";
    CONFIDENCE_GAP_DUPLICATE: RepairCopy, "confidence-gap-duplicate", "CR-112",
        "A gap is declared twice",
        "It was copied",
        "Declare it once";
    CONFIDENCE_CLOSURE_MISSING: RepairCopy, "confidence-closure-missing", "CR-112",
        "A declared gap does not say what became of it",
        "Its closure was left out, or words it otherwise",
        "Add one closure that repeats the gap's exact words";
    CONFIDENCE_CLOSURE_UNDECLARED: RepairCopy, "confidence-closure-undeclared", "CR-112",
        "A closure belongs to no declared gap, or to one that has a closure already",
        "The gap was removed or reworded",
        "Keep exactly one closure for each declared gap";
    CONFIDENCE_CLOSURE_INVALID: RepairCopy, "confidence-closure-invalid", "CR-112",
        "A gap or its closure does not have the required shape, or takes confidence away although it is closed",
        "A field is missing, or evidence and rationale are mixed up",
        "Give `evidence` beginning with (-0.00) when closed, else `rationale` with its share";
    CONFIDENCE_RECOVERY_INVALID: RepairCopy, "confidence-recovery-invalid", "CR-110",
        "The record of how confidence was recovered has a missing, unknown, empty or ill-typed field",
        "It was written against another shape",
        "Write exactly the six fields that the schema of the result shows";
    CONFIDENCE_FINAL_MISMATCH: RepairCopy, "confidence-final-mismatch", "CR-110",
        "The confidence of the result is not the final confidence of its record",
        "One of the two was recomputed alone",
        "Write the recomputed score in both places";
    CONFIDENCE_BAND_MISMATCH: RepairCopy, "confidence-band-mismatch", "CR-111",
        "The status of the confidence is not the band that its number lies in",
        "The number was changed later",
        "Write the band that the hint gives";
    CONFIDENCE_BAND_CHECK_MISSING: RepairCopy, "confidence-band-check-missing", "CR-111",
        "The confidence is too low to pass, and `checks_failed` does not say so",
        "It was lowered after the list was written",
        "Add the check that the message names to `checks_failed`";
    CONFIDENCE_LIMITS_MISSING: RepairCopy, "confidence-limits-missing", "CR-111",
        "The confidence is below 0.90, and no remaining limit is stated",
        "The limits were left out",
        "State what stays uncertain, each with its share";
    CONFIDENCE_DEDUCTION_MISSING: RepairCopy, "confidence-deduction-missing", "CR-113",
        "A gap or limit does not begin with the share that it takes from the confidence",
        "The number was left out",
        "Begin the text like (-0.04)";
    CONFIDENCE_DEDUCTION_SUM_MISMATCH: RepairCopy, "confidence-deduction-sum-mismatch", "CR-113",
        "The shares of gaps and limits do not add up to what is missing from 1.00",
        "A share or the confidence was changed alone",
        "Give each gap and limit its exact share";
    CANONICAL_CONFIDENCE_GAP_MISSING: RepairCopy, "canonical-confidence-gap-missing", "CR-114",
        "A gap that the run itself shows is not declared",
        "It was overlooked, or worded otherwise",
        "Declare it in exactly the words of the hint";
    CANONICAL_CONFIDENCE_GAP_CLOSED: RepairCopy, "canonical-confidence-gap-closed", "CR-226",
        "A gap that the run itself shows is called closed",
        "Later work was taken to close it",
        "Leave it `unresolved` or `deferred`, with its share";
    PR_PUBLIC_FALLBACK_CONFIDENCE_CAP_EXCEEDED: RepairCopy, "pr-public-fallback-confidence-cap-exceeded", "CR-44",
        "The confidence is above 0.89 although only public pages were read",
        "The limit of that way was not taken into account",
        "Claim 0.89 at most";
}
