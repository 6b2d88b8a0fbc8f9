//! A run in memory for the tests of the steps: reviewers work on it, and steps judge it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    check,
    confidence::Confidence,
    config::{CodeReview, Config},
    context::{Context, Facts},
    events::{EVENTS_FILE, Event, EventFault, EventKind, EventLog, ResponseFormat},
    image::{ImageFile, RunImage},
    manifest::{Derived, EvidenceLevel, MANIFEST_FILE, PassMode, Sources, derive},
    outline::Outline,
    routing::{
        BRIEFS_FILE, Brief, Briefs, Frozen, Ingredients, MAX_CONTEXT_BYTES, Plan, PlanFile, PlanKind, ROUTING_FILE, Routing, Source, freeze,
    },
    run::RunRecord,
    step::Step,
    t0::T0,
    violation::Sink,
    vocabulary::{Role, Scope, Tier},
};
use crate::{
    canonical::{artifact_bytes, digest_bytes},
    strict::{Kind, parse},
};

/// The one file of the change.
pub(super) const SOURCE: &str = "src/a.rs";
const KIND: Kind = Kind { code: "result", noun: "the result", file: "" };

/// A run whose roles are triggered.
pub(super) struct Fixture {
    pub(super) image: RunImage,
    pub(super) log: EventLog,
    pub(super) t0: T0,
    pub(super) routing: Routing,
    pub(super) plan: Plan,
    briefs: Briefs,
    pub(super) cards: BTreeMap<Role, Vec<u8>>,
    pub(super) metadata: Value,
    pub(super) notes: String,
    pub(super) promoted: bool,
    pub(super) confidence: Option<Confidence>,
    clock: u32,
}

impl Fixture {
    pub(super) fn new(roles: &[Role]) -> Self {
        let digest = digest_bytes(b"source");
        let names: Vec<String> = roles.iter().map(|role| role.as_str().to_owned()).collect();
        let file = PlanFile { path: SOURCE.to_owned(), kind: "file".to_owned(), sha256: Some(digest), batch: 1, roles: names };
        let plan = Plan { schema_version: 1, plan_kind: PlanKind::Direct, revision: "head".to_owned(), files: vec![file] };
        Self::over(RunImage::default(), t0(), routing(roles), plan)
    }

    /// The same over these receipts, with this routing and plan; their files are the caller's.
    pub(super) fn over(image: RunImage, t0: T0, routing: Routing, plan: Plan) -> Self {
        let cards = routing.triggered_roles.iter().map(|role| (*role, format!("# {role}\n").into_bytes())).collect();
        let mut fixture = Self {
            image,
            log: EventLog::read(b"").expect("empty"),
            t0,
            routing,
            plan,
            briefs: Briefs { schema_version: 1, briefs: Vec::new() },
            cards,
            metadata: json!({}),
            notes: String::new(),
            promoted: false,
            confidence: None,
            clock: 0,
        };
        fixture.route();
        fixture
    }

    /// Writes what `route` makes of routing, plan and cards, but for the routing itself.
    pub(super) fn route(&mut self) {
        for (path, bytes) in self.frozen() {
            self.write(&path, &bytes);
        }
        let plan = artifact_bytes(&self.plan);
        self.write("direct-plan.json", &plan);
        self.settle();
    }

    fn frozen(&mut self) -> BTreeMap<String, Vec<u8>> {
        let sources: Vec<Source> = self.plan.files.iter().filter_map(PlanFile::source).collect();
        let (revision, batch_bytes) = (&self.plan.revision, MAX_CONTEXT_BYTES);
        let Self { t0, routing, cards, .. } = &*self;
        let frozen = freeze(&Ingredients { t0, routing, revision, sources: &sources, cards, prior: None, batch_bytes });
        let Frozen { mut files, briefs, .. } = frozen.expect("small");
        files.remove(ROUTING_FILE);
        self.briefs = briefs;
        files
    }

    pub(super) fn write(&mut self, path: &str, bytes: &[u8]) {
        let file = ImageFile { size: bytes.len() as u64, sha256: digest_bytes(bytes), content: Some(bytes.to_vec()) };
        self.image.files.insert(path.to_owned(), file);
    }

    /// Freezes the context of a role.
    pub(super) fn freeze(&mut self, role: Role, context: &str) {
        let context_path = format!("specialists/{role}-context.md");
        self.write(&context_path, context.as_bytes());
        let context_sha256 = digest_bytes(context.as_bytes());
        let assigned = self.plan.files.iter().filter(|file| file.roles.iter().any(|name| name == role.as_str()));
        let assigned_paths = assigned.map(|file| file.path.clone()).collect();
        let brief = Brief { role, context_path, context_sha256, assigned_paths, batches: Vec::new() };
        self.briefs.briefs.retain(|brief| brief.role != role);
        self.briefs.briefs.push(brief);
        let briefs = artifact_bytes(&self.briefs);
        self.write(BRIEFS_FILE, &briefs);
    }

    /// An event of an attempt as its command would draft it, one minute after the last.
    pub(super) fn draft(&mut self, event: EventKind, role: Role, attempt: u32) -> Event {
        self.clock += 1;
        let context = format!("specialists/{role}-context.md");
        let output = format!("specialists/{role}.attempt-{attempt}.md");
        let named = |path: String, wanted: bool| {
            let digest = self.image.sha256(&path).unwrap_or_default().to_owned();
            if wanted { (Some(path), Some(digest)) } else { (None, None) }
        };
        let (context_path, context_sha256) = named(context, matches!(event, EventKind::Dispatched | EventKind::Delivered));
        let (output_path, output_sha256) = named(output, matches!(event, EventKind::Completed | EventKind::Joined));
        Event {
            schema_version: 1,
            seq: 0,
            prev: String::new(),
            event,
            role,
            attempt: Some(attempt),
            mode: PassMode::Spawned,
            reviewer_id: Some(format!("{role}-{attempt}")),
            at: format!("2026-01-01T{:02}:{:02}:00Z", self.clock / 60, self.clock % 60),
            context_path,
            context_sha256,
            output_path,
            output_sha256,
            receipt_path: None,
            receipt_sha256: None,
            adapter: None,
            evidence: EvidenceLevel::Recorded,
            claimed: Value::Null,
            observed: Value::Null,
            retry_reason: None,
            reason: (event == EventKind::Refused).then(|| "the host is gone".to_owned()),
            format: (event == EventKind::Completed).then_some(ResponseFormat::Valid),
            hash: String::new(),
        }
    }

    pub(super) fn append(&mut self, draft: Event) -> Result<(), Vec<EventFault>> {
        let event = self.log.next(draft)?;
        self.log = self.log.clone().with(event);
        self.settle();
        Ok(())
    }

    /// The codes that refuse this event.
    pub(super) fn refusal(&mut self, draft: Event) -> Vec<&'static str> {
        let faults = self.append(draft).expect_err("must be refused");
        faults.into_iter().map(|fault| fault.code.name).collect()
    }

    /// One event of an attempt that must be taken.
    pub(super) fn take(&mut self, event: EventKind, role: Role, attempt: u32) {
        let draft = self.draft(event, role, attempt);
        self.append(draft).expect("in order");
    }

    /// A whole first attempt with this response.
    pub(super) fn review(&mut self, role: Role, response: &str) {
        self.write(&format!("specialists/{role}.attempt-1.md"), response.as_bytes());
        for event in [EventKind::Dispatched, EventKind::Started, EventKind::Completed, EventKind::Joined] {
            self.take(event, role, 1);
        }
    }

    /// The parent does the pass.
    pub(super) fn substitute(&mut self, role: Role, response: &str) {
        let path = format!("specialists/{role}.md");
        self.write(&path, response.as_bytes());
        let draft = self.draft(EventKind::Joined, role, 1);
        let output_sha256 = self.image.sha256(&path).map(str::to_owned);
        let own = Event { attempt: None, mode: PassMode::Substituted, reviewer_id: None, output_path: Some(path), output_sha256, ..draft };
        self.append(own).expect("in order");
    }

    pub(super) fn derived(&self) -> Derived {
        let Self { image, log, routing, plan, .. } = self;
        derive(Sources { run: &self.t0.run, review_input_sha256: &self.t0.review_input_sha256, routing, plan, log, image })
    }

    /// Writes the log and the manifest as they are now.
    pub(super) fn settle(&mut self) {
        let lines: String = self.log.events.iter().map(Event::line).collect();
        if !lines.is_empty() {
            self.write(EVENTS_FILE, lines.as_bytes());
        }
        let manifest = artifact_bytes(&self.derived().manifest);
        self.write(MANIFEST_FILE, &manifest);
    }

    /// Metadata that repeats the run and rates what the responses rate.
    pub(super) fn copy_metadata(&mut self) {
        let Derived { manifest, responses, .. } = self.derived();
        let mut metadata = json!(manifest.mirror(&self.t0.run, &self.routing.triggered_roles, &responses, &self.plan));
        let assessments = manifest.passes.iter().zip(&responses).map(|(pass, response)| {
            let suffix = if pass.mode == PassMode::Substituted { " (parent substitute)" } else { "" };
            json!({"role": pass.role.label() + suffix, "rating": response.assessment.rating, "evidence": pass.output_path})
        });
        metadata["reviewer_assessments"] = assessments.collect();
        metadata["specialist_manifest"] = json!(MANIFEST_FILE);
        metadata["scope"] = json!(self.t0.run.scope);
        metadata["risk_tier"] = json!(self.routing.risk_tier);
        self.metadata = metadata;
    }

    /// What these steps find, one after the other: codes with their subjects.
    pub(super) fn found(&self, steps: &[Step]) -> Vec<String> {
        let resolved = BTreeMap::new();
        let facts = Facts {
            image: &self.image,
            run_path: "/run",
            producer_id: None,
            git_state: None,
            mirror: None,
            role_cards: &self.cards,
            prior: None,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted: self.promoted,
        };
        let mut context = Context::new(&facts, Some("result.candidate.json"));
        context.t0 = Some(self.t0.clone());
        context.routing = Some(self.routing.clone());
        context.plan = Some(self.plan.clone());
        context.confidence = self.confidence.clone();
        context.notes = Some(Outline::read(&self.notes));
        let result = json!({"metadata": self.metadata}).to_string();
        context.result = parse(KIND, result.as_bytes()).ok().map(|(_, root)| root);
        let mut found = Vec::new();
        for step in steps {
            let mut sink = Sink::new(*step);
            check::run(*step, &mut context, &mut sink);
            found.extend(sink.finish().0.iter().map(super::violation::Violation::token));
        }
        found
    }
}

/// A response that inspects [`SOURCE`] and rates it.
pub(super) fn response(role: Role, rating: &str) -> String {
    let readiness = if rating == "null" { "blocked" } else { "complete" };
    format!(
        "role_id: {role}\n\n## Reviewer Assessment\n\nSource rating version: 1\nRating: {rating}\nVerification readiness: {readiness}\n\
         Rationale: It was read.\n\n## Inspected Paths\n\n- `{SOURCE}`\n\n## Reviewer Confidence\n\n```json\n\
         {{\"score\": 0.9, \"scope\": \"the file\", \"gaps\": []}}\n```\n"
    )
}

fn t0() -> T0 {
    let run = RunRecord {
        schema_version: 1,
        protocol: super::vocabulary::PROTOCOL.to_owned(),
        run_id: "5f0c5a6e-0000-4000-8000-000000000001".to_owned(),
        producer_id: "local-0000000000000000".to_owned(),
        tool_version: "1.0.0".to_owned(),
        created_at: "2026-01-01T00:00:00Z".to_owned(),
        scope: Scope::WorkingTree,
        targets: Vec::new(),
        target_label: "working tree".to_owned(),
        source_worktree: "/source".to_owned(),
        review_worktree: None,
        base_oid: None,
        head_oid: None,
        config_sha256: digest_bytes(b"config"),
        config_origin: "defaults".to_owned(),
        independence_required: false,
        independence_requirement_evidence: None,
        caller_contract: None,
        revised_scope: None,
    };
    T0 {
        run,
        config: Config { schema_version: 1, code_review: CodeReview::default(), policy: Value::Null },
        tracked: vec![SOURCE.to_owned()],
        untracked: Vec::new(),
        numstat: Vec::new(),
        inspection_set: vec![SOURCE.to_owned()],
        review_input_sha256: digest_bytes(b"diff"),
        mirror: None,
        snapshot: None,
        reviewed_commit: None,
    }
}

fn routing(roles: &[Role]) -> Routing {
    Routing {
        schema_version: 1,
        risk_tier: Tier::Local,
        mechanical_risk_tier: Tier::Local,
        mechanical_risk_evidence: Vec::new(),
        signals: BTreeMap::from([("axis_scientist".to_owned(), true)]),
        signal_evidence: BTreeMap::new(),
        triggered_roles: roles.to_vec(),
        trigger_reasons: roles.iter().map(|role| (*role, vec!["one".to_owned(), "two".to_owned()])).collect(),
        explicit_selections: BTreeMap::new(),
        independent_review_required: false,
        independence_requirement_evidence: None,
    }
}
