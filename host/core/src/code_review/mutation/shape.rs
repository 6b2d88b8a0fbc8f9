//! What differs between generated reviews, and the verdict that follows from it.

use proptest::{collection::vec, prelude::*, sample::select};

use crate::code_review::vocabulary::{Disposition, Readiness, Role, Severity, Status, Verdict};

/// What a review is made of; every value of it makes a review that holds.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// A commit is reviewed, else a working tree.
    pub(super) commit: bool,
    /// Roles that the user selects beside the software engineer.
    pub(super) selected: Vec<Role>,
    /// The parent does the last pass itself.
    pub(super) substitutes: bool,
    /// The parent rates, too.
    pub(super) main: bool,
    /// The software engineer could not decide.
    pub(super) undecided: bool,
    /// What was claimed.
    pub(super) claims: Vec<Claim>,
    /// There is an operational blocker.
    pub(super) blocker: bool,
    /// The gate that does not pass.
    pub(super) red: Red,
    /// In hundredths.
    pub(super) confidence: u8,
}

/// One claim.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) severity: Severity,
    pub(super) disposition: Option<Disposition>,
    pub(super) origins: Origins,
}

/// Who made a claim first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origins {
    /// The parent.
    None,
    /// The software engineer.
    One,
    /// The software engineer, twice in the same words.
    Same,
    /// The software engineer, in two different records that are reconciled.
    Reconciled,
}

/// What the gates give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Red {
    /// All pass.
    Nothing,
    /// `format` does not apply.
    Inapplicable,
    /// `lint` fails.
    Lint,
    /// `lint` runs into its time limit.
    Timeout,
    /// `types` has no command.
    Types,
    /// `tests` fails.
    Tests,
    /// `lint` changes the tree.
    Drift,
}

impl Red {
    /// The gate that fails or is absent.
    pub(super) fn gate(self) -> Option<&'static str> {
        match self {
            Self::Nothing | Self::Inapplicable => None,
            Self::Lint | Self::Timeout | Self::Drift => Some("lint"),
            Self::Types => Some("types"),
            Self::Tests => Some("tests"),
        }
    }

    /// It is named in the evidence of the first finding, because the finding claims it.
    pub(super) fn is_claimed(self) -> bool {
        matches!(self, Self::Lint | Self::Timeout | Self::Tests)
    }
}

impl Shape {
    /// A small review of a working tree: one pass, and one confirmed claim of it.
    pub(super) fn plain() -> Self {
        let claim = Claim { severity: Severity::Medium, disposition: Some(Disposition::Confirmed), origins: Origins::One };
        Self {
            commit: false,
            selected: Vec::new(),
            substitutes: false,
            main: false,
            undecided: false,
            claims: vec![claim],
            blocker: false,
            red: Red::Nothing,
            confidence: 93,
        }
    }

    /// One of everything: a commit, three passes with a substitute, every disposition, a red gate, a low confidence.
    pub(super) fn rich() -> Self {
        let claim = |severity, disposition, origins| Claim { severity, disposition, origins };
        Self {
            commit: true,
            selected: vec![Role::QaSpecialist, Role::Squeezer],
            substitutes: true,
            main: true,
            undecided: true,
            claims: vec![
                claim(Severity::High, Some(Disposition::Confirmed), Origins::Reconciled),
                claim(Severity::Low, Some(Disposition::Confirmed), Origins::None),
                claim(Severity::Low, Some(Disposition::AlreadyFixed), Origins::Same),
                claim(Severity::Low, Some(Disposition::OptionalOutOfScope), Origins::None),
                claim(Severity::Medium, Some(Disposition::Unverified), Origins::One),
                claim(Severity::Critical, None, Origins::None),
                claim(Severity::Medium, Some(Disposition::Refuted), Origins::One),
            ],
            blocker: true,
            red: Red::Lint,
            confidence: 84,
        }
    }

    /// A review of a working tree that finds nothing, by the parent's rating too.
    pub(super) fn clean() -> Self {
        Self { claims: Vec::new(), main: true, red: Red::Inapplicable, confidence: 100, ..Self::plain() }
    }

    /// Any.
    pub(super) fn any() -> impl Strategy<Value = Self> {
        let dispositions: Vec<Option<Disposition>> =
            Disposition::WORDS.iter().map(|(_, disposition)| Some(*disposition)).chain([None]).collect();
        let severities: Vec<Severity> = Severity::WORDS.iter().map(|(_, severity)| *severity).collect();
        let origins = vec![Origins::None, Origins::One, Origins::Same, Origins::Reconciled];
        let claim = (select(severities), select(dispositions), select(origins));
        let claim = claim.prop_map(|(severity, disposition, origins)| Claim { severity, disposition, origins });
        let reds = vec![Red::Nothing, Red::Inapplicable, Red::Lint, Red::Timeout, Red::Types, Red::Tests, Red::Drift];
        let selected = prop::sample::subsequence(vec![Role::QaSpecialist, Role::SecurityAuditor, Role::Squeezer], 0..=2);
        let switches = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
        (switches, selected, vec(claim, 0..5), select(reds), 70_u8..=100).prop_map(
            |((commit, substitutes, main, undecided, blocker), selected, claims, red, confidence)| {
                Self { commit, selected, substitutes, main, undecided, claims, blocker, red, confidence }.possible()
            },
        )
    }

    /// What is left for later, and red tests, need findings that carry a verdict.
    fn possible(mut self) -> Self {
        if self.verdict().is_none_or(Verdict::is_approving) {
            for claim in self.claims.iter_mut().filter(|claim| claim.disposition.is_none()) {
                claim.disposition = Some(Disposition::Unverified);
            }
            self.red = if self.red == Red::Tests { Red::Lint } else { self.red };
        }
        self
    }

    fn severities(&self, disposition: Disposition) -> impl Iterator<Item = Severity> {
        self.claims.iter().filter(move |claim| claim.disposition == Some(disposition)).map(|claim| claim.severity)
    }

    pub(super) fn count(&self, severity: Severity) -> usize {
        self.severities(Disposition::Confirmed).filter(|found| *found == severity).count()
    }

    pub(super) fn verdict(&self) -> Option<Verdict> {
        match self.severities(Disposition::Confirmed).max() {
            Some(Severity::High | Severity::Critical) => Some(Verdict::NeedsMoreWork),
            Some(_) => Some(Verdict::MinorChanges),
            None if self.undecided => None,
            None => Some(Verdict::AcceptAsIs),
        }
    }

    pub(super) fn readiness(&self) -> Readiness {
        let approving = self.verdict().is_some_and(Verdict::is_approving);
        let unclaimed = self.red.gate().is_some() && self.verdict() != Some(Verdict::MinorChanges);
        if self.claims.iter().any(|claim| claim.disposition.is_none()) {
            Readiness::Incomplete
        } else if self.undecided
            || self.severities(Disposition::Unverified).next().is_some()
            || approving && (self.confidence < 85 || unclaimed)
        {
            Readiness::Blocked
        } else {
            Readiness::Complete
        }
    }

    pub(super) fn status(&self) -> Status {
        let green = self.red.gate().is_none() && self.count(Severity::Critical) == 0 && self.confidence >= 85;
        match self.red {
            Red::Timeout => Status::Timeout,
            _ if green && self.readiness() == Readiness::Complete => Status::Pass,
            _ => Status::Fail,
        }
    }
}
