//! Codes of the step `run-manifest`.

codes! {
    RUN_MANIFEST_MISSING: Stop, "run-manifest-missing",
        "The run has no list of its files",
        "It was not finalized, or the list was removed",
        "Keep the run as it is and start a new one";
    RUN_MANIFEST_BINDING_MISMATCH: Stop, "run-manifest-binding-mismatch",
        "The list of files belongs to another run or another result",
        "It was copied from elsewhere",
        "Keep the run as it is and start a new one";
    RUN_MANIFEST_FILE_MISSING: Stop, "run-manifest-file-missing",
        "A file that the list names is gone",
        "It was removed or renamed after the list was written",
        "Restore the very same file, or start a new run";
    RUN_MANIFEST_FILE_CHANGED: Stop, "run-manifest-file-changed",
        "A file is not the one that the list names",
        "It was edited after the list was written",
        "Start a new run; a sealed file is not repaired";
    RUN_MANIFEST_UNEXPECTED_FILE: Stop, "run-manifest-unexpected-file",
        "The run holds a file that the list does not name",
        "Something was added after the list was written",
        "Take a foreign file out of the run, or start a new run";
    RUN_MANIFEST_STALE: RepairCopy, "run-manifest-stale",
        "The list of files is older than the files that may still change",
        "Records were repaired after the list was written",
        "Finalize again, so that the list is written anew";
}
