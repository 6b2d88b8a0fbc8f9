//! Holds a well-formed result against the packet and its proofs (BR-49 to BR-53, BR-62).

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    diagnostic::Diagnostic,
    packet::Packet,
    review::{Behavior, Classification, FinalStateFinding, ReviewResult},
    text::escape_line,
};

/// What a result comes to. Every list is in the result's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assessment {
    /// It answers another packet (BR-52).
    pub stale: Vec<Diagnostic>,
    /// It breaks a rule of structure or citation (BR-49, BR-51).
    pub invalid: Vec<Diagnostic>,
    /// It says no (BR-53).
    pub blocking: Vec<Diagnostic>,
    /// Its proofs do not hold (BR-50, BR-62).
    pub proofs: Vec<Diagnostic>,
}

impl Assessment {
    /// Current, well-formed and well-cited: its content counts.
    pub fn is_usable(&self) -> bool {
        self.stale.is_empty() && self.invalid.is_empty()
    }

    /// Nothing speaks against accepting it.
    pub fn is_accepted(&self) -> bool {
        self.is_usable() && self.blocking.is_empty() && self.proofs.is_empty()
    }

    /// Every violation in the order of `finalize` (BR-54).
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        [self.stale, self.invalid, self.blocking, self.proofs].concat()
    }
}

/// What is known of cited proofs: the suite of a valid one, or why it is not valid.
pub type ProofStandings = BTreeMap<String, Result<String, Vec<Diagnostic>>>;

/// Suites that a feature declares: at the base, when it is defined there (BR-50).
pub type DeclaredSuites = BTreeMap<String, BTreeSet<String>>;

/// Assesses the result. `proofs` has an element for every cited id that has a record.
pub fn assess(result: &ReviewResult, packet: &Packet, declared: &DeclaredSuites, proofs: &ProofStandings) -> Assessment {
    Assessment {
        stale: identity(result, packet),
        invalid: [scopes(result, packet), coverage(result, packet), citations(result, packet)].concat(),
        blocking: blocking(result),
        proofs: cited_proofs(result, declared, proofs),
    }
}

fn refuse(code: &str, pointer: String, message: impl Into<String>, next: &str) -> Diagnostic {
    Diagnostic::new(format!("result.{code}"), message, next).at_pointer(pointer)
}

const ASK_REVIEWER: &str = "have the reviewer's harness return a result that fits the packet";
const TO_CALLER: &str = "report the findings to the caller; another review needs its authorization";

fn identity(result: &ReviewResult, packet: &Packet) -> Vec<Diagnostic> {
    let fields = [
        ("review_id", &result.review_id, &packet.review_id),
        ("base", &result.base, &packet.base),
        ("candidate", &result.candidate, &packet.candidate),
        ("intent_sha256", &result.intent_sha256, &packet.intent_sha256),
        ("selection_sha256", &result.selection_sha256, &packet.selection_sha256),
        ("decision_sha256", &result.decision_sha256, &packet.decision_sha256),
    ];
    let differing = fields.into_iter().filter(|(_, have, want)| have != want);
    differing
        .map(|(name, have, want)| {
            let message = format!("the result is stale: its `{name}` is {}, the packet's is {want}", escape_line(have));
            refuse("stale", format!("/{name}"), message, "give the reviewer the current packet.json and save its answer")
        })
        .collect()
}

fn scopes(result: &ReviewResult, packet: &Packet) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for (index, behavior) in result.behaviors.iter().enumerate() {
        let pointer = format!("/behaviors/{index}/scope");
        let scope = &behavior.scope;
        match (scope.full_candidate, scope.features.is_empty()) {
            (true, false) => {
                faults.push(refuse("scope", pointer.clone(), "a scope names features or the full candidate, not both", ASK_REVIEWER))
            }
            (false, true) => {
                faults.push(refuse("scope", pointer.clone(), "a scope names at least one feature, or the full candidate", ASK_REVIEWER))
            }
            _ => {}
        }
        if scope.full_candidate && !packet.selection.full_candidate {
            faults.push(refuse("scope", format!("{pointer}/full_candidate"), "the full candidate is not selected", ASK_REVIEWER));
        }
        for (place, name) in scope.features.iter().enumerate() {
            if packet.selection.feature(name).is_none() {
                let message = format!("the feature `{}` is not selected", escape_line(name));
                faults.push(refuse("unselected-feature", format!("{pointer}/features/{place}"), message, ASK_REVIEWER));
            }
        }
    }
    faults
}

fn coverage(result: &ReviewResult, packet: &Packet) -> Vec<Diagnostic> {
    let covered = |name: &str| result.behaviors.iter().any(|behavior| behavior.scope.features.iter().any(|feature| feature == name));
    let mut faults: Vec<Diagnostic> = packet
        .selection
        .features
        .iter()
        .filter(|feature| !covered(&feature.name))
        .map(|feature| {
            let message = format!("the selected feature `{}` is covered by no behavior", feature.name);
            refuse("uncovered-feature", "/behaviors".into(), message, ASK_REVIEWER)
        })
        .collect();
    if packet.selection.full_candidate && !result.behaviors.iter().any(|behavior| behavior.scope.full_candidate) {
        faults.push(refuse("uncovered-candidate", "/behaviors".into(), "the full candidate is covered by no behavior", ASK_REVIEWER));
    }
    faults
}

fn citations(result: &ReviewResult, packet: &Packet) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for (index, finding) in result.final_state_findings.iter().enumerate() {
        let pointer = format!("/final_state_findings/{index}");
        faults.extend(place_fault(finding, packet, &pointer));
        for (place, id) in finding.intent_ids.iter().enumerate() {
            if !packet.intents.iter().any(|intent| intent.id == *id) {
                let message = format!("the intent {} is not in the packet", escape_line(id));
                faults.push(refuse("unknown-intent", format!("{pointer}/intent_ids/{place}"), message, ASK_REVIEWER));
            }
        }
        if result.final_state_findings[..index].contains(finding) {
            faults.push(refuse("duplicate-finding", pointer, "the same finding stands before it", ASK_REVIEWER));
        }
    }
    faults
}

/// Path, then hunk, then line (BR-51): the first that does not hold.
fn place_fault(finding: &FinalStateFinding, packet: &Packet, pointer: &str) -> Option<Diagnostic> {
    let Some(path) = packet.final_state_evidence.path(&finding.path) else {
        let message = format!("{} is no changed path of the packet", escape_line(&finding.path));
        return Some(refuse("unknown-path", format!("{pointer}/path"), message, ASK_REVIEWER));
    };
    let Some(hunk) = path.hunks.iter().find(|hunk| hunk.sha256 == finding.patch_hunk_sha256) else {
        let message = format!("the hunk does not belong to {}", escape_line(&finding.path));
        return Some(refuse("foreign-hunk", format!("{pointer}/patch_hunk_sha256"), message, ASK_REVIEWER));
    };
    let lines = hunk.citable_lines();
    (!lines.contains(&finding.line)).then(|| {
        let message = format!("line {} is outside the hunk's lines {} to {}", finding.line, lines.start(), lines.end());
        refuse("line-outside-hunk", format!("{pointer}/line"), message, ASK_REVIEWER)
    })
}

fn blocking(result: &ReviewResult) -> Vec<Diagnostic> {
    let findings =
        result.findings.iter().enumerate().map(|(index, finding)| {
            refuse("finding", format!("/findings/{index}"), format!("finding: {}", escape_line(finding)), TO_CALLER)
        });
    let final_state =
        result.final_state_findings.iter().enumerate().map(|(index, finding)| {
            refuse("final-state-finding", format!("/final_state_findings/{index}"), finding.line_text(), TO_CALLER)
        });
    let behaviors = result.behaviors.iter().enumerate().filter_map(|(index, behavior)| {
        let code = match behavior.classification {
            Classification::Unintended => "unintended",
            Classification::Unknown => "unknown-behavior",
            Classification::Requested | Classification::Preserved => return None,
        };
        let message = format!("{code}: {}", escape_line(&behavior.after));
        Some(refuse(code, format!("/behaviors/{index}/classification"), message, TO_CALLER))
    });
    findings.chain(final_state).chain(behaviors).collect()
}

fn cited_proofs(result: &ReviewResult, declared: &DeclaredSuites, proofs: &ProofStandings) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for (index, behavior) in result.behaviors.iter().enumerate() {
        let pointer = format!("/behaviors/{index}/proof_ids");
        for (place, id) in behavior.proof_ids.iter().enumerate() {
            match proofs.get(id) {
                None => faults.push(missing_proof(id, format!("{pointer}/{place}"))),
                Some(Err(reasons)) => faults.extend(reasons.iter().cloned().map(|reason| reason.at_pointer(format!("{pointer}/{place}")))),
                Some(Ok(suite)) => faults.extend(unlisted_suite(behavior, id, suite, declared, format!("{pointer}/{place}"))),
            }
        }
        if behavior.classification == Classification::Requested {
            faults.extend(unproved(behavior, declared, proofs, &pointer));
        }
    }
    faults
}

fn missing_proof(id: &str, pointer: String) -> Diagnostic {
    let shown = escape_line(id);
    let next = format!("record it with `code-polishy regression-proof --base PRE_FIX --suite NAME --evidence PATH --id {shown}`");
    refuse("proof-missing", pointer, format!("the proof `{shown}` is not recorded"), &next)
}

/// A feature scope may cite a proof only when one of its features lists the proof's suite (BR-62).
fn unlisted_suite(behavior: &Behavior, id: &str, suite: &str, declared: &DeclaredSuites, pointer: String) -> Option<Diagnostic> {
    let scope = &behavior.scope;
    let listed = scope.full_candidate || scope.features.iter().any(|name| lists(declared, name, suite));
    (!listed).then(|| {
        let message = format!("the proof `{}` uses the suite `{suite}`, which no feature of the scope declares", escape_line(id));
        refuse("proof-suite", pointer, message, "prove the behavior with a suite that the feature declares")
    })
}

/// A requested behavior needs a valid proof, and one for every feature of its scope (BR-50).
fn unproved(behavior: &Behavior, declared: &DeclaredSuites, proofs: &ProofStandings, pointer: &str) -> Vec<Diagnostic> {
    let suites: Vec<&String> = behavior.proof_ids.iter().filter_map(|id| proofs.get(id)?.as_ref().ok()).collect();
    if behavior.proof_ids.is_empty() {
        return vec![refuse("requested-without-proof", pointer.to_owned(), "a requested behavior cites no proof", ASK_REVIEWER)];
    }
    let unproved = behavior.scope.features.iter().filter(|name| !suites.iter().any(|suite| lists(declared, name, suite)));
    unproved
        .map(|name| {
            let message = format!("no cited proof uses a suite of the feature `{}`", escape_line(name));
            refuse("feature-unproved", pointer.to_owned(), message, "cite a proof whose suite the feature declares")
        })
        .collect()
}

fn lists(declared: &DeclaredSuites, feature: &str, suite: &str) -> bool {
    declared.get(feature).is_some_and(|suites| suites.contains(suite))
}
