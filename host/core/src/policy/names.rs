//! Identifiers, variables and contained paths: what they may look like.

/// Why the text is no identifier (BR-13).
pub fn identifier_fault(text: &str) -> Option<&'static str> {
    if text.len() > 80 {
        return Some("is longer than 80 characters");
    }
    if !text.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Some("does not start with a lower-case letter");
    }
    let group =
        |group: &str| !group.is_empty() && group.chars().all(|character| character.is_ascii_lowercase() || character.is_ascii_digit());
    (!text.split(['.', '-']).all(group)).then_some("is no identifier")
}

/// Why the text is no name of an environment variable.
pub fn variable_fault(text: &str) -> Option<&'static str> {
    let name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let valid = text.len() <= 256 && text.chars().all(name) && text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    (!valid).then_some("is no name of an environment variable")
}

/// Why the text is no path inside the repository. Each such path has one spelling: `/`, no `.`, no `..`, nothing empty.
pub fn path_fault(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("is blank");
    }
    if text.starts_with('/') {
        return Some("is absolute");
    }
    if text.chars().any(char::is_control) {
        return Some("has a control character");
    }
    let fault = |segment: &str| match segment {
        ".." => Some("leaves its folder with `..`"),
        "" | "." => Some("has an empty segment or a segment `.`"),
        _ => None,
    };
    text.split('/').find_map(fault)
}

/// The same for a folder; `.` is the repository's root.
pub fn folder_fault(text: &str) -> Option<&'static str> {
    if text == "." { None } else { path_fault(text) }
}

/// Whether the path names a Markdown file.
pub fn is_markdown(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.ends_with(".md") || lower.ends_with(".markdown")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_groups_of_lower_case() {
        for text in ["a", "a1", "a-b.c-2", &"a".repeat(80)] {
            assert_eq!(identifier_fault(text), None, "{text}");
        }
        for text in ["", "1a", "A", "a_b", "a--b", "a-", "-a", "a.-b", "é", &"a".repeat(81)] {
            assert!(identifier_fault(text).is_some(), "{text}");
        }
    }

    #[test]
    fn paths_stay_inside_and_have_one_spelling() {
        for text in ["a", "a/b.c", ".github/x", "a b", "..a"] {
            assert_eq!(path_fault(text), None, "{text}");
        }
        for text in ["", " ", "/a", "../a", "a/..", "a//b", "a/", "./a", ".", "a\nb", "a\0"] {
            assert!(path_fault(text).is_some(), "{text}");
        }
        assert_eq!((folder_fault("."), folder_fault("a")), (None, None));
    }

    #[test]
    fn variables_are_plain_names() {
        assert!(variable_fault("A_1").is_none() && variable_fault("_x").is_none());
        assert!(variable_fault("1A").is_some() && variable_fault("A=B").is_some() && variable_fault("").is_some());
    }
}
