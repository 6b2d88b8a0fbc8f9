//! The first sentences: what the verdict means, and how far it reaches.

use super::{Assessed, Ending, Handoff};

impl Handoff<'_> {
    /// Verdict and qualification, on one line.
    pub fn opening(&self) -> String {
        match &self.ending {
            Ending::Assessed(assessed) => self.assessed(assessed),
            Ending::Unavailable { explanation, .. } => (*explanation).to_owned(),
            Ending::Closed(closed) => ["Closing without detailed review is advised: ", closed.summary].concat(),
        }
    }

    fn assessed(&self, assessed: &Assessed<'_>) -> String {
        let mut opening = assessed.verdict.meaning().to_owned();
        opening += &self.reach(assessed);
        if assessed.verdict.approves() && self.status != "pass" {
            opening += " This is not merge approval.";
        }
        opening
    }

    /// Why the verdict says less than it seems to.
    fn reach(&self, assessed: &Assessed<'_>) -> String {
        let readiness = assessed.snapshot.readiness;
        let is_open = self.confidence.gaps.iter().any(|gap| gap.status != "closed");
        match (readiness == "complete", assessed.actions.as_ref().is_some_and(|actions| !actions.is_empty())) {
            (false, false) => format!(" No source changes identified; verification {readiness}."),
            (false, true) => format!(" Verification is {readiness}; only the inspected source is judged."),
            (true, false) if is_open => " No source changes identified; verification limited.".to_owned(),
            _ => String::new(),
        }
    }
}
