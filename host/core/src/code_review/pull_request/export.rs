//! What an exporter took from the forge: the files of `--exports` (CR-36, CR-37).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    canonical::{nullable, present},
    code_review::events::Moment,
    text::control_free,
};

/// What the exporter says about itself.
pub const EXPORT_FILE: &str = "export.json";
/// The pull request.
pub const PR_FILE: &str = "pr.json";
/// Its comments.
pub const COMMENTS_FILE: &str = "comments.json";
/// Its reviews.
pub const REVIEWS_FILE: &str = "reviews.json";
/// Its review threads.
pub const THREADS_FILE: &str = "review-threads.json";
/// Why there is nothing else.
pub const COLLECTOR_ERROR_FILE: &str = "collector-error.json";
/// The state of a pull request that can be reviewed.
pub const OPEN: &str = "OPEN";

/// `export.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// 1.
    pub schema_version: u32,
    /// What exported.
    pub tool: String,
    /// RFC 3339.
    pub exported_at: String,
    /// How the forge was asked.
    pub transport: Transport,
    /// What the fallback could not get, sorted; empty for the forge's own interface (CR-44).
    pub unavailable_evidence: Vec<String>,
    /// Whether the review threads could be read.
    pub review_threads_status: ThreadsStatus,
    /// Why not; null when they could.
    #[serde(deserialize_with = "nullable")]
    pub review_threads_error: Option<String>,
}

/// How the forge was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Through its own interface.
    Api,
    /// Through public pages; less is known.
    PublicHttpsFallback,
}

/// Whether the review threads could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadsStatus {
    /// All of them were.
    Complete,
    /// None was (CR-43).
    Unavailable,
}

impl Export {
    /// Every way in which it contradicts itself, beside what [`super::online::transport_faults`] finds; empty when it does not (CR-43).
    pub fn faults(&self) -> Vec<&'static str> {
        let named = self.review_threads_error.as_deref().is_some_and(|error| !error.trim().is_empty() && control_free(error, false));
        let fits = match self.review_threads_status {
            ThreadsStatus::Complete => self.review_threads_error.is_none(),
            ThreadsStatus::Unavailable => named,
        };
        let rules = [
            (self.schema_version == 1, "the version is not 1"),
            (!self.tool.trim().is_empty(), "the tool has no name"),
            (Moment::parse(&self.exported_at).is_some(), "the moment of the export is none like 2026-01-31T12:00:00Z"),
            (fits, "an error of reading the threads, in one line, is there exactly when they could not be read"),
        ];
        rules.into_iter().filter(|(holds, _)| !holds).map(|(_, message)| message).collect()
    }
}

/// `collector-error.json`, and `command-failure.json` of a run (CR-46): nothing but safe words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CollectorError {
    /// 1.
    pub schema_version: u32,
    /// A code of CR-190.
    pub code: String,
    /// Which command failed; never the command itself.
    pub command_id: String,
    /// Its exit status; null when a signal ended it or it did not start.
    #[serde(deserialize_with = "nullable")]
    pub exit: Option<i32>,
    /// What it was to do.
    pub stage: String,
}

impl CollectorError {
    /// Every word is an identifier: a secret or a path does not fit in (CR-190).
    pub fn is_safe(&self) -> bool {
        self.schema_version == 1 && [&self.code, &self.command_id, &self.stage].into_iter().all(|word| is_token(word))
    }
}

/// `[a-z][a-z0-9-]*`, at most 64 characters, and at most 16 between two hyphens: keys and digests are longer.
pub fn is_token(word: &str) -> bool {
    word.len() <= 64
        && word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && word.split('-').all(|part| part.len() <= 16)
}

/// `pr.json` (CR-37).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Metadata {
    /// From 1.
    pub number: u64,
    /// Its address.
    pub url: String,
    /// As it was written.
    pub title: String,
    /// The description; may be empty.
    pub body: String,
    /// `OPEN` for a review.
    pub state: String,
    /// Who opened it; null for an account that is gone.
    #[serde(deserialize_with = "nullable")]
    pub author: Option<Author>,
    /// The branch that it is to be merged into.
    pub base_ref_name: String,
    /// Full id of that branch when it was exported.
    pub base_ref_oid: String,
    /// The branch that it comes from.
    pub head_ref_name: String,
    /// Full id of its head.
    pub head_ref_oid: String,
    /// It comes from a fork.
    pub is_cross_repository: bool,
    /// The checks of its head (CR-126).
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub status_check_rollup: Option<Value>,
}

/// An account; forges tell more than its login.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = true))]
pub struct Author {
    /// Not blank.
    pub login: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::read_strict;

    const PR: &str = r#"{"number": 7, "url": "https://forge.example/acme/tool/pull/7", "title": "Retry", "body": "", "state": "OPEN",
        "author": {"login": "mira", "is_bot": false}, "baseRefName": "main", "baseRefOid": "a", "headRefName": "retry", "headRefOid": "b",
        "isCrossRepository": false}"#;

    fn read(text: &str) -> Result<Metadata, String> {
        read_strict(text.as_bytes(), "x", "y").map_err(|fault| fault.message)
    }

    #[test]
    fn metadata_is_closed_but_for_the_author() {
        assert_eq!(read(PR).map(|metadata| metadata.number), Ok(7));
        assert!(read(&PR.replace("\"number\": 7", "\"number\": 7.0")).is_err());
        assert!(read(&PR.replace("\"title\"", "\"labels\": [], \"title\"")).is_err());
        assert!(read(&PR.replace("\"body\": \"\"", "\"body\": null")).is_err());
        assert_eq!(read(&PR.replace(r#"{"login": "mira", "is_bot": false}"#, "null")).map(|it| it.author), Ok(None));
    }

    #[test]
    fn an_export_gives_an_error_for_what_it_lacks() {
        let faults = |version: u32, status, error: Option<&str>| {
            let export = Export {
                schema_version: version,
                tool: "gh 2.60".to_owned(),
                exported_at: "2026-01-02T03:04:05Z".to_owned(),
                transport: Transport::Api,
                unavailable_evidence: Vec::new(),
                review_threads_status: status,
                review_threads_error: error.map(str::to_owned),
            };
            export.faults().len()
        };
        assert_eq!(faults(1, ThreadsStatus::Complete, None), 0);
        assert_eq!(faults(1, ThreadsStatus::Unavailable, Some("rate limit")), 0);
        assert_eq!(faults(2, ThreadsStatus::Complete, Some("rate limit")), 2);
        assert_eq!(faults(1, ThreadsStatus::Unavailable, Some(" ")), 1);
        assert_eq!(faults(1, ThreadsStatus::Unavailable, Some("rate\nlimit")), 1);
    }

    #[test]
    fn a_failure_holds_words_only() {
        let failure = |stage: &str| CollectorError {
            schema_version: 1,
            code: "export-auth".into(),
            command_id: "gh-pr-view".into(),
            exit: Some(4),
            stage: stage.into(),
        };
        assert!(failure("metadata").is_safe());
        for leak in ["token=abc", "/home/mira/x", "Bad credentials", "", "a\nb", "a3f0c2d4e5f6a7b8c9d0", "ghp_abc"] {
            assert!(!failure(leak).is_safe(), "{leak}");
        }
    }
}
