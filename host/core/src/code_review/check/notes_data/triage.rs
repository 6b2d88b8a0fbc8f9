//! The section `Online Review Triage` (CR-121).

use std::collections::BTreeSet;

use super::Judge;
use crate::{
    code_review::{
        candidate::Candidate,
        codes,
        confidence::{THREADS_GAP, fallback_gap},
        notes::text::{normal, prose},
        outline::{Row, Section},
        pull_request::PullRequest,
        triage::{COLUMNS, Disposition, NO_ITEMS, TRIAGE, answers, disposition},
    },
    strict::quoted,
};

impl Judge<'_, '_> {
    pub(super) fn triage(&mut self) {
        let (Some(section), Some(pull_request)) = (self.section(TRIAGE), &self.context.pr) else { return };
        let answered = self.rows(section, pull_request);
        self.coverage(section, pull_request, &answered);
        self.limits(section, pull_request);
    }

    /// Judges the rows, and gives the items that have one.
    fn rows<'s>(&mut self, section: &'s Section, pull_request: &PullRequest) -> BTreeSet<&'s str> {
        let mut answered = BTreeSet::new();
        for table in section.tables() {
            if table.header != COLUMNS {
                let hint = format!("write `| {} |`", COLUMNS.join(" | "));
                let message = "the table has other columns";
                self.refuse(&codes::ONLINE_TRIAGE_DISPOSITION_INVALID, table.line, TRIAGE, message, hint);
            }
            for row in &table.rows {
                let item = row.cells.first().map(String::as_str).unwrap_or_default();
                let fault = if !pull_request.item_ids.iter().any(|id| id == item) {
                    Some(format!("{} is no item of this pull request", quoted(item)))
                } else if answered.insert(item) {
                    self.row_fault(row)
                } else {
                    Some(format!("{} has another row", quoted(item)))
                };
                if let Some(message) = fault {
                    let hint = "give each item one row with a disposition and its evidence";
                    self.refuse(&codes::ONLINE_TRIAGE_DISPOSITION_INVALID, row.line, item, message, hint);
                }
            }
        }
        answered
    }

    fn row_fault(&self, row: &Row) -> Option<String> {
        let cell = |index: usize| row.cells.get(index).map(String::as_str).unwrap_or_default();
        let fault = match disposition(cell(1)) {
            None => Some(format!("{} is no disposition", quoted(cell(1)))),
            Some(Disposition::Confirmed(id)) if self.context.findings.iter().all(|finding| finding.id != id) => {
                Some(format!("{} is no finding of this review", quoted(id)))
            }
            Some(Disposition::Open(id)) if !self.context.candidates.iter().any(|it| it.id == id && Candidate::is_open(it)) => {
                Some(format!("{} is no open candidate of this review", quoted(id)))
            }
            Some(_) => None,
        };
        fault.or_else(|| cell(2).is_empty().then(|| "the cell `Evidence` is empty".to_owned()))
    }

    fn coverage(&mut self, section: &Section, pull_request: &PullRequest, answered: &BTreeSet<&str>) {
        for id in pull_request.item_ids.iter().filter(|id| !answered.contains(id.as_str())) {
            let is_thread = pull_request.unresolved_threads.iter().any(|thread| answers(id, thread));
            let kind = if is_thread { "the unresolved thread" } else { "the item" };
            let message = format!("{kind} {} has no row", quoted(id));
            self.refuse(&codes::ONLINE_TRIAGE_ITEM_MISSING, section.line, id, message, "say what became of it");
        }
        let unanswered =
            |thread: &&String| !pull_request.item_ids.iter().any(|id| answers(id, thread)) && !answered.contains(thread.as_str());
        for thread in pull_request.unresolved_threads.iter().filter(unanswered) {
            let message = format!("the unresolved thread {} has no row", quoted(thread));
            self.refuse(&codes::ONLINE_TRIAGE_ITEM_MISSING, section.line, thread, message, "say what became of it");
        }
        if pull_request.item_ids.is_empty() != prose(section).contains(NO_ITEMS) {
            let (message, hint) = if pull_request.item_ids.is_empty() {
                ("there is no item, and the section does not say so", format!("write `{NO_ITEMS}`"))
            } else {
                ("the section denies the items of the pull request", format!("remove `{NO_ITEMS}`"))
            };
            self.refuse(&codes::ONLINE_TRIAGE_ITEM_MISSING, section.line, TRIAGE, message, hint);
        }
    }

    /// What could not be read is told: the gaps, and the ids that the fallback omitted (CR-43, CR-44).
    fn limits(&mut self, section: &Section, pull_request: &PullRequest) {
        let text = prose(section);
        let fallback = pull_request.fallback.as_deref();
        let gap = fallback.map(fallback_gap);
        let threads = pull_request.threads_unavailable.then(|| THREADS_GAP.to_owned());
        for gap in gap.iter().chain(&threads).filter(|gap| !text.contains(&normal(gap))) {
            let message = "the section does not tell what could not be read";
            self.refuse(&codes::ONLINE_TRIAGE_FALLBACK_MISSING, section.line, TRIAGE, message, format!("write `{gap}`"));
        }
        let (Some(ids), Some(gap)) = (fallback, gap) else { return };
        let rest = text.replace(&normal(&gap), "");
        if !in_order(&rest, ids) {
            let message = "beside the gap, the section does not list in order what is unavailable";
            let hint = format!("list {}", ids.join(", "));
            self.refuse(&codes::ONLINE_TRIAGE_FALLBACK_MISSING, section.line, TRIAGE, message, hint);
        }
    }
}

/// The ids are found one after the other.
fn in_order(text: &str, ids: &[String]) -> bool {
    let mut rest = text;
    ids.iter().all(|id| {
        let Some(start) = rest.find(id.as_str()) else { return false };
        rest = &rest[start + id.len()..];
        true
    })
}
