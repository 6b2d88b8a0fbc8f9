//! Why a pull request could not be collected: one token, and what it means for whoever collects it again (CR-46, CR-190).

use super::export::{CollectorError, is_token};
use crate::code_review::codes::{self, Code};

/// One token: a code, with what it is about behind a colon.
pub const ERROR_FILE: &str = "pr-error.txt";
/// [`CollectorError`], when a command failed.
pub const COMMAND_FAILURE_FILE: &str = "command-failure.json";

/// What a collection ends with instead of a checkout.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionFault {
    /// One of [`FAMILIES`].
    pub code: &'static Code,
    /// A word of [`is_token`] that says where.
    pub subject: Option<String>,
    /// For whoever runs the command; kept in no record.
    pub message: String,
    /// The command of the exporter that failed.
    pub command: Option<Box<CollectorError>>,
}

impl CollectionFault {
    /// A fault without a subject.
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, subject: None, message: message.into(), command: None }
    }

    /// The same, about this key or file.
    #[must_use]
    pub fn about(mut self, name: &str) -> Self {
        self.subject = Some(kebab(name)).filter(|name| is_token(name));
        self
    }

    /// The content of [`ERROR_FILE`], without the line end.
    pub fn token(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{}:{subject}", self.code.name),
            None => self.code.name.to_owned(),
        }
    }
}

/// Codes that mean the same for whoever collects again (CR-190).
#[derive(Debug)]
pub struct Family {
    /// Its codes.
    pub codes: &'static [&'static Code],
    /// What happened, as one sentence.
    pub stage: &'static str,
    /// What to do about it, as one sentence.
    pub recovery: &'static str,
}

/// Every code of a collection, by family.
pub const FAMILIES: [Family; 8] = [
    Family {
        codes: &[&codes::EXPORT_NETWORK, &codes::EXPORT_RATE_LIMIT, &codes::EXPORT_UNKNOWN, &codes::EXPORTS_MISSING],
        stage: "The forge export did not complete.",
        recovery: "Export the PR again and import it.",
    },
    Family {
        codes: &[&codes::EXPORT_AUTH, &codes::EXPORT_PERMISSION, &codes::EXPORT_TOOL_MISSING],
        stage: "The forge export was not permitted.",
        recovery: "Give the exporter access and export again.",
    },
    Family {
        codes: &[&codes::PR_METADATA_MISSING, &codes::PR_METADATA_INVALID, &codes::PR_NOT_OPEN],
        stage: "The PR metadata cannot be reviewed.",
        recovery: "Export complete metadata of an open PR.",
    },
    Family {
        codes: &[&codes::PR_IDENTITY_MISMATCH, &codes::REMOTE_NOT_FOUND, &codes::REMOTE_MISMATCH],
        stage: "The PR does not match this repository.",
        recovery: "Select the matching remote and import again.",
    },
    Family {
        codes: &[&codes::TARGET_NOT_FETCHED, &codes::TARGET_DIVERGED],
        stage: "The target branch is not verified.",
        recovery: "Fetch the target branch and import again.",
    },
    Family {
        codes: &[&codes::HEAD_NOT_FETCHED, &codes::HEAD_MISMATCH],
        stage: "The PR head is not verified.",
        recovery: "Fetch the exact PR head and import again.",
    },
    Family {
        codes: &[&codes::WORKTREE_OBSTRUCTED, &codes::WORKTREE_UNMERGED],
        stage: "The isolated review worktree is obstructed.",
        recovery: "Clear the named obstruction and import again.",
    },
    Family {
        codes: &[&codes::DIFF_UNAVAILABLE],
        stage: "The local diff could not be derived.",
        recovery: "Repair the local repository and import again.",
    },
];

/// The family of a token of [`ERROR_FILE`]; `None` when it is no token of a collection.
pub fn family(token: &str) -> Option<&'static Family> {
    let mut parts = token.split(':');
    let (name, subject) = (parts.next()?, parts.next());
    let whole = parts.next().is_none() && subject.is_none_or(is_token);
    FAMILIES.iter().find(|family| whole && family.codes.iter().any(|code| code.name == name))
}

/// What an exporter may say of its own failure; everything else it calls `export-unknown`.
pub(super) fn exporter_code(name: &str) -> Option<&'static Code> {
    let [network, permission, ..] = &FAMILIES;
    network.codes.iter().chain(permission.codes).copied().find(|code| code.name == name && code.name != codes::EXPORTS_MISSING.name)
}

/// `headRefOid`, `review-threads.json` and `author.login` as tokens.
fn kebab(name: &str) -> String {
    let name = name.strip_suffix(".json").unwrap_or(name);
    let mut token = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            token.push('-');
        }
        token.push(if matches!(character, '.' | '_' | '/') { '-' } else { character.to_ascii_lowercase() });
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_says_where_in_lower_case_words() {
        let token = |name: &str| CollectionFault::new(&codes::PR_METADATA_INVALID, "x").about(name).token();
        assert_eq!(token("body"), "pr-metadata-invalid:body");
        assert_eq!(token("headRefOid"), "pr-metadata-invalid:head-ref-oid");
        assert_eq!(token("review-threads.json"), "pr-metadata-invalid:review-threads");
        assert_eq!(token("unavailable_evidence"), "pr-metadata-invalid:unavailable-evidence");
        for none in ["", "é", "a b", "ghp_0123456789abcdefghij"] {
            assert_eq!(token(none), "pr-metadata-invalid", "{none}");
        }
    }

    #[test]
    fn every_code_of_a_collection_is_in_one_family() {
        let names: Vec<&str> = FAMILIES.iter().flat_map(|family| family.codes).map(|code| code.name).collect();
        let distinct: std::collections::BTreeSet<&&str> = names.iter().collect();
        assert_eq!((names.len(), distinct.len()), (20, 20));
        assert_eq!(family("pr-metadata-invalid:body").map(|family| family.stage), Some("The PR metadata cannot be reviewed."));
        for wrong in ["", "body", "head-mismatch:a:b", "head-mismatch:A", "usage-error"] {
            assert!(family(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn an_exporter_speaks_of_its_own_failures_only() {
        assert_eq!(exporter_code("export-auth"), Some(&codes::EXPORT_AUTH));
        for foreign in ["exports-missing", "head-mismatch", "anything"] {
            assert_eq!(exporter_code(foreign), None);
        }
    }
}
