//! What a routing must be: the derived one, with a tier and signals that do not understate the change (CR-50 to CR-57).

use std::collections::{BTreeMap, BTreeSet};

use super::{ROUTING_FILE, Routing, RoutingFacts, SIGNALS, derive::sorted};
use crate::{
    code_review::{
        codes::{self, Code},
        reading::MAX_TEXT_CHARACTERS,
        run::RunRecord,
        violation::Violation,
        vocabulary::Tier,
    },
    text::control_free,
};

/// Everything that is wrong with a routing, under the facts of its run (CR-50 to CR-57).
pub fn judge(routing: &Routing, facts: &RoutingFacts, run: &RunRecord) -> Vec<Violation> {
    let mut judge = Judge { routing, facts, run, found: Vec::new() };
    judge.selections();
    judge.tier();
    judge.signals();
    judge.roles();
    judge.independence();
    judge.found
}

struct Judge<'j> {
    routing: &'j Routing,
    facts: &'j RoutingFacts,
    run: &'j RunRecord,
    found: Vec<Violation>,
}

impl Judge<'_> {
    fn refuse(&mut self, code: &Code, pointer: &str, subject: Option<&str>, message: impl Into<String>, hint: &str) {
        let mut violation = Violation::new(code, message, hint).at(ROUTING_FILE, pointer);
        violation.subject = subject.map(str::to_owned);
        self.found.push(violation);
    }

    /// A selection has the user's words.
    fn selections(&mut self) {
        let code = &codes::REVIEW_ROUTING_FIELDS_INVALID;
        for (role, words) in self.routing.explicit_selections.iter().filter(|(_, words)| !is_text(words)) {
            let message = format!("`{words}` are no words that ask for `{role}`");
            let pointer = format!("/explicit_selections/{role}");
            self.refuse(code, &pointer, Some(role.as_str()), message, "give the user's words");
        }
    }

    /// The declared tier may be higher than the mechanical one, never lower (CR-50).
    fn tier(&mut self) {
        let (routing, mechanical) = (self.routing, &self.facts.mechanical);
        if routing.mechanical_risk_tier != mechanical.tier || routing.mechanical_risk_evidence != mechanical.evidence {
            let message = format!("paths and sizes give {} ({})", mechanical.tier, mechanical.evidence.join(", "));
            let code = &codes::REVIEW_ROUTING_MECHANICAL_MISMATCH;
            self.refuse(code, "/mechanical_risk_tier", None, message, "route the run again, before its first event");
        }
        if routing.risk_tier < mechanical.tier {
            let message = format!("the declared tier {} is below {}", routing.risk_tier, mechanical.tier);
            let code = &codes::REVIEW_ROUTING_TIER_UNDERCLASSIFIED;
            self.refuse(code, "/risk_tier", None, message, "declare the mechanical tier, or a higher one");
        }
    }

    /// All eighteen, each with a reason; those that the paths make true are true (CR-51, CR-52).
    fn signals(&mut self) {
        let routing = self.routing;
        let known: BTreeSet<&str> = SIGNALS.into_iter().collect();
        for (pointer, named) in [("/signals", keys(&routing.signals)), ("/signal_evidence", keys(&routing.signal_evidence))] {
            if named != known {
                let strange: Vec<&str> = named.symmetric_difference(&known).copied().collect();
                let message = format!("the signals are not the eighteen: {}", strange.join(", "));
                let code = &codes::REVIEW_ROUTING_SIGNAL_SET_MISMATCH;
                self.refuse(code, pointer, None, message, "state each signal once, and no other");
            }
        }
        for (signal, _) in routing.signal_evidence.iter().filter(|(_, evidence)| !is_text(evidence)) {
            let pointer = format!("/signal_evidence/{signal}");
            let code = &codes::REVIEW_ROUTING_SIGNAL_EVIDENCE_EMPTY;
            let message = format!("nothing says why `{signal}` is stated so");
            self.refuse(code, &pointer, Some(signal), message, "give the reason in a few words");
        }
        for (signal, path) in self.facts.mandatory.iter().filter(|(signal, _)| routing.signals.get(**signal) == Some(&false)) {
            let message = format!("`{path}` makes `{signal}` true");
            let code = &codes::REVIEW_ROUTING_MANDATORY_SIGNAL_FALSE;
            self.refuse(code, &format!("/signals/{signal}"), Some(signal), message, "state it as true");
        }
    }

    /// Who looks at the change, and why (CR-53, CR-57).
    fn roles(&mut self) {
        let routing = self.routing;
        let reasons = self.facts.triggered(routing.risk_tier, &routing.signals, &routing.explicit_selections);
        let derived = sorted(reasons.keys().copied());
        if routing.triggered_roles != derived {
            let names: Vec<&str> = derived.iter().map(|role| role.as_str()).collect();
            let message = format!(
                "tier, signals, sources and selections call for {}",
                if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
            );
            let code = &codes::REVIEW_ROUTING_TRIGGERED_ROLE_MISMATCH;
            self.refuse(code, "/triggered_roles", None, message, "route the run again, before its first event");
        }
        if routing.trigger_reasons != reasons {
            let code = &codes::REVIEW_ROUTING_TRIGGER_REASON_MISMATCH;
            self.refuse(
                code,
                "/trigger_reasons",
                None,
                "the reasons are not the derived ones",
                "route the run again, before its first event",
            );
        }
        if derived.is_empty() && (routing.risk_tier > Tier::Local || self.run.independence_required) {
            let message = "a review by the parent alone is for a TRIVIAL or LOCAL change that needs no independent review";
            let code = &codes::REVIEW_ROUTING_PARENT_ONLY_REFUSED;
            self.refuse(code, "/triggered_roles", None, message, "select a role with --select");
        }
    }

    fn independence(&mut self) {
        let (routing, run) = (self.routing, self.run);
        if routing.independent_review_required != run.independence_required
            || routing.independence_requirement_evidence != run.independence_requirement_evidence
        {
            let message = "the independence requirement is not that of `run.json`";
            let code = &codes::REVIEW_ROUTING_FIELDS_INVALID;
            self.refuse(code, "/independent_review_required", None, message, "restore the routing as `route` wrote it");
        }
    }
}

/// Text of CR-6, of at most as many characters as an authored one has.
fn is_text(text: &str) -> bool {
    !text.trim().is_empty() && control_free(text, true) && text.chars().count() <= MAX_TEXT_CHARACTERS
}

fn keys<T>(map: &BTreeMap<String, T>) -> BTreeSet<&str> {
    map.keys().map(String::as_str).collect()
}
