//! Codes of the step `confidence`.

codes! {
    CONFIDENCE_PRECISION_INVALID: RepairCopy, "confidence-precision-invalid",
        "The confidence has more digits than it may have",
        "It was computed and not rounded",
        "Round it as the message says";
    CONFIDENCE_GAPS_REQUIRED: RepairCopy, "confidence-gaps-required",
        "The confidence is below full and no gap is named",
        "The reasons were left out",
        "Name the gaps";
    CONFIDENCE_GAP_DUPLICATE: RepairCopy, "confidence-gap-duplicate",
        "A gap is named twice",
        "It was copied",
        "Name it once";
    CONFIDENCE_CLOSURE_MISSING: RepairCopy, "confidence-closure-missing",
        "A gap does not say what would close it",
        "It was left out",
        "Say what would close the gap";
    CONFIDENCE_CLOSURE_UNDECLARED: RepairCopy, "confidence-closure-undeclared",
        "Something closes a gap that is not named",
        "The gap was removed or renamed",
        "Name the gap, or remove what closes it";
    CONFIDENCE_CLOSURE_INVALID: RepairCopy, "confidence-closure-invalid",
        "What closes a gap does not have the required shape",
        "A field is missing or empty",
        "Write it as the message says";
    CONFIDENCE_RECOVERY_INVALID: RepairCopy, "confidence-recovery-invalid",
        "What closing a gap gives back is out of its range",
        "The number was guessed",
        "Give a number within the deduction";
    CONFIDENCE_FINAL_MISMATCH: RepairCopy, "confidence-final-mismatch",
        "The final confidence does not follow from deductions and recoveries",
        "A number was changed",
        "Compute it again";
    CONFIDENCE_BAND_MISMATCH: RepairCopy, "confidence-band-mismatch",
        "The band is not the one of the confidence",
        "The number was changed later",
        "Name the band that the message gives";
    CONFIDENCE_BAND_CHECK_MISSING: RepairCopy, "confidence-band-check-missing",
        "The check that the band asks for is not recorded",
        "It was left out",
        "Record the check";
    CONFIDENCE_LIMITS_MISSING: RepairCopy, "confidence-limits-missing",
        "The limits of the review are not stated",
        "They were left out",
        "State what was not looked at and why";
    CONFIDENCE_DEDUCTION_MISSING: RepairCopy, "confidence-deduction-missing",
        "A gap has no deduction",
        "The number was left out",
        "Give the deduction";
    CONFIDENCE_DEDUCTION_SUM_MISMATCH: RepairCopy, "confidence-deduction-sum-mismatch",
        "The deductions do not add up",
        "A number was changed",
        "Add them up again";
    CANONICAL_CONFIDENCE_GAP_MISSING: RepairCopy, "canonical-confidence-gap-missing",
        "A gap that follows from the run is not named",
        "It was overlooked",
        "Name the gap that the message gives";
    CANONICAL_CONFIDENCE_GAP_CLOSED: RepairCopy, "canonical-confidence-gap-closed",
        "A gap that follows from the run is called closed",
        "It cannot be closed within this run",
        "Leave it open";
    PR_PUBLIC_FALLBACK_CONFIDENCE_CAP_EXCEEDED: RepairCopy, "pr-public-fallback-confidence-cap-exceeded",
        "The confidence is higher than public pages alone allow",
        "The cap was not taken into account",
        "Lower it to the cap";
}
