//! Codes of the step `render`.

codes! {
    RENDERED_FINAL_MISMATCH: RepairCopy, "rendered-final-mismatch", "CR-159",
        "The final report is not what its hand-off renders to",
        "It was edited, or the hand-off was changed afterwards",
        "Run `code-polishy code-review finalize` again";
    HANDOFF_VALIDATION_RECORD_MISMATCH: RepairCopy, "handoff-validation-record-mismatch", "CR-159",
        "The record that the hand-off was validated does not fit hand-off and report",
        "One of the three was changed alone",
        "Run `code-polishy code-review finalize` again";
    FINAL_HANDOFF_BINDING_MISMATCH: RepairCopy, "final-handoff-binding-mismatch", "CR-159",
        "The metadata binds another hand-off, report or record than the run has",
        "The result was written before the last finalizing",
        "Run `code-polishy code-review finalize` again";
    HANDOFF_PATHS_ALIAS: RepairCopy, "handoff-paths-alias", "CR-159",
        "Two files of the hand-off have the same path",
        "A path was given twice",
        "Give each file its own path";
    RENDERER_FAILED: RepairCopy, "renderer-failed", "CR-160",
        "The hand-off could not be drawn, or a renderer that the policy requires left nothing",
        "The plugin broke off, or refused the hand-off",
        "Read what it says, mend or replace the plugin, then finalize again";
}
