//! A review that ends before the source is judged: only the close decision is authored (CR-186).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Prepared;
use crate::{
    canonical::{artifact_bytes, read_strict},
    code_review::{
        check,
        context::{Context, Facts},
        gates::{FAILED_FILE, GATES_FILE, STATUS_FILE},
        notes::NOTES_FILE,
        routing::RoutingFacts,
        run::RunRecord,
        run_manifest::CANDIDATE_FILE,
        step::Step,
        t0::{PATH_ROLES_FILE, PathRolesRecord, T0},
        terminal::{CloseDecision, Ended, Unavailable, closed, unavailable},
        violation::{Sink, Violation},
        vocabulary::Tier,
    },
};

/// A review of a pull request that could not be collected.
///
/// # Errors
/// As [`Unavailable::of`].
pub fn prepare_unavailable(facts: &Facts<'_>, run: &RunRecord) -> Result<Prepared, Box<Violation>> {
    let known = Unavailable::of(facts.image)?;
    Ok(prepared(unavailable(run, facts.run_path, &known), None))
}

/// A review that advises to close; whether its decision is conclusive is for the validation to say.
pub fn prepare_closed(facts: &Facts<'_>, run: &RunRecord, decision: &CloseDecision) -> Prepared {
    let mut context = Context::new(facts, Some(CANDIDATE_FILE));
    check::run(Step::T0, &mut context, &mut Sink::new(Step::T0));
    let roles: Option<PathRolesRecord> = facts.image.bytes(PATH_ROLES_FILE).and_then(|bytes| read_strict(bytes, PATH_ROLES_FILE, "").ok());
    let tier = match (&context.t0, roles) {
        (Some(t0), Some(roles)) => RoutingFacts::of(t0, &roles.paths).mechanical.tier,
        _ => Tier::Local,
    };
    prepared(closed(run, facts.run_path, tier, decision), context.t0)
}

fn prepared(ended: Ended, t0: Option<T0>) -> Prepared {
    let mut result = ended.result;
    for key in ["final_handoff", "run_manifest"] {
        result["metadata"][key] = Value::Null;
    }
    let files = BTreeMap::from([
        (NOTES_FILE, ended.notes.into_bytes()),
        (GATES_FILE, artifact_bytes(&ended.gates)),
        (STATUS_FILE, ended.gates.status_lines().into_bytes()),
        (FAILED_FILE, ended.gates.failed_lines().into_bytes()),
    ]);
    let files = files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes)).collect();
    Prepared { result, handoff: json!(ended.handoff), branch: ended.branch, notes: None, files, t0, edits: Vec::new() }
}
