//! Codes of commands that end with exit status 3.

codes! {
    RUN_NOT_FOUND: Stop, "run-not-found", "CR-12",
        "There is no run at this place",
        "The path is mistyped, or the run was moved",
        "Name the path that `code-polishy code-review start` printed";
    RUN_LOCKED: Stop, "run-locked", "CR-9",
        "Another command works on this run",
        "It has not ended yet",
        "Wait until it has ended, then run the command again";
    GIT_UNAVAILABLE: Stop, "git-unavailable", "CR-16",
        "Git cannot be run",
        "It is not installed, or is not on the search path",
        "Install git, then run the command again";
    IO_ERROR: Stop, "io-error", "CR-16",
        "A file or folder cannot be read or written",
        "The disk is full, or permissions do not allow it",
        "Make room or set permissions as the message says, then run the command again";
    PLUGIN_TRAP: Stop, "plugin-trap", "CR-16",
        "A plugin broke off",
        "It met a fault of its own, or used up what it may use",
        "Report it to the author of the plugin, or take the plugin out of the policy";
    RUN_NAME_EXHAUSTED: Stop, "run-name-exhausted", "CR-12",
        "No free name was found for the run",
        "Several runs were started at the same moment",
        "Run the command again";
}
