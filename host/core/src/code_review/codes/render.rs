//! Codes of the step `render`.

codes! {
    RENDERED_FINAL_MISMATCH: RepairCopy, "rendered-final-mismatch";
    HANDOFF_VALIDATION_RECORD_MISMATCH: RepairCopy, "handoff-validation-record-mismatch";
    FINAL_HANDOFF_BINDING_MISMATCH: RepairCopy, "final-handoff-binding-mismatch";
    HANDOFF_PATHS_ALIAS: RepairCopy, "handoff-paths-alias";
    RENDERER_FAILED: RepairCopy, "renderer-failed";
}
