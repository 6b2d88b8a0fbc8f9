//! Codes of the step `render`.

codes! {
    RENDERED_FINAL_MISMATCH: RepairCopy, "rendered-final-mismatch",
        "The final report is not what the hand-off renders to",
        "It was edited by hand",
        "Render it again";
    HANDOFF_VALIDATION_RECORD_MISMATCH: RepairCopy, "handoff-validation-record-mismatch",
        "The record of the validated hand-off is not that of this hand-off",
        "The hand-off was changed afterwards",
        "Validate and render again";
    FINAL_HANDOFF_BINDING_MISMATCH: RepairCopy, "final-handoff-binding-mismatch",
        "The final report was made from another hand-off",
        "It was copied or is older",
        "Render it again";
    HANDOFF_PATHS_ALIAS: RepairCopy, "handoff-paths-alias",
        "Two files of the hand-off have the same path",
        "A path was given twice",
        "Give each file its own path";
    RENDERER_FAILED: RepairCopy, "renderer-failed",
        "The final report could not be rendered",
        "The hand-off holds something that cannot be shown",
        "Correct what the message names, then render again";
}
