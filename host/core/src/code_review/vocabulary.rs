//! The closed words of the contract: scopes, tiers, severities, verdicts, roles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The protocol of every document.
pub const PROTOCOL: &str = "code-review/v1";

/// A closed set of words: how each is spelled, both ways.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$word_meta:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$word_meta])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every word with its value, in order.
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),*];

            /// The word.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The value of this word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What is reviewed (CR-28, CR-36).
    Scope {
        /// Index, working files and untracked files against HEAD.
        WorkingTree = "working-tree",
        /// The same, below the targets.
        Path = "path",
        /// A commit or a range of commits.
        Commit = "commit",
        /// A pull request.
        Pr = "pr",
    }
}

words! {
    /// How risky a change is, weakest first (CR-49).
    Tier {
        /// Fewer than 3 files and 50 changed lines.
        Trivial = "TRIVIAL",
        /// What no other tier takes.
        Local = "LOCAL",
        /// Many files, unknown sizes, configuration or dependencies.
        Broad = "BROAD",
        /// Security, migrations, workflows.
        HighRisk = "HIGH_RISK",
    }
}

words! {
    /// How severe a claim is, weakest first (CR-98).
    Severity {
        /// Editorial or cleanup.
        Low = "low",
        /// Bounded behaviour or assurance gap.
        Medium = "medium",
        /// Material failure of a supported workflow or compatibility contract.
        High = "high",
        /// Exploit, data loss or corruption, comparable regression.
        Critical = "critical",
    }
}

words! {
    /// What became of a claim (CR-76); a claim without one still has feasible work.
    Disposition {
        /// The defect stands.
        Confirmed = "confirmed",
        /// Affirmative counterevidence exists.
        Refuted = "refuted",
        /// Fixed in the reviewed state.
        AlreadyFixed = "already-fixed",
        /// A preference, not required.
        OptionalOutOfScope = "optional-out-of-scope",
        /// Nothing feasible is left to settle it.
        Unverified = "unverified",
    }
}

words! {
    /// The recommendation of a review; none is a verdict of its own (section 9).
    Verdict {
        /// No required source change.
        AcceptAsIs = "accept-as-is",
        /// Confirmed, bounded, localised corrections.
        MinorChanges = "minor-changes",
        /// Confirmed defects with material impact.
        NeedsMoreWork = "needs-more-work",
        /// Aligned, and substantially unimplemented.
        InsufficientButPromising = "insufficient-but-promising",
        /// An evidenced conflict with documented direction.
        Reject = "reject",
    }
}

words! {
    /// Whether verification is done (CR-77).
    Readiness {
        /// Everything feasible was done and nothing is open.
        Complete = "complete",
        /// A named prerequisite is unavailable.
        Blocked = "blocked",
        /// Feasible work is left.
        Incomplete = "incomplete",
    }
}

words! {
    /// The status of a result (CR-108).
    Status {
        /// Every check passed and nothing stands against it.
        Pass = "pass",
        /// Anything else.
        Fail = "fail",
        /// A gate timed out.
        Timeout = "timeout",
    }
}

words! {
    /// The part of a change that one reviewer looks at (CR-53).
    Role {
        /// Correctness of production source.
        SwEngineer = "sw-engineer",
        /// Tests and error paths.
        QaSpecialist = "qa-specialist",
        /// Attacks the conclusions of the others.
        Challenger = "challenger",
        /// Structure and boundaries.
        SolutionArchitect = "solution-architect",
        /// Security.
        SecurityAuditor = "security-auditor",
        /// Data and tensors.
        DataSteward = "data-steward",
        /// Workflows and builds.
        CicdSteward = "cicd-steward",
        /// Linters and their configuration.
        LintingExpert = "linting-expert",
        /// Documentation.
        DocScribe = "doc-scribe",
        /// Licences and community.
        OssShepherd = "oss-shepherd",
        /// Performance.
        Squeezer = "squeezer",
        /// Method and statistics.
        Scientist = "scientist",
        /// Facts that live outside the repository.
        WebExplorer = "web-explorer",
    }
}

words! {
    /// How a pass was done (CR-61).
    PassMode {
        /// A process of its own.
        Spawned = "spawned",
        /// A JSON response from a server.
        AppServer = "app-server",
        /// Bounded by instructions only.
        Inspection = "inspection",
        /// Done by the parent.
        Substituted = "substituted",
    }
}

words! {
    /// What shows that a pass happened, weakest first (CR-62).
    EvidenceLevel {
        /// The parent did it.
        Substituted = "substituted",
        /// A complete consistent chain.
        Recorded = "recorded",
        /// An adapter verified its receipts.
        Attested = "attested",
    }
}

words! {
    /// What an event says.
    EventKind {
        /// The parent sent the context.
        Dispatched = "dispatched",
        /// The reviewer's host has it.
        Delivered = "delivered",
        /// The reviewer works.
        Started = "started",
        /// The response is retained.
        Completed = "completed",
        /// The parent took the response.
        Joined = "joined",
        /// The attempt ended without a response that counts.
        Refused = "refused",
    }
}

words! {
    /// The answer of an adapter (CR-62).
    Attestation {
        /// The receipt is the host's.
        Attested = "attested",
        /// It cannot say.
        Inconclusive = "inconclusive",
        /// The receipt is not the host's: such an event is never appended.
        Rejected = "rejected",
    }
}

words! {
    /// Why there is a second attempt (CR-65).
    RetryReason {
        /// The first one was refused, and an adapter attests it.
        HostFailure = "host-failure",
        /// The first response does not parse.
        FormatCorrection = "format-correction",
    }
}

words! {
    /// Whether a response parses.
    ResponseFormat {
        /// It does.
        Valid = "valid",
        /// It does not; a second attempt may correct it.
        Invalid = "invalid",
    }
}

/// The suffix of the label of a pass that the parent did itself, in machine records only (CR-87).
pub const SUBSTITUTE_SUFFIX: &str = " (parent substitute)";

/// The label of the parent's own assessment (CR-90).
pub const MAIN_REVIEWER: &str = "Main reviewer";

impl Role {
    /// The label of assessments (CR-87): `cicd-steward` is `CICD steward`.
    pub fn label(self) -> String {
        let id = self.as_str();
        let (first, rest) = id.split_once('-').unwrap_or((id, ""));
        let first = match first {
            "qa" => "QA".to_owned(),
            "oss" => "OSS".to_owned(),
            "cicd" => "CICD".to_owned(),
            "sw" => "Software".to_owned(),
            other => other[..1].to_uppercase() + &other[1..],
        };
        if rest.is_empty() { first } else { format!("{first} {}", rest.replace('-', " ")) }
    }
}

impl Verdict {
    /// The row `Suggestion` of a verdict; `no source judgment` for none (section 9).
    pub fn suggestion(verdict: Option<Self>) -> &'static str {
        match verdict {
            Some(Self::AcceptAsIs) => "approve",
            Some(Self::MinorChanges) => "minor changes",
            Some(Self::NeedsMoreWork) => "major revision",
            Some(Self::InsufficientButPromising) => "insufficient, but a good initiative",
            Some(Self::Reject) => "block",
            None => NO_JUDGMENT,
        }
    }

    /// `accept-as-is` and `minor-changes`.
    pub fn is_approving(self) -> bool {
        matches!(self, Self::AcceptAsIs | Self::MinorChanges)
    }
}

/// How a null verdict or rating is spelled for people.
pub const NO_JUDGMENT: &str = "no source judgment";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_spelled_for_people() {
        let labels: Vec<String> = Role::WORDS.iter().map(|(_, role)| role.label()).collect();
        assert_eq!(labels[..3], ["Software engineer", "QA specialist", "Challenger"]);
        assert_eq!(labels[6..], ["CICD steward", "Linting expert", "Doc scribe", "OSS shepherd", "Squeezer", "Scientist", "Web explorer"]);
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for (word, role) in Role::WORDS {
            assert_eq!((Role::parse(word), role.as_str()), (Some(*role), *word));
        }
        assert_eq!(Verdict::parse("not-aligned"), None);
    }
}
