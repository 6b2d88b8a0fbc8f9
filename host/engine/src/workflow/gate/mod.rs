//! `merge-gate` and `checkpoint-gate`: enforce the review, replay its proofs, run what the change asks for, and report (contract 9).

mod checkpoint;
pub(super) mod contract;
pub(super) mod execute;
mod identity;
mod records;
mod replay;
mod reuse;
mod runs;

use std::time::Duration;

use code_polishy_core::{
    canonical::digest_json,
    diagnostic::{Diagnostic, Failure},
    gate::{
        identity::RunIdentity,
        level::{GateLevel, LevelFacts, merge_level},
        plan::{Category, Phase, PlanFacts, phases},
        report::{CommandReport, CommandStatus, Finding, PROTOCOL, RecordedProof, Report, ReportStatus, VERSION},
        state::{BehaviorReviewReport, BehaviorState, ReviewState},
    },
    plugin::PluginKind,
    policy::model::{Boundary, POLICY_FILE},
    proof::Proof,
    selection::required_suites,
};

use crate::{
    event::Event,
    git::merge_base,
    workflow::{
        change::ChangeSet,
        derive::Demand,
        standing::{Standing, standing},
        status::{next_step, not_enforced},
        working,
    },
    workspace::Workspace,
};

pub use checkpoint::{Acceptance, CheckpointReceipt, acceptance};
pub use records::{Latest, latest, stored};

/// What the caller asks for.
#[derive(Clone, Debug)]
pub struct GateRequest {
    /// Which gate.
    pub boundary: Boundary,
    /// The base, as a reference.
    pub base: String,
    /// Take the passed commands of the newest failed run.
    pub resume: bool,
    /// Commands and replays at a time, at least 1.
    pub jobs: usize,
    /// Take nothing of earlier runs.
    pub no_reuse: bool,
}

/// How a gate ended. It is written unless nothing changed since the checkpoint.
pub struct GateOutcome {
    /// The report.
    pub report: Report,
    /// Repository-relative; `None` when nothing was written.
    pub report_path: Option<String>,
    /// Repository-relative.
    pub renders: Vec<String>,
    /// The two state lines.
    pub lines: [String; 2],
    /// A renderer failed and `reports.strict` is set (BR-73).
    pub renderer_fault: Option<Failure>,
    /// Something outside failed while commands ran; the report says `operational`.
    pub operational: Option<Failure>,
}

/// The short name of a gate.
pub fn gate_name(boundary: Boundary) -> &'static str {
    match boundary {
        Boundary::Merge => "merge",
        Boundary::Checkpoint => "checkpoint",
    }
}

/// Runs the gate.
pub fn gate(workspace: &Workspace<'_>, request: &GateRequest) -> Result<GateOutcome, Failure> {
    let started_at = now();
    let change = ChangeSet::clean_since(workspace, &request.base)?;
    check_pins(workspace, &change)?;
    if request.boundary == Boundary::Merge {
        check_merge_base(workspace, &change)?;
    }
    let demand = Demand::of(workspace, &change, request.boundary)?;
    let standing = standing(workspace, &change, &demand.selection, false)?;
    if !standing.state.blocks() {
        required_suites(&change.policies.candidate.policy, &demand.selection)?;
    }
    let (level, level_reasons) = level(&change, request.boundary);
    let phases = phases(&PlanFacts {
        level,
        candidate: &change.policies.candidate.policy,
        base: &change.policies.base.policy,
        paths: &change.paths,
        selection: &demand.selection,
    });
    let gate = Gate { workspace, request, change: &change, demand: &demand, level, phases };
    let review = gate.review(&standing.state, &standing);
    let identity = identity::identity(&gate, &review)?;
    let mut report = Report {
        protocol: PROTOCOL.to_owned(),
        version: VERSION,
        gate: gate_name(request.boundary).to_owned(),
        identity_sha256: identity.sha256(),
        identity,
        execution_id: String::new(),
        status: ReportStatus::Passed,
        base_requested: request.base.clone(),
        base: change.base.clone(),
        candidate: change.candidate.clone(),
        level: level.name().to_owned(),
        level_reasons,
        behavior_review: review,
        not_enforced: not_enforced(&change),
        commands: Vec::new(),
        findings: Vec::new(),
        notes: Vec::new(),
        started_at,
        completed_at: String::new(),
        sha256: String::new(),
    };
    if level == GateLevel::Unchanged {
        report.completed_at = now();
        return Ok(GateOutcome::unwritten(report.sealed(), standing.state.lines()));
    }
    gate.run(&mut report, standing)
}

/// Nothing runs while a pin names other bytes than are there. Of the base's plugins, only classifiers are asked (BR-22).
fn check_pins(workspace: &Workspace<'_>, change: &ChangeSet) -> Result<(), Failure> {
    change.policies.candidate.plugins(workspace).verify(|_| true)?;
    change.policies.base.plugins(workspace).verify(|pin| pin.kind == PluginKind::PathRoles)
}

/// A gate with its plan.
struct Gate<'a> {
    workspace: &'a Workspace<'a>,
    request: &'a GateRequest,
    change: &'a ChangeSet,
    demand: &'a Demand,
    level: GateLevel,
    phases: Vec<Phase<'a>>,
}

/// A run on its way.
struct Course<'a> {
    report: &'a mut Report,
    run: &'a runs::Run,
    state: ReviewState,
    /// The first thing outside that failed.
    fault: Option<Failure>,
}

impl Course<'_> {
    /// Later phases may start (BR-69).
    fn is_clear(&self) -> bool {
        self.report.findings.is_empty() && self.fault.is_none()
    }

    /// What ended the run from outside is a finding too: the report must say why it is no pass.
    fn fail(&mut self, failure: Failure) {
        self.report.findings.extend(failure.diagnostics.iter().map(|diagnostic| Finding {
            path: diagnostic.path.clone().unwrap_or_default(),
            line: diagnostic.line,
            ..finding(&diagnostic.code, "gate", diagnostic)
        }));
        self.fault.get_or_insert(failure);
    }
}

impl Gate<'_> {
    fn run(&self, report: &mut Report, standing: Standing) -> Result<GateOutcome, Failure> {
        let earlier = reuse::passed_commands(self, &report.identity_sha256)?;
        let phases = if standing.state.blocks() { Vec::new() } else { execute::prepare(self, &report.identity, &earlier)? };
        let run = runs::Run::begin(self, &report.identity_sha256)?;
        report.execution_id = run.execution_id.clone();
        report.notes.extend(notes(&standing));
        let mut course = Course { report, run: &run, state: standing.state.clone(), fault: None };
        if standing.state.blocks() {
            course.report.findings.push(self.review_finding(&standing)?);
        } else if let Err(failure) = self.execute(&standing, &phases, &mut course) {
            course.fail(failure);
        }
        let Course { state, fault, .. } = course;
        report.behavior_review = self.review(&state, &standing);
        report.status = match (&fault, report.findings.is_empty()) {
            (Some(_), _) => ReportStatus::Operational,
            (None, true) => ReportStatus::Passed,
            (None, false) => ReportStatus::Failed,
        };
        report.completed_at = now();
        let written = run.finish(self, report.clone())?;
        Ok(GateOutcome {
            report: written.report,
            report_path: Some(written.report_path),
            renders: written.renders,
            lines: state.lines(),
            renderer_fault: written.fault,
            operational: fault,
        })
    }

    /// Replays, then the phases, then the candidate once more (9.2).
    fn execute(&self, standing: &Standing, phases: &[Vec<execute::Ready<'_>>], course: &mut Course<'_>) -> Result<(), Failure> {
        let replays = standing.accepted.as_ref().map(replay::proofs).unwrap_or_default();
        let mut first = replays.len();
        course.report.commands = planned(&replays, &course.report.identity);
        if let Some(judged) = &standing.accepted {
            replay::replay(self, judged, course)?;
        }
        if self.level == GateLevel::Documentation {
            if course.is_clear() {
                contract::run(self, first, course)?;
            }
            first += 1;
        }
        execute::phases(self, first, phases, course)?;
        self.recheck(course.report)
    }

    fn review_finding(&self, standing: &Standing) -> Result<Finding, Failure> {
        let (reasons, next) = next_step(self.workspace, self.change, &self.demand.selection, standing, false, &self.request.base)?;
        let mut message = match standing.state.behavior {
            BehaviorState::Failed => format!("the review of {} failed", standing.state.scope),
            _ => format!("the change needs an accepted review of {}", standing.state.scope),
        };
        for reason in reasons {
            message.push_str(&format!("; {}", reason.message));
        }
        Ok(Finding {
            rule: "policy.behaviorReview".to_owned(),
            path: POLICY_FILE.to_owned(),
            line: None,
            subject: standing.state.scope.clone(),
            message,
            remedy: "complete the review of the selected scope".to_owned(),
            next,
        })
    }

    /// The candidate must be what was judged (9.2, phase 6).
    fn recheck(&self, report: &mut Report) -> Result<(), Failure> {
        let head = self.workspace.repository.head()?;
        let status = working::status(self.workspace, &self.change.policies.governed)?;
        if head == self.change.candidate && status.is_clean() {
            return Ok(());
        }
        let paths: Vec<String> = status.paths().into_iter().take(5).map(code_polishy_core::text::escape_line).collect();
        report.findings.push(Finding {
            rule: "candidate.changed".to_owned(),
            path: String::new(),
            line: None,
            subject: "candidate".to_owned(),
            message: format!("candidate changed while the gate ran: HEAD is {head}, uncommitted: {}", paths.join(", ")),
            remedy: "make the commands leave the repository as it is".to_owned(),
            next: "restore the candidate and run the gate again".to_owned(),
        });
        Ok(())
    }

    fn review(&self, state: &ReviewState, standing: &Standing) -> BehaviorReviewReport {
        let asked = !state.scope.is_empty();
        BehaviorReviewReport {
            state: state.behavior,
            final_state: state.final_state,
            boundary: self.request.boundary,
            selected: if asked { self.demand.selection.names() } else { Vec::new() },
            selection_sha256: self.demand.selection.sha256(),
            full_candidate: asked && self.demand.selection.full_candidate,
            review_id: standing.accepted.as_ref().and(standing.review_id.clone()),
            receipt_path: standing.receipt_path(),
        }
    }

    fn note(&self, text: &str) {
        self.workspace.observer.on(&Event::Note { text });
    }
}

impl GateOutcome {
    fn unwritten(report: Report, lines: [String; 2]) -> Self {
        Self { report, report_path: None, renders: Vec::new(), lines, renderer_fault: None, operational: None }
    }

    /// Nothing speaks against the candidate.
    pub fn is_passed(&self) -> bool {
        self.report.status == ReportStatus::Passed
    }
}

pub(super) fn level(change: &ChangeSet, boundary: Boundary) -> (GateLevel, Vec<String>) {
    let base = change.policies.base.own.as_ref();
    match boundary {
        Boundary::Merge => merge_level(&LevelFacts {
            base,
            candidate: &change.policies.candidate.policy,
            changes: &change.changes,
            paths: &change.paths,
            ordinary_documentation: change.ordinary_documentation,
        }),
        Boundary::Checkpoint if change.base == change.candidate => {
            (GateLevel::Unchanged, vec!["base and candidate are the same commit".into()])
        }
        Boundary::Checkpoint if change.ordinary_documentation => {
            (GateLevel::Documentation, vec!["only ordinary documentation changed".into()])
        }
        Boundary::Checkpoint => (GateLevel::Checkpoint, vec!["the candidate changed since the checkpoint".into()]),
    }
}

/// The merge gate needs a change, and the merge base of the trusted target when a policy names one (3.1).
pub(super) fn check_merge_base(workspace: &Workspace<'_>, change: &ChangeSet) -> Result<(), Failure> {
    if change.base == change.candidate {
        let message = "base and candidate are the same commit: there is nothing to merge";
        return Err(Failure::usage("gate.nothing-to-merge", message, "check out the candidate, or name the merge target with --base"));
    }
    let sides = [&change.policies.base.policy, &change.policies.candidate.policy];
    for target in sides.into_iter().filter_map(|policy| policy.verification.trusted_merge_target.as_ref()) {
        let trusted = merge_base(&workspace.repository, target, &change.candidate)?;
        if trusted != change.base {
            let message = format!("the base {} is not the merge base {trusted} with the trusted merge target `{target}`", change.base);
            return Err(Failure::usage("gate.untrusted-base", message, format!("code-polishy merge-gate --base {target}")));
        }
    }
    Ok(())
}

/// What a reader of a passed review should know (BR-50, BR-60).
fn notes(standing: &Standing) -> Vec<String> {
    let Some(judged) = &standing.accepted else { return Vec::new() };
    let mut notes = Vec::new();
    let requested =
        |behavior: &code_polishy_core::review::Behavior| behavior.classification == code_polishy_core::review::Classification::Requested;
    if !judged.result.behaviors.iter().any(requested) {
        notes.push("no requested behavior was proved".to_owned());
    }
    for reference in judged.references().iter().filter(|reference| reference.flipped_cases.is_empty()) {
        notes.push(format!("the red of proof `{}` is known by exit status only", reference.id));
    }
    notes
}

/// A finding about a command, from what refused it.
fn finding(rule: &str, subject: &str, diagnostic: &Diagnostic) -> Finding {
    Finding {
        rule: rule.to_owned(),
        path: String::new(),
        line: None,
        subject: subject.to_owned(),
        message: diagnostic.message.clone(),
        remedy: diagnostic.next.clone(),
        next: diagnostic.next.clone(),
    }
}

/// Every planned command in plan order, none of them started.
fn planned(replays: &[&Proof], identity: &RunIdentity) -> Vec<CommandReport> {
    let recorded = |proof: &Proof| RecordedProof { red_kind: proof.red_kind, flipped_cases: proof.flipped_cases.clone() };
    let replays = replays.iter().map(|proof| (proof.id.clone(), Category::BehaviorProofReplay, digest_json(proof), Some(recorded(proof))));
    let ordinary = identity.commands.iter().map(|command| (command.name.clone(), command.category, digest_json(command), None));
    let report = |(index, (name, category, sha256, proof)): (u32, _)| CommandReport {
        index,
        sha256,
        name,
        category,
        status: CommandStatus::NotStarted,
        reused_from: None,
        proof,
        attempts: Vec::new(),
    };
    (0..).zip(replays.chain(ordinary)).map(report).collect()
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// RFC 3339, UTC, whole seconds.
fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
