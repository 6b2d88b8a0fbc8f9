//! The step `confidence`: the score, its gaps and deductions add up (CR-44, CR-110 to CR-114).

use std::collections::BTreeSet;

use crate::{
    code_review::{
        codes,
        codes::Code,
        confidence::{Band, Closure, ClosureStatus, Confidence, FALLBACK_CAP, canonical_gaps, deduction, hundredths, score},
        context::Context,
        reading::Reading,
        violation::{Sink, Violation},
        vocabulary::Status,
    },
    strict::{Json, Node, quoted},
};

const RECOVERY_KEYS: [&str; 6] = ["initial_confidence", "final_confidence", "status", "evidence", "recovery_actions", "remaining_limits"];

/// Reads the confidence and holds it against itself and the facts.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(stated) = read(context, sink) else { return };
    let file = context.result_file.unwrap_or_default();
    let mut judge = Judge { file, stated: &stated, sink };
    judge.gaps();
    judge.sum();
    judge.band(context);
    judge.canonical(context);
    context.confidence = Some(stated);
}

fn read(context: &Context<'_>, sink: &mut Sink) -> Option<Confidence> {
    let file = context.result_file.unwrap_or_default();
    let (result, metadata) = (context.result.as_ref()?, context.metadata()?);
    let mut reading = Reading::new(file, sink);
    let stated = result.get("confidence").and_then(|node| number(&mut reading, node));
    let recovery = metadata.get("confidence_recovery")?;
    let code = &codes::CONFIDENCE_RECOVERY_INVALID;
    let record = reading.exact(code, recovery, &RECOVERY_KEYS)?;
    let initial = record.get("initial_confidence").and_then(|node| number(&mut reading, node));
    let last = record.get("final_confidence").and_then(|node| number(&mut reading, node));
    let band = reading.word(code, record.get("status"), Band::WORDS);
    let evidence = filled(&mut reading, code, record.get("evidence"));
    let recovery_actions = filled(&mut reading, code, record.get("recovery_actions"));
    let remaining_limits = reading.texts(code, record.get("remaining_limits"));
    let gaps = reading.texts(&codes::CONFIDENCE_CLOSURE_INVALID, metadata.get("confidence_gaps"));
    let closures = closures(&mut reading, metadata.get("confidence_gap_closures"));
    let (hundredths, last) = (stated?, last?);
    if hundredths != last {
        let message = format!("the result says {} and the recovery ends at {}", score(hundredths), score(last));
        reading.refuse(&codes::CONFIDENCE_FINAL_MISMATCH, &recovery.at, None, message, "write the recomputed score in both places");
    }
    Some(Confidence { hundredths, initial: initial?, gaps, closures, band: band?, evidence, recovery_actions, remaining_limits })
}

fn number(reading: &mut Reading<'_>, node: &Node) -> Option<u8> {
    let read = match &node.json {
        Json::Number(text) => hundredths(text),
        _ => None,
    };
    if read.is_none() {
        let message = "confidence is a number from 0 to 1 with at most two decimals";
        reading.refuse(&codes::CONFIDENCE_PRECISION_INVALID, &node.at, None, message, "write it like 0.86");
    }
    read
}

/// A list that must say something.
fn filled(reading: &mut Reading<'_>, code: &Code, node: Option<&Node>) -> Vec<String> {
    let texts = reading.texts(code, node);
    if let Some(node) = node
        && matches!(&node.json, Json::Array(elements) if elements.is_empty())
    {
        reading.refuse(code, &node.at, None, "this list is empty", "say what was done, or that nothing could be done and why");
    }
    texts
}

fn closures(reading: &mut Reading<'_>, node: Option<&Node>) -> Vec<Closure> {
    let code = &codes::CONFIDENCE_CLOSURE_INVALID;
    reading.elements(code, node).iter().filter_map(|element| closure(reading, code, element)).collect()
}

fn closure(reading: &mut Reading<'_>, code: &Code, node: &Node) -> Option<Closure> {
    let status = reading.word(code, node.get("status"), ClosureStatus::WORDS);
    let key = if status == Some(ClosureStatus::Closed) { "evidence" } else { "rationale" };
    let record = reading.exact(code, node, &["gap", "status", key])?;
    let gap = reading.text(code, record.get("gap"));
    let text = reading.text(code, record.get(key));
    Some(Closure { gap: gap?, status: status?, text: text? })
}

struct Judge<'j> {
    file: &'j str,
    stated: &'j Confidence,
    sink: &'j mut Sink,
}

impl Judge<'_> {
    fn refuse(&mut self, code: &Code, pointer: &str, subject: Option<&str>, message: String, hint: &str) {
        let mut violation = Violation::new(code, message, hint).at(self.file, pointer);
        violation.subject = subject.map(str::to_owned);
        self.sink.push(violation);
    }

    /// Below certainty there is a gap; gaps are unique and have one closure each (CR-112).
    fn gaps(&mut self) {
        let stated = self.stated;
        if stated.gaps.is_empty() && stated.hundredths < 100 {
            let message = format!("a confidence of {} has no gap", score(stated.hundredths));
            self.refuse(&codes::CONFIDENCE_GAPS_REQUIRED, "/metadata/confidence_gaps", None, message, "declare what is not certain");
        }
        let mut seen = BTreeSet::new();
        for (index, gap) in stated.gaps.iter().enumerate() {
            let pointer = format!("/metadata/confidence_gaps/{index}");
            if !seen.insert(gap) {
                let message = format!("the gap {} is there already", quoted(gap));
                self.refuse(&codes::CONFIDENCE_GAP_DUPLICATE, &pointer, None, message, "declare it once");
            } else if !stated.closures.iter().any(|closure| closure.gap == *gap) {
                let message = format!("the gap {} has no closure", quoted(gap));
                self.refuse(&codes::CONFIDENCE_CLOSURE_MISSING, &pointer, None, message, "say what became of it, in the gap's exact words");
            }
        }
        let mut closed = BTreeSet::new();
        for (index, closure) in stated.closures.iter().enumerate() {
            if !stated.gaps.contains(&closure.gap) || !closed.insert(&closure.gap) {
                let message = format!("this closure is of no gap that is open: {}", quoted(&closure.gap));
                let pointer = format!("/metadata/confidence_gap_closures/{index}/gap");
                self.refuse(&codes::CONFIDENCE_CLOSURE_UNDECLARED, &pointer, None, message, "keep one closure for each declared gap");
            }
        }
    }

    /// Every deduction is named, and together they are what is missing (CR-113).
    fn sum(&mut self) {
        let stated = self.stated;
        let mut total = Some(0_u32);
        for (index, closure) in stated.closures.iter().enumerate() {
            let key = if closure.status == ClosureStatus::Closed { "evidence" } else { "rationale" };
            let pointer = format!("/metadata/confidence_gap_closures/{index}/{key}");
            let amount = self.deducted(&closure.text, &pointer);
            if closure.status == ClosureStatus::Closed && amount.is_some_and(|amount| amount != 0) {
                let message = "a closed gap deducts nothing".to_owned();
                self.refuse(&codes::CONFIDENCE_CLOSURE_INVALID, &pointer, None, message, "begin it with (-0.00), or leave the gap open");
            }
            total = total.zip(amount).map(|(total, amount)| total + u32::from(amount));
        }
        for (index, limit) in stated.remaining_limits.iter().enumerate() {
            let amount = self.deducted(limit, &format!("/metadata/confidence_recovery/remaining_limits/{index}"));
            total = total.zip(amount).map(|(total, amount)| total + u32::from(amount));
        }
        let missing = 100 - u32::from(stated.hundredths);
        if let Some(total) = total.filter(|total| *total != missing) {
            let message = format!("the deductions add up to {} hundredths, and {missing} are missing from 1.00", total);
            self.refuse(&codes::CONFIDENCE_DEDUCTION_SUM_MISMATCH, "/confidence", None, message, "give each gap and limit its exact share");
        }
    }

    fn deducted(&mut self, text: &str, pointer: &str) -> Option<u8> {
        let amount = deduction(text);
        if amount.is_none() {
            let message = format!("{} does not begin with its deduction", quoted(text));
            self.refuse(&codes::CONFIDENCE_DEDUCTION_MISSING, pointer, None, message, "begin it like (-0.04)");
        }
        amount
    }

    /// The band follows from the score; low bands fail a check (CR-111), and the fallback has a cap (CR-44).
    fn band(&mut self, context: &Context<'_>) {
        let stated = self.stated;
        let band = Band::of(stated.hundredths);
        if stated.band != band {
            let message = format!("{} is in the band `{}`, not `{}`", score(stated.hundredths), band.as_str(), stated.band.as_str());
            let hint = format!("write `{}`", band.as_str());
            self.refuse(&codes::CONFIDENCE_BAND_MISMATCH, "/metadata/confidence_recovery/status", None, message, &hint);
        }
        if let Some(check) = band.failed_check() {
            let failed = context.result.as_ref().and_then(|result| result.get("checks_failed")).map(Node::elements).unwrap_or_default();
            if !failed.iter().any(|element| element.text() == Some(check)) {
                let message = format!("a confidence of {} fails the check `{check}`", score(stated.hundredths));
                self.refuse(&codes::CONFIDENCE_BAND_CHECK_MISSING, "/checks_failed", Some(check), message, "add it to `checks_failed`");
            }
            if context.status == Some(Status::Pass) {
                let message = format!("a result with a confidence of {} does not pass", score(stated.hundredths));
                self.refuse(&codes::RESULT_STATUS_CONFLICT, "/status", None, message, "write `fail`");
            }
        }
        if stated.hundredths < 90 && stated.remaining_limits.is_empty() {
            let message = format!("a confidence of {} names no remaining limit", score(stated.hundredths));
            let pointer = "/metadata/confidence_recovery/remaining_limits";
            self.refuse(&codes::CONFIDENCE_LIMITS_MISSING, pointer, None, message, "say what stays uncertain");
        }
        let falls_back = context.pr.as_ref().is_some_and(|pull_request| pull_request.fallback.is_some());
        if falls_back && stated.hundredths > FALLBACK_CAP {
            let message = format!("{} is more than {} allows", score(stated.hundredths), "the public fallback transport");
            let code = &codes::PR_PUBLIC_FALLBACK_CONFIDENCE_CAP_EXCEEDED;
            self.refuse(code, "/confidence", None, message, "claim 0.89 at most");
        }
    }

    /// Gaps that the facts demand are declared word by word, and never closed (CR-114, CR-226).
    fn canonical(&mut self, context: &Context<'_>) {
        for gap in canonical_gaps(context.pr.as_ref(), context.manifest.as_ref(), context.gates.as_ref()) {
            if !self.stated.gaps.contains(&gap) {
                let message = format!("the facts of this run demand the gap {}", quoted(&gap));
                let code = &codes::CANONICAL_CONFIDENCE_GAP_MISSING;
                self.refuse(code, "/metadata/confidence_gaps", None, message, &format!("declare it in these words: {gap}"));
            }
            let closed = |closure: &Closure| closure.gap == gap && closure.status == ClosureStatus::Closed;
            if let Some(index) = self.stated.closures.iter().position(closed) {
                let message = format!("the gap {} cannot be closed in this run", quoted(&gap));
                let pointer = format!("/metadata/confidence_gap_closures/{index}/status");
                let code = &codes::CANONICAL_CONFIDENCE_GAP_CLOSED;
                self.refuse(code, &pointer, None, message, "leave it `unresolved` or `deferred`, with its deduction");
            }
        }
    }
}

#[cfg(test)]
mod tests;
