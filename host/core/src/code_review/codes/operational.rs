//! Codes of commands that end with exit status 3.

codes! {
    RUN_NOT_FOUND: Stop, "run-not-found";
    RUN_LOCKED: Stop, "run-locked";
    GIT_UNAVAILABLE: Stop, "git-unavailable";
    IO_ERROR: Stop, "io-error";
    PLUGIN_TRAP: Stop, "plugin-trap";
    RUN_NAME_EXHAUSTED: Stop, "run-name-exhausted";
}
