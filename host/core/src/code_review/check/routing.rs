//! The step `routing`: tier, signals and roles are the derived ones, and every path has a batch and somebody who inspects it (CR-50 to CR-57).

use std::collections::{BTreeMap, BTreeSet};

use crate::code_review::{
    codes::{self, Code},
    context::Context,
    image::RunImage,
    manifest::plan_path,
    reading::record,
    routing::{BRIEFS_FILE, Briefs, Plan, PlanKind, ROUTING_FILE, Routing, RoutingFacts, SIGNALS},
    t0::{PATH_ROLES_FILE, PathRolesRecord, SNAPSHOT_FILE, T0},
    violation::{Sink, Violation},
    vocabulary::{Role, Tier},
};

/// Reads the routing and the frozen plan, and derives again what they say.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (image, Some(t0)) = (context.facts.image, &context.t0) else { return };
    let missing = &codes::REVIEW_ROUTING_MISSING;
    let routing = record::<Routing>(image, ROUTING_FILE, missing, &codes::REVIEW_ROUTING_FIELDS_INVALID, sink);
    let roles = record::<PathRolesRecord>(image, PATH_ROLES_FILE, missing, &codes::REVIEW_ROUTING_FIELDS_INVALID, sink);
    if let (Some(routing), Some(roles)) = (&routing, &roles) {
        let facts = RoutingFacts::of(t0, &roles.paths);
        Judge { routing, facts: &facts, t0, sink }.all();
    }
    let plan = plan(image, sink);
    if let (Some(routing), Some(plan)) = (&routing, &plan) {
        planned(plan, routing, t0, image, sink);
        briefed(plan, routing, image, sink);
    }
    (context.routing, context.plan) = (routing, plan);
}

/// The one plan of the run.
fn plan(image: &RunImage, sink: &mut Sink) -> Option<Plan> {
    let kinds = [PlanKind::Direct, PlanKind::Batched];
    let there: Vec<PlanKind> = kinds.into_iter().filter(|kind| image.has(plan_path(*kind))).collect();
    let kind = there.first().copied().unwrap_or(PlanKind::Direct);
    let code = &codes::REVIEW_PLAN_INVALID;
    let plan: Plan = record(image, plan_path(kind), code, code, sink)?;
    if there.len() > 1 || plan.plan_kind != kind {
        refuse_plan(sink, kind, "/plan_kind", "the run has one plan, of the kind that its file says");
    }
    Some(plan)
}

fn refuse_plan(sink: &mut Sink, kind: PlanKind, pointer: &str, message: impl Into<String>) {
    let hint = "the plan is frozen: restore it as `route` wrote it, or start a new run";
    sink.push(Violation::new(&codes::REVIEW_PLAN_INVALID, message, hint).at(plan_path(kind), pointer));
}

struct Judge<'j> {
    routing: &'j Routing,
    facts: &'j RoutingFacts,
    t0: &'j T0,
    sink: &'j mut Sink,
}

impl Judge<'_> {
    fn refuse(&mut self, code: &Code, pointer: &str, subject: Option<&str>, message: impl Into<String>, hint: &str) {
        let mut violation = Violation::new(code, message, hint).at(ROUTING_FILE, pointer);
        violation.subject = subject.map(str::to_owned);
        self.sink.push(violation);
    }

    fn all(&mut self) {
        self.tier();
        self.signals();
        self.roles();
        self.independence();
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
        for (signal, _) in routing.signal_evidence.iter().filter(|(_, evidence)| evidence.trim().is_empty()) {
            let pointer = format!("/signal_evidence/{signal}");
            let code = &codes::REVIEW_ROUTING_SIGNAL_EVIDENCE_EMPTY;
            let message = format!("nothing says why `{signal}` is stated so");
            self.refuse(code, &pointer, Some(signal), message, "give the reason in a few words");
        }
        for signal in self.facts.mandatory.iter().filter(|signal| routing.signals.get(**signal) == Some(&false)) {
            let message = format!("the changed paths make `{signal}` true");
            let code = &codes::REVIEW_ROUTING_MANDATORY_SIGNAL_FALSE;
            self.refuse(code, &format!("/signals/{signal}"), Some(signal), message, "state it as true");
        }
    }

    /// Who looks at the change, and why (CR-53, CR-57).
    fn roles(&mut self) {
        let routing = self.routing;
        let reasons = self.facts.triggered(routing.risk_tier, &routing.signals, &routing.explicit_selections);
        let mut derived: Vec<Role> = reasons.keys().copied().collect();
        derived.sort_by_key(|role| role.as_str());
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
        if derived.is_empty() && (routing.risk_tier > Tier::Local || self.t0.run.independence_required) {
            let message = "a review by the parent alone is for a TRIVIAL or LOCAL change that needs no independent review";
            let code = &codes::REVIEW_ROUTING_PARENT_ONLY_REFUSED;
            self.refuse(code, "/triggered_roles", None, message, "select a role with --select");
        }
    }

    fn independence(&mut self) {
        let (routing, run) = (self.routing, &self.t0.run);
        if routing.independent_review_required != run.independence_required
            || routing.independence_requirement_evidence != run.independence_requirement_evidence
        {
            let message = "the independence requirement is not that of `run.json`";
            let code = &codes::REVIEW_ROUTING_FIELDS_INVALID;
            self.refuse(code, "/independent_review_required", None, message, "restore the routing as `route` wrote it");
        }
    }
}

fn keys<T>(map: &BTreeMap<String, T>) -> BTreeSet<&str> {
    map.keys().map(String::as_str).collect()
}

/// The plan is of this source, and assigns every path of the inspection set (CR-56).
fn planned(plan: &Plan, routing: &Routing, t0: &T0, image: &RunImage, sink: &mut Sink) {
    let kind = plan.plan_kind;
    let revision = match image.sha256(SNAPSHOT_FILE) {
        Some(sha256) => Some(format!("sha256:{sha256}")),
        None => t0.run.head_oid.as_ref().map(|head| format!("head:{head}")),
    };
    if revision.as_ref() != Some(&plan.revision) {
        refuse_plan(sink, kind, "/revision", format!("the plan is of {}, which is not the source of this run", plan.revision));
    }
    let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
    if paths != t0.inspection_set {
        refuse_plan(sink, kind, "/files", "the planned paths are not the inspection set");
    }
    let captured: BTreeMap<&str, Option<&String>> =
        t0.snapshot.iter().flat_map(|snapshot| &snapshot.files).map(|file| (file.path.as_str(), file.sha256.as_ref())).collect();
    let inspectors: BTreeSet<&str> = routing.triggered_roles.iter().map(|role| role.as_str()).chain(["parent"]).collect();
    for (index, file) in plan.files.iter().enumerate() {
        if file.roles.is_empty() || !file.roles.iter().all(|role| inspectors.contains(role.as_str())) {
            let message = format!("`{}` has nobody of this review who inspects it", file.path);
            let hint = "assign it to a triggered role, or to `parent`";
            let violation = Violation::new(&codes::REVIEW_PLAN_PATH_UNASSIGNED, message, hint);
            sink.push(violation.subject(&file.path).at(plan_path(kind), format!("/files/{index}/roles")));
        }
        if captured.get(file.path.as_str()).is_some_and(|sha256| *sha256 != file.sha256.as_ref()) {
            refuse_plan(sink, kind, &format!("/files/{index}/sha256"), format!("the digest of `{}` is not the captured one", file.path));
        }
        if file.batch == 0 || (kind == PlanKind::Direct && file.batch != 1) {
            refuse_plan(sink, kind, &format!("/files/{index}/batch"), format!("`{}` is in no batch of this plan", file.path));
        }
    }
}

/// Each triggered role has its frozen brief: the plan's paths, and a context that is as it was (CR-56, CR-220).
fn briefed(plan: &Plan, routing: &Routing, image: &RunImage, sink: &mut Sink) {
    let code = &codes::REVIEW_PLAN_INVALID;
    let Some(briefs) = record::<Briefs>(image, BRIEFS_FILE, code, code, sink) else { return };
    let roles: Vec<Role> = briefs.briefs.iter().map(|brief| brief.role).collect();
    let hint = "the briefs are frozen: restore them as `route` wrote them, or start a new run";
    let mut refuse = |pointer: String, message: String| sink.push(Violation::new(code, message, hint).at(BRIEFS_FILE, pointer));
    if roles != routing.triggered_roles {
        refuse("/briefs".to_owned(), "the briefs are not those of the triggered roles".to_owned());
    }
    for (index, brief) in briefs.briefs.iter().enumerate() {
        let assigned = |path: &crate::code_review::routing::PlanFile| path.roles.iter().any(|role| role == brief.role.as_str());
        let paths: Vec<&str> = plan.files.iter().filter(|file| assigned(file)).map(|file| file.path.as_str()).collect();
        if brief.assigned_paths != paths {
            refuse(format!("/briefs/{index}/assigned_paths"), format!("the paths of {} are not the planned ones", brief.role));
        }
        let contexts = brief.batches.iter().map(|batch| (&batch.context_path, &batch.context_sha256));
        for (path, sha256) in contexts.chain([(&brief.context_path, &brief.context_sha256)]) {
            if image.sha256(path) != Some(sha256) {
                refuse(format!("/briefs/{index}/context_sha256"), format!("the context `{path}` is not the frozen one"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        canonical::artifact_bytes,
        code_review::{fixture::Fixture, step::Step, t0::PathRole},
    };

    /// A run that is routed as its facts ask, with everything that the step reads.
    fn routed() -> (Fixture, Value) {
        let mut fixture = Fixture::new(&[Role::SwEngineer]);
        fixture.t0.run.head_oid = Some("a".repeat(40));
        fixture.plan.revision = format!("head:{}", "a".repeat(40));
        let path = fixture.t0.inspection_set[0].clone();
        let role = PathRole { path, base: "production-source".to_owned(), candidate: "production-source".to_owned() };
        let facts = RoutingFacts::of(&fixture.t0, std::slice::from_ref(&role));
        let signals: BTreeMap<String, bool> = SIGNALS.map(|signal| (signal.to_owned(), facts.mandatory.contains(signal))).into();
        let reasons = facts.triggered(facts.mechanical.tier, &signals, &BTreeMap::new());
        let routing = Routing {
            risk_tier: facts.mechanical.tier,
            mechanical_risk_tier: facts.mechanical.tier,
            mechanical_risk_evidence: facts.mechanical.evidence.clone(),
            signal_evidence: SIGNALS.map(|signal| (signal.to_owned(), "looked at".to_owned())).into(),
            triggered_roles: reasons.keys().copied().collect(),
            trigger_reasons: reasons,
            signals,
            ..fixture.routing.clone()
        };
        let roles = artifact_bytes(&PathRolesRecord { schema_version: 1, paths: vec![role] });
        fixture.write(PATH_ROLES_FILE, &roles);
        let plan = artifact_bytes(&fixture.plan);
        fixture.write(plan_path(PlanKind::Direct), &plan);
        (fixture, json!(routing))
    }

    fn found(fixture: &mut Fixture, routing: &Value) -> Vec<String> {
        fixture.write(ROUTING_FILE, routing.to_string().as_bytes());
        fixture.found(&[Step::Routing])
    }

    #[test]
    fn a_routing_that_is_derived_holds() {
        let (mut fixture, routing) = routed();
        assert_eq!(routing["triggered_roles"], json!(["sw-engineer"]));
        assert_eq!(found(&mut fixture, &routing), Vec::<String>::new());
    }

    #[test]
    fn each_departure_has_its_code() {
        let departures = [
            ("/mechanical_risk_evidence/0", json!("files=9"), "review-routing-mechanical-mismatch"),
            ("/signal_evidence/bug_fix", json!(" "), "review-routing-signal-evidence-empty:bug_fix"),
            ("/triggered_roles", json!([]), "review-routing-triggered-role-mismatch"),
            ("/trigger_reasons/sw-engineer/0", json!("because"), "review-routing-trigger-reason-mismatch"),
            ("/independent_review_required", json!(true), "review-routing-fields-invalid"),
            ("/risk_tier", json!("SMALL"), "review-routing-fields-invalid:review-routing.json"),
        ];
        for (pointer, value, code) in departures {
            let (mut fixture, mut routing) = routed();
            *routing.pointer_mut(pointer).expect("there") = value;
            let found = found(&mut fixture, &routing);
            assert!(found.iter().any(|token| token == code), "{pointer}: {found:?}");
        }
    }

    #[test]
    fn eighteen_signals_are_stated() {
        let (mut fixture, mut routing) = routed();
        routing["signals"].as_object_mut().expect("an object").shift_remove("bug_fix");
        assert_eq!(found(&mut fixture, &routing), ["review-routing-signal-set-mismatch"]);
    }

    #[test]
    fn paths_make_signals_true_and_tiers_high() {
        let (mut fixture, routing) = routed();
        let risky = "src/auth/tensor.rs".to_owned();
        fixture.t0.inspection_set = vec![risky.clone()];
        fixture.plan.files[0].path = risky;
        let found = found(&mut fixture, &routing);
        for code in ["review-routing-tier-underclassified", "review-routing-mandatory-signal-false:axis_security_auditor"] {
            assert!(found.iter().any(|token| token == code), "{code}: {found:?}");
        }
    }

    #[test]
    fn the_plan_and_the_briefs_are_frozen() {
        let (mut fixture, routing) = routed();
        fixture.plan.files[0].roles = vec!["challenger".to_owned()];
        fixture.plan.revision = "head:other".to_owned();
        let plan = artifact_bytes(&fixture.plan);
        fixture.write(plan_path(PlanKind::Direct), &plan);
        fixture.write("specialists/sw-engineer-context.md", b"another question\n");
        let mut tokens = found(&mut fixture, &routing);
        tokens.sort();
        let path = &fixture.t0.inspection_set[0];
        let invalid = "review-plan-invalid".to_owned();
        assert_eq!(tokens, [invalid.clone(), invalid.clone(), invalid, format!("review-plan-path-unassigned:{path}")]);
    }
}
