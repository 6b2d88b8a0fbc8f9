//! What a git reference in an option or a policy may look like (BR-7).

/// Why the text cannot be a reference; `None` when it can. Whether it resolves to one commit is for the repository to say.
pub fn reference_fault(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        Some("is empty")
    } else if text.starts_with('-') {
        Some("starts with `-`")
    } else if text.contains('\0') {
        Some("has a NUL")
    } else if text.chars().any(char::is_whitespace) {
        Some("has white space")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_git_could_not_take_for_something_else() {
        for text in ["main", "origin/main", "HEAD~1", "0123abc", "refs/heads/x", "@{upstream}"] {
            assert_eq!(reference_fault(text), None, "{text}");
        }
        for text in ["", "-x", "--all", "a b", "a\n", "a\u{a0}b", "a\0"] {
            assert!(reference_fault(text).is_some(), "{text}");
        }
    }
}
