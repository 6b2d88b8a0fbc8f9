//! `route`: decides who inspects what, and freezes it (section 5).

mod sources;
mod statements;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::{digest_bytes, read_strict},
    code_review::{
        codes,
        context::Context,
        events::{EVENTS_FILE, EventLog},
        image::{ImageFile, RunImage, wants_content},
        manifest::{self, MANIFEST_FILE, plan_path},
        routing::{
            BatchContext, Frozen, Ingredients, MAX_CONTEXT_BYTES, Mechanical, PlanKind, ROUTING_FILE, Routing, RoutingFacts, Statements,
            freeze, is_frozen_path, judge, revision, template,
        },
        t0::{PATH_ROLES_FILE, PathRolesRecord, SNAPSHOT_FILE, T0},
        validation,
        violation::Violation,
        vocabulary::{Role, Tier},
    },
    diagnostic::{Diagnostic, Failure, FailureKind},
};
use serde::Serialize;

use super::{
    around::Around,
    blocked, image,
    run::{RESULT_FILE, Run},
    usage,
};
use crate::workspace::Workspace;

/// What `route` is asked for.
#[derive(Clone, Debug)]
pub struct RouteRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--tier`, as written.
    pub tier: Option<String>,
    /// `--signals`.
    pub signals: Option<PathBuf>,
    /// `--select`, as written.
    pub selections: Vec<String>,
    /// `--batch-bytes`.
    pub batch_bytes: Option<u32>,
    /// `--mechanical-only`.
    pub mechanical_only: bool,
}

/// What `route` found and froze: the fields of its document. Without a frozen routing everything but the mechanical part is null.
#[derive(Clone, Debug, Serialize)]
pub struct Routed {
    /// From paths and sizes alone.
    pub mechanical_risk_tier: Tier,
    /// Its reasons.
    pub mechanical_risk_evidence: Vec<String>,
    /// The declared tier.
    pub risk_tier: Option<Tier>,
    /// What was stated.
    pub signals: Option<BTreeMap<String, bool>>,
    /// Who reviews, in byte order.
    pub triggered_roles: Option<Vec<Role>>,
    /// The plan.
    pub plan: Option<PlanSummary>,
    /// What is dispatched, in the order of the roles.
    pub contexts: Vec<ContextSummary>,
    /// The file of `--signals` to fill in, when nothing was frozen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals_template: Option<Statements>,
}

/// A frozen plan.
#[derive(Clone, Debug, Serialize)]
pub struct PlanSummary {
    /// Relative to the run.
    pub path: &'static str,
    /// Its digest.
    pub sha256: String,
    /// `direct` or `batched`.
    pub plan_kind: PlanKind,
    /// What is inspected.
    pub revision: String,
    /// How many paths.
    pub files: usize,
    /// How many batches.
    pub batches: u32,
}

/// The context of a role.
#[derive(Clone, Debug, Serialize)]
pub struct ContextSummary {
    /// Whose.
    pub role: Role,
    /// Relative to the run.
    pub context_path: String,
    /// Its digest.
    pub context_sha256: String,
    /// The contexts of the batches; none in a direct run.
    pub batches: Vec<BatchContext>,
}

/// How `route` ended once it had read the run.
pub enum RouteOutcome {
    /// The routing is frozen.
    Routed(Box<Routed>),
    /// The mechanical part was asked for; nothing is written.
    Mechanical(Box<Routed>),
    /// The signals are not stated: the failure (exit 2), and what to fill in.
    Unstated(Failure, Statements),
    /// The run, or what was declared, does not hold (exit 1).
    Refused(Failure),
}

/// Routes a run; `cwd` is where the caller's paths start.
///
/// # Errors
/// Exit 1 `review-already-promoted`, `review-routing-frozen`; exit 2; exit 3; exit 130. Nothing was written.
pub fn route(workspace: &Workspace<'_>, cwd: &Path, request: &RouteRequest) -> Result<(Run, RouteOutcome), Failure> {
    let declared = statements::declared(cwd, request)?;
    let batch_bytes = batch_bytes(request.batch_bytes)?;
    let run = Run::open(cwd, &request.run)?;
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    let image = image::read(&run, &workspace.interrupt)?;
    if !request.mechanical_only {
        refuse_settled(&image)?;
    }
    let around = Around::gather(&record, &image, None)?;
    let run_path = run.text();
    let facts = around.facts(&image, &run_path, Some(&record.producer_id));
    let (found, context) = validation::collected(&facts);
    let (Some(t0), true) = (&context.t0, found.violations.is_empty()) else {
        return Ok((run, RouteOutcome::Refused(refusal(&found.violations))));
    };
    let roles: PathRolesRecord =
        read_strict(image.bytes(PATH_ROLES_FILE).unwrap_or_default(), codes::REVIEW_ROUTING_MISSING.name, "start a new run")
            .map_err(|diagnostic| Failure::new(FailureKind::Blocked, vec![diagnostic.at_path(PATH_ROLES_FILE)]))?;
    let known = RoutingFacts::of(t0, &roles.paths);
    if request.mechanical_only {
        return Ok((run, RouteOutcome::Mechanical(Box::new(mechanical(&known)))));
    }
    let Some(declared) = declared else {
        return Ok((run, RouteOutcome::Unstated(unstated(), template(&known))));
    };
    let routing = known.routing(&t0.run, declared);
    let violations = judge(&routing, &known, &t0.run);
    if !violations.is_empty() {
        return Ok((run, RouteOutcome::Refused(refusal(&violations))));
    }
    let frozen = match ingredients(t0, &routing, &context, &around, batch_bytes)? {
        Ok(frozen) => frozen,
        Err(violations) => return Ok((run, RouteOutcome::Refused(refusal(&violations)))),
    };
    workspace.interrupt.check()?;
    Writing { run: &run, image: &image, t0, routing: &routing }.all(&frozen)?;
    Ok((run, RouteOutcome::Routed(Box::new(summary(&known.mechanical, routing, frozen)))))
}

fn batch_bytes(flag: Option<u32>) -> Result<u32, Failure> {
    match flag {
        None => Ok(MAX_CONTEXT_BYTES),
        Some(bytes) if (1..=MAX_CONTEXT_BYTES).contains(&bytes) => Ok(bytes),
        Some(bytes) => {
            let message = format!("a context of {bytes} bytes is not possible");
            Err(usage(&codes::USAGE_ERROR, message, format!("name 1 to {MAX_CONTEXT_BYTES} bytes with --batch-bytes")))
        }
    }
}

/// The first event and the promotion freeze a routing (CR-58, CR-206).
fn refuse_settled(image: &RunImage) -> Result<(), Failure> {
    if image.has(RESULT_FILE) {
        let next = "start a new run for another review";
        return Err(blocked(&codes::REVIEW_ALREADY_PROMOTED, "the run is promoted, and nothing is written into it", next));
    }
    if image.files.get(EVENTS_FILE).is_some_and(|log| log.size > 0) {
        let message = "reviewers were sent out with this routing: the first event froze it";
        return Err(blocked(&codes::REVIEW_ROUTING_FROZEN, message, "start a new run to route it otherwise").at_path(EVENTS_FILE));
    }
    Ok(())
}

fn refusal(violations: &[Violation]) -> Failure {
    let diagnostics: Vec<Diagnostic> = violations.iter().map(Violation::diagnostic).collect();
    Failure::new(FailureKind::Blocked, diagnostics)
}

fn unstated() -> Failure {
    let next = "fill in the signals that were printed, and route again with --signals FILE";
    usage(&codes::MISSING_REQUIRED, "a routing needs the eighteen signals, each with its reason", next)
}

fn ingredients(
    t0: &T0,
    routing: &Routing,
    context: &Context<'_>,
    around: &Around,
    batch_bytes: u32,
) -> Result<Result<Frozen, Vec<Violation>>, Failure> {
    let Some(revision) = revision(t0, context.facts.image.sha256(SNAPSHOT_FILE)) else {
        let message = "the run has neither a snapshot nor a reviewed commit";
        return Err(blocked(&codes::MISSING_T0_ARTIFACT, message, "start a new run"));
    };
    let sources = sources::of(t0)?;
    let cards = around.role_cards.of(&routing.triggered_roles)?;
    let prior = context.prior.as_ref();
    Ok(freeze(&Ingredients { t0, routing, revision: &revision, sources: &sources, cards, prior, batch_bytes }))
}

struct Writing<'w> {
    run: &'w Run,
    image: &'w RunImage,
    t0: &'w T0,
    routing: &'w Routing,
}

impl Writing<'_> {
    /// What an earlier routing left goes first, the routing itself is written after all that it speaks of, the manifest last: whatever
    /// is interrupted is refused by a validation, and made whole by routing again.
    fn all(&self, frozen: &Frozen) -> Result<(), Failure> {
        let is_stale = |path: &&String| is_frozen_path(path) && !frozen.files.contains_key(*path);
        for path in self.image.files.keys().filter(is_stale) {
            self.run.remove(path)?;
        }
        for (_, role) in Role::WORDS.iter().filter(|(_, role)| !self.routing.triggered_roles.contains(role)) {
            self.run.remove_tree(&format!("role-cards/{role}"))?;
        }
        let is_routing = |(path, _): &(&String, &Vec<u8>)| path.as_str() == ROUTING_FILE;
        let (routing, others): (Vec<_>, Vec<_>) = frozen.files.iter().partition(is_routing);
        for (path, bytes) in others.into_iter().chain(routing) {
            self.run.write(path, bytes)?;
        }
        self.run.write_json(MANIFEST_FILE, &self.manifest(frozen)).map(drop)
    }

    /// Nobody has been asked yet.
    fn manifest(&self, frozen: &Frozen) -> manifest::Manifest {
        let mut image = self.image.clone();
        for (path, bytes) in &frozen.files {
            let content = wants_content(path).then(|| bytes.clone());
            image.files.insert(path.clone(), ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content });
        }
        let log = EventLog { sha256: digest_bytes(b""), events: Vec::new() };
        let Self { t0, routing, .. } = *self;
        let sources = manifest::Sources {
            run: &t0.run,
            review_input_sha256: &t0.review_input_sha256,
            routing,
            plan: &frozen.plan,
            log: &log,
            image: &image,
        };
        manifest::derive(sources).manifest
    }
}

fn mechanical(known: &RoutingFacts) -> Routed {
    Routed {
        mechanical_risk_tier: known.mechanical.tier,
        mechanical_risk_evidence: known.mechanical.evidence.clone(),
        risk_tier: None,
        signals: None,
        triggered_roles: None,
        plan: None,
        contexts: Vec::new(),
        signals_template: Some(template(known)),
    }
}

fn summary(mechanical: &Mechanical, routing: Routing, frozen: Frozen) -> Routed {
    let Frozen { files, plan, briefs } = frozen;
    let path = plan_path(plan.plan_kind);
    let plan = PlanSummary {
        path,
        sha256: files.get(path).map(|bytes| digest_bytes(bytes)).unwrap_or_default(),
        plan_kind: plan.plan_kind,
        files: plan.files.len(),
        batches: plan.files.last().map_or(1, |file| file.batch),
        revision: plan.revision,
    };
    let contexts = briefs.briefs.into_iter().map(|brief| ContextSummary {
        role: brief.role,
        context_path: brief.context_path,
        context_sha256: brief.context_sha256,
        batches: brief.batches,
    });
    Routed {
        mechanical_risk_tier: mechanical.tier,
        mechanical_risk_evidence: mechanical.evidence.clone(),
        risk_tier: Some(routing.risk_tier),
        signals: Some(routing.signals),
        triggered_roles: Some(routing.triggered_roles),
        plan: Some(plan),
        contexts: contexts.collect(),
        signals_template: None,
    }
}
