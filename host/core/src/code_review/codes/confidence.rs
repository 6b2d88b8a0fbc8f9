//! Codes of the step `confidence`.

codes! {
    CONFIDENCE_PRECISION_INVALID: RepairCopy, "confidence-precision-invalid";
    CONFIDENCE_GAPS_REQUIRED: RepairCopy, "confidence-gaps-required";
    CONFIDENCE_GAP_DUPLICATE: RepairCopy, "confidence-gap-duplicate";
    CONFIDENCE_CLOSURE_MISSING: RepairCopy, "confidence-closure-missing";
    CONFIDENCE_CLOSURE_UNDECLARED: RepairCopy, "confidence-closure-undeclared";
    CONFIDENCE_CLOSURE_INVALID: RepairCopy, "confidence-closure-invalid";
    CONFIDENCE_RECOVERY_INVALID: RepairCopy, "confidence-recovery-invalid";
    CONFIDENCE_FINAL_MISMATCH: RepairCopy, "confidence-final-mismatch";
    CONFIDENCE_BAND_MISMATCH: RepairCopy, "confidence-band-mismatch";
    CONFIDENCE_BAND_CHECK_MISSING: RepairCopy, "confidence-band-check-missing";
    CONFIDENCE_LIMITS_MISSING: RepairCopy, "confidence-limits-missing";
    CONFIDENCE_DEDUCTION_MISSING: RepairCopy, "confidence-deduction-missing";
    CONFIDENCE_DEDUCTION_SUM_MISMATCH: RepairCopy, "confidence-deduction-sum-mismatch";
    CANONICAL_CONFIDENCE_GAP_MISSING: RepairCopy, "canonical-confidence-gap-missing";
    CANONICAL_CONFIDENCE_GAP_CLOSED: RepairCopy, "canonical-confidence-gap-closed";
    PR_PUBLIC_FALLBACK_CONFIDENCE_CAP_EXCEEDED: RepairCopy, "pr-public-fallback-confidence-cap-exceeded";
}
