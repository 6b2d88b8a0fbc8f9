//! The step `routing`: tier, signals and roles are the derived ones, and every path has a batch and somebody who inspects it (CR-50 to CR-57).

use std::collections::{BTreeMap, BTreeSet};

use crate::code_review::{
    codes,
    context::Context,
    image::RunImage,
    manifest::{card_path, plan_path},
    prior::{PRIOR_FILE, PriorResolutions},
    reading::record,
    routing::{
        BRIEFS_FILE, BatchInventory, Briefs, INVENTORY_FILE, Ingredients, MAX_CONTEXT_BYTES, PARENT, Plan, PlanFile, PlanKind,
        ROUTING_FILE, Routing, RoutingFacts, SCOPE_FILE, Source, freeze, judge, revision,
    },
    t0::{PATH_ROLES_FILE, PathRolesRecord, SNAPSHOT_FILE, SnapshotFile, T0},
    violation::{Sink, Violation},
    vocabulary::Role,
};

/// Reads the routing and the frozen plan, and derives again what they say.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (image, Some(t0)) = (context.facts.image, &context.t0) else { return };
    let missing = &codes::REVIEW_ROUTING_MISSING;
    let routing = record::<Routing>(image, ROUTING_FILE, missing, &codes::REVIEW_ROUTING_FIELDS_INVALID, sink);
    let roles = record::<PathRolesRecord>(image, PATH_ROLES_FILE, missing, &codes::REVIEW_ROUTING_FIELDS_INVALID, sink);
    if let (Some(routing), Some(roles)) = (&routing, &roles) {
        let facts = RoutingFacts::of(t0, &roles.paths);
        judge(routing, &facts, &t0.run).into_iter().for_each(|violation| sink.push(violation));
    }
    let plan = plan(image, sink);
    if let (Some(routing), Some(plan)) = (&routing, &plan) {
        classified(routing, image, sink);
        planned(plan, routing, t0, image, sink);
        briefed(plan, routing, image, sink);
        if sink.is_clean() && !context.facts.promoted {
            derived(&Parts { image, t0, routing, plan, prior: context.prior.as_ref() }, sink);
        }
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

/// `scope.txt` is the tier and nothing else.
fn classified(routing: &Routing, image: &RunImage, sink: &mut Sink) {
    if image.text(SCOPE_FILE) != Some(&format!("{}\n", routing.risk_tier)) {
        let message = format!("`{SCOPE_FILE}` is not the one word {}", routing.risk_tier);
        let hint = "restore it as `route` wrote it, or route the run again, before its first event";
        sink.push(Violation::new(&codes::REVIEW_SCOPE_CLASSIFICATION_MISSING, message, hint).file(SCOPE_FILE));
    }
}

/// The plan is of this source, and assigns every path of the inspection set (CR-56).
fn planned(plan: &Plan, routing: &Routing, t0: &T0, image: &RunImage, sink: &mut Sink) {
    let kind = plan.plan_kind;
    if revision(t0, image.sha256(SNAPSHOT_FILE)).as_ref() != Some(&plan.revision) {
        refuse_plan(sink, kind, "/revision", format!("the plan is of {}, which is not the source of this run", plan.revision));
    }
    let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
    if paths != t0.inspection_set {
        refuse_plan(sink, kind, "/files", "the planned paths are not the inspection set");
    }
    let captured: BTreeMap<&str, &SnapshotFile> =
        t0.snapshot.iter().flat_map(|snapshot| &snapshot.files).map(|file| (file.path.as_str(), file)).collect();
    let inspectors: BTreeSet<&str> = routing.triggered_roles.iter().map(|role| role.as_str()).chain([PARENT]).collect();
    for (index, file) in plan.files.iter().enumerate() {
        if file.roles.is_empty() || !file.roles.iter().all(|role| inspectors.contains(role.as_str())) {
            let message = format!("`{}` has nobody of this review who inspects it", file.path);
            let hint = "assign it to a triggered role, or to `parent`";
            let violation = Violation::new(&codes::REVIEW_PLAN_PATH_UNASSIGNED, message, hint);
            sink.push(violation.subject(&file.path).at(plan_path(kind), format!("/files/{index}/roles")));
        }
        if captured.get(file.path.as_str()).is_some_and(|captured| captured.sha256 != file.sha256) {
            refuse_plan(sink, kind, &format!("/files/{index}/sha256"), format!("the digest of `{}` is not the captured one", file.path));
        }
        let source = file.source();
        if source.is_none() || captured.get(file.path.as_str()).is_some_and(|captured| Some(captured.kind) != source.map(|it| it.kind)) {
            refuse_plan(sink, kind, &format!("/files/{index}/kind"), format!("`{}` is no {}", file.path, file.kind));
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
        let paths: Vec<&str> = plan.files.iter().filter(|file| file.is_for(brief.role)).map(|file| file.path.as_str()).collect();
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

struct Parts<'p> {
    image: &'p RunImage,
    t0: &'p T0,
    routing: &'p Routing,
    plan: &'p Plan,
    prior: Option<&'p PriorResolutions>,
}

/// What `route` froze is what it makes of the routing, the planned sources and the retained cards. A promoted run is judged by what it
/// recorded (CR-210); a missing card and damaged prior resolutions belong to other steps.
fn derived(parts: &Parts<'_>, sink: &mut Sink) {
    let Parts { image, t0, routing, plan, prior } = *parts;
    let code = &codes::REVIEW_PLAN_INVALID;
    let batch_bytes = match plan.plan_kind {
        PlanKind::Direct => Some(MAX_CONTEXT_BYTES),
        PlanKind::Batched => record::<BatchInventory>(image, INVENTORY_FILE, code, code, sink).map(|inventory| inventory.batch_bytes),
    };
    let card = |role: &Role| Some((*role, image.bytes(&card_path(*role))?.to_vec()));
    let cards: Option<BTreeMap<Role, Vec<u8>>> = routing.triggered_roles.iter().map(card).collect();
    let sources: Option<Vec<Source>> = plan.files.iter().map(PlanFile::source).collect();
    let (Some(batch_bytes), Some(cards), Some(sources)) = (batch_bytes, cards, sources) else { return };
    if image.has(PRIOR_FILE) && prior.is_none() {
        return;
    }
    let revision = &plan.revision;
    match freeze(&Ingredients { t0, routing, revision, sources: &sources, cards: &cards, prior, batch_bytes }) {
        Ok(frozen) => frozen.files.iter().filter(|(path, bytes)| image.bytes(path) != Some(bytes)).for_each(|(path, _)| {
            let message = format!("`{path}` is not what routing, plan and cards give");
            let hint = "restore it as `route` wrote it, or start a new run";
            sink.push(Violation::new(code, message, hint).subject(path).file(path));
        }),
        Err(violations) => violations.into_iter().for_each(|violation| sink.push(violation)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        canonical::artifact_bytes,
        code_review::{fixture::Fixture, routing::SIGNALS, step::Step, t0::PathRole},
        plugin::Role as Part,
    };

    /// A run that is routed as its facts ask, with everything that the step reads.
    fn routed() -> (Fixture, Value) {
        let mut fixture = Fixture::new(&[Role::SwEngineer]);
        fixture.t0.run.head_oid = Some("a".repeat(40));
        fixture.plan.revision = format!("head:{}", "a".repeat(40));
        let path = fixture.t0.inspection_set[0].clone();
        let role = PathRole { path, base: Part::ProductionSource, candidate: Part::ProductionSource };
        let facts = RoutingFacts::of(&fixture.t0, std::slice::from_ref(&role));
        let signals: BTreeMap<String, bool> = SIGNALS.map(|signal| (signal.to_owned(), facts.mandatory.contains_key(signal))).into();
        let reasons = facts.triggered(facts.mechanical.tier, &signals, &BTreeMap::new());
        fixture.routing = Routing {
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
        fixture.route();
        let routing = json!(fixture.routing);
        (fixture, routing)
    }

    fn found(fixture: &mut Fixture, routing: &Value) -> Vec<String> {
        fixture.write(ROUTING_FILE, &artifact_bytes(routing));
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
    fn the_tier_stands_in_its_file() {
        let (mut fixture, routing) = routed();
        fixture.write(SCOPE_FILE, b"BROAD\n");
        assert_eq!(found(&mut fixture, &routing), ["review-scope-classification-missing"]);
        fixture.image.files.remove(SCOPE_FILE);
        assert_eq!(found(&mut fixture, &routing), ["review-scope-classification-missing"]);
    }

    #[test]
    fn a_context_that_was_written_anew_is_refused_until_the_promotion() {
        let (mut fixture, routing) = routed();
        let context = "specialists/sw-engineer-context.md";
        fixture.freeze(Role::SwEngineer, "Find nothing.\n");
        assert_eq!(found(&mut fixture, &routing), ["review-briefs.json", context].map(|file| format!("review-plan-invalid:{file}")));
        fixture.promoted = true;
        assert_eq!(found(&mut fixture, &routing), Vec::<String>::new());
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
