//! What is left to do about open claims (CR-156).

use super::Judge;
use crate::{
    code_review::{candidate::Candidate, codes, handoff::Remaining},
    strict::{list, quoted},
};

impl Judge<'_, '_> {
    pub(super) fn remaining(&mut self) {
        for candidate in self.context.candidates.iter().filter(|candidate| candidate.is_open()) {
            let entry = self.handoff.remaining.iter().enumerate().find(|(_, entry)| entry.row_id == candidate.id);
            match entry {
                Some((index, entry)) => self.open_claim(&format!("/remaining/{index}"), candidate, entry),
                None => {
                    let message = format!("the open claim {} is not among what remains", quoted(&candidate.id));
                    let hint = "add it: its claim, what is missing, its owner, the next check and what closes it";
                    self.refuse(&codes::REVIEW_OPEN_CANDIDATE_REMAINING_MISSING, &candidate.id, "/remaining", message, hint);
                }
            }
        }
    }

    /// The owner is the candidate's; the texts say verbatim what the candidate says.
    fn open_claim(&mut self, pointer: &str, candidate: &Candidate, entry: &Remaining) {
        let code = &codes::REVIEW_OPEN_CANDIDATE_REMAINING_MISMATCH;
        self.compare(code, &candidate.id, format!("{pointer}/owner"), &entry.owner, &candidate.owner);
        let demands = [
            ("item", &entry.item, [&candidate.claim, &candidate.missing_prerequisite]),
            ("next_action", &entry.next_action, [&candidate.next_check, &candidate.closure_condition]),
        ];
        for (key, stated, due) in demands {
            let lacks: Vec<&str> = due.into_iter().filter(|text| !stated.contains(text.as_str())).map(String::as_str).collect();
            if !lacks.is_empty() {
                let message = format!("`{key}` does not say what the claim says");
                let hint = format!("write in it {}", list(&lacks));
                self.refuse(code, &candidate.id, format!("{pointer}/{key}"), message, hint);
            }
        }
    }
}
