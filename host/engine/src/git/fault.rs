//! Failures of git, in the words of the command line.

use std::fmt::Display;

use code_polishy_core::{
    diagnostic::{Diagnostic, Failure, FailureKind},
    patch::content_escaped,
};

/// Something that should work did not: exit 3.
pub(super) fn operational(code: &str, what: impl Display, error: impl Display) -> Failure {
    Failure::operational(code, format!("{what}: {error}"), "check the repository with `git fsck`, then run the command again")
}

/// A file could not be read, written or removed: exit 3.
pub(super) fn files(what: impl Display, path: &std::path::Path, error: impl Display) -> Failure {
    Failure::operational(
        "git.files",
        format!("{what} {}: {error}", path.display()),
        "check permissions and free space, then run the command again",
    )
}

/// The path as text, or the refusal that names it escaped (BR-35).
pub(super) fn utf8_path(path: &[u8]) -> Result<String, Failure> {
    std::str::from_utf8(path).map(str::to_owned).map_err(|_| {
        let diagnostic =
            Diagnostic::new("git.path-not-utf8", "a changed path is not UTF-8", "rename the path, or leave it out of the change")
                .at_path(content_escaped(path));
        Failure::new(FailureKind::Usage, vec![diagnostic])
    })
}
