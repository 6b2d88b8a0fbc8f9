//! Codes of commands that end with exit status 3.

codes! {
    RUN_NOT_FOUND: Stop, "run-not-found",
        "There is no run of this name here",
        "The name is mistyped, or the run belongs to another repository",
        "Give the folder of a run of this repository";
    RUN_LOCKED: Stop, "run-locked",
        "Another command works on this run",
        "A command still runs, or an earlier one waits for its child",
        "Wait until it has ended, then call again";
    GIT_UNAVAILABLE: Stop, "git-unavailable",
        "Git cannot be run",
        "Git is not installed, or is not on the path",
        "Install git and make sure that it can be called";
    IO_ERROR: Stop, "io-error",
        "A file could not be read or written",
        "The disk is full, or the permissions do not allow it",
        "Read the message, make room or set permissions, then call again";
    PLUGIN_TRAP: Stop, "plugin-trap",
        "A plugin broke off",
        "It ran into an error of its own or used up what it may use",
        "Report it to the author of the plugin, or take the plugin out";
    RUN_NAME_EXHAUSTED: Stop, "run-name-exhausted",
        "No free name for the run is left",
        "Many runs were started within the same moment",
        "Wait a moment and start again";
}
