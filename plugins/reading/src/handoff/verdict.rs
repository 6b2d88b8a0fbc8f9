//! The recommendation of a review.

/// What a review recommends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing has to change.
    AcceptAsIs,
    /// Small corrections.
    MinorChanges,
    /// Defects.
    NeedsMoreWork,
    /// Parts are missing.
    Insufficient,
    /// It conflicts with a requirement.
    Reject,
    /// The source could not be judged.
    NoJudgment,
}

impl Verdict {
    /// The verdict of a word of the record.
    pub(super) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "accept-as-is" => Self::AcceptAsIs,
            "minor-changes" => Self::MinorChanges,
            "needs-more-work" => Self::NeedsMoreWork,
            "insufficient-but-promising" => Self::Insufficient,
            "reject" => Self::Reject,
            "no source judgment" => Self::NoJudgment,
            _ => return None,
        })
    }

    /// As a title.
    pub fn title(self) -> &'static str {
        match self {
            Self::AcceptAsIs => "Accept as it is",
            Self::MinorChanges => "Minor changes",
            Self::NeedsMoreWork => "Needs more work",
            Self::Insufficient => "Insufficient, but promising",
            Self::Reject => "Reject",
            Self::NoJudgment => "No judgment of the source",
        }
    }

    /// In one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::AcceptAsIs => "No source changes are needed before this change can be accepted.",
            Self::MinorChanges => "Small, well-bounded corrections are needed before this change can be accepted.",
            Self::NeedsMoreWork => "The change is worth continuing, but material defects must be repaired first.",
            Self::Insufficient => "The change is a promising start that fits the project, but substantial parts are still missing.",
            Self::Reject => "The change conflicts with a documented project requirement and cannot be accepted in this scope.",
            Self::NoJudgment => "The completed inspection could not reach a source judgment on this change.",
        }
    }

    /// The change may be accepted, now or after small corrections.
    pub fn approves(self) -> bool {
        matches!(self, Self::AcceptAsIs | Self::MinorChanges)
    }
}
