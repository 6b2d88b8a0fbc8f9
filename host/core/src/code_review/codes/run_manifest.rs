//! Codes of the step `run-manifest`.

codes! {
    RUN_MANIFEST_MISSING: Stop, "run-manifest-missing", "CR-14",
        "The promoted run has no list of its files",
        "The list was removed",
        "Restore it, or start a new run";
    RUN_MANIFEST_BINDING_MISMATCH: Stop, "run-manifest-binding-mismatch", "CR-14",
        "The list of files cannot be read, or belongs to another run or result",
        "It was edited or copied from elsewhere",
        "Restore it, or start a new run; a promoted one is not repaired";
    RUN_MANIFEST_FILE_MISSING: Stop, "run-manifest-file-missing", "CR-15",
        "A file that the list names is gone",
        "It was removed or renamed after promotion",
        "Restore the very same file, or start a new run";
    RUN_MANIFEST_FILE_CHANGED: Stop, "run-manifest-file-changed", "CR-15",
        "A file is not the one that the list names",
        "It was edited after promotion",
        "Restore the file as it was, or start a new run";
    RUN_MANIFEST_UNEXPECTED_FILE: Stop, "run-manifest-unexpected-file", "CR-15",
        "The run holds a file that the list does not name",
        "Something was added after promotion",
        "Move the file out of the run";
    RUN_MANIFEST_STALE: RepairCopy, "run-manifest-stale", "CR-204",
        "The list of files is older than the files of the run",
        "Records were repaired after it was written",
        "Run `code-polishy code-review finalize` again";
}
