//! Codes of the step `run-manifest`.

codes! {
    RUN_MANIFEST_MISSING: Stop, "run-manifest-missing";
    RUN_MANIFEST_BINDING_MISMATCH: Stop, "run-manifest-binding-mismatch";
    RUN_MANIFEST_FILE_MISSING: Stop, "run-manifest-file-missing";
    RUN_MANIFEST_FILE_CHANGED: Stop, "run-manifest-file-changed";
    RUN_MANIFEST_UNEXPECTED_FILE: Stop, "run-manifest-unexpected-file";
    RUN_MANIFEST_STALE: RepairCopy, "run-manifest-stale";
}
