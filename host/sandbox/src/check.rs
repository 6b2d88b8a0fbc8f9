//! Whether a plugin keeps the contract, and what it costs: canonical calls, each made twice.

use std::time::Duration;

use code_polishy_core::plugin::{PluginFault, PluginFaultKind, PluginKind, PluginSource};

use crate::{
    admission::Admitted,
    handle::{Called, Handle, PathRolesWorld, ReportRendererWorld, ReviewerAdapterWorld, SuiteRunnerWorld, World},
    host::Sandbox,
    payload,
    source::Component,
};
pub use crate::{convert::description::Description, handle::Figures};

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// What is known without running it.
    pub admitted: Admitted,
    /// What it says about itself.
    pub description: Description,
    /// One for each canonical call, in a fixed order.
    pub probes: Vec<Probe>,
}

impl CheckReport {
    /// Whether every call gave an answer of the contract, the same one twice.
    pub fn passed(&self) -> bool {
        self.probes.iter().all(Probe::passed)
    }
}

/// One canonical call, made twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The function and the payload, such as `judge: all tests pass`.
    pub call: String,
    /// How the first call ended without an answer; a failure of the plugin's own is an answer, and stands here too.
    pub fault: Option<PluginFault>,
    /// Whether the second call gave the same answer, log and fuel; a call that used all of its fuel or time is not made again.
    pub repeats: bool,
    /// What the first call used.
    pub figures: Figures,
    /// How long the last call took, with the host's part: differs from run to run.
    pub elapsed: Duration,
}

impl Probe {
    /// A failure of its own is an answer too: a plugin may need options that a canonical call does not have.
    pub fn passed(&self) -> bool {
        self.repeats && self.fault.as_ref().is_none_or(|fault| fault.kind == PluginFaultKind::Refused)
    }

    fn of<T: PartialEq>(function: &str, payload: &str, ask: impl Fn() -> Called<T>) -> Self {
        let first = ask();
        let call = if payload.is_empty() { function.to_owned() } else { format!("{function}: {payload}") };
        let (fault, figures) = (first.answer.as_ref().err().cloned(), first.figures);
        // Whether a call that ran to its limits ends there again is worth nobody's seconds.
        if fault.as_ref().is_some_and(|fault| matches!(fault.kind, PluginFaultKind::OutOfFuel | PluginFaultKind::TimedOut)) {
            return Self { call, fault, repeats: true, figures, elapsed: first.elapsed };
        }
        let second = ask();
        let repeats = first.answer == second.answer && first.log == second.log && figures == second.figures;
        Self { call, fault, repeats, figures, elapsed: second.elapsed }
    }
}

impl Sandbox {
    /// Admits the plugin, asks for its description, and makes every call of its kind twice with canonical payloads and the source's options:
    /// typical, empty, hostile and the largest that a host hands in.
    ///
    /// Fails when the plugin cannot be loaded or described; what the calls did is in the report.
    pub fn check(&self, source: &PluginSource) -> Result<CheckReport, PluginFault> {
        let component = Component::of(source)?;
        let admitted = self.admit(&source.name, component.bytes, component.size_mib)?;
        let (description, probes) = match source.kind {
            PluginKind::PathRoles => described(&self.handle::<PathRolesWorld>(source)?, classify),
            PluginKind::SuiteRunner => described(&self.handle::<SuiteRunnerWorld>(source)?, plan_and_judge),
            PluginKind::ReportRenderer => described(&self.handle::<ReportRendererWorld>(source)?, render),
            PluginKind::ReviewerAdapter => described(&self.handle::<ReviewerAdapterWorld>(source)?, verify),
        }?;
        Ok(CheckReport { admitted, description, probes })
    }
}

fn described<W: World>(plugin: &Handle<W>, calls: fn(&Handle<W>) -> Vec<Probe>) -> Result<(Description, Vec<Probe>), PluginFault> {
    let description = plugin.describe().answer?;
    let mut probes = vec![Probe::of("describe", "", || plugin.describe())];
    probes.extend(calls(plugin));
    Ok((description, probes))
}

fn classify(plugin: &Handle<PathRolesWorld>) -> Vec<Probe> {
    let probe = |(name, paths): payload::path_roles::Named| {
        let paths = paths();
        Probe::of("classify", name, || plugin.classify_once(&paths))
    };
    payload::path_roles::ALL.into_iter().map(probe).collect()
}

/// What the runner wants to collect is what it gets: its own plan says which files there are.
fn plan_and_judge(plugin: &Handle<SuiteRunnerWorld>) -> Vec<Probe> {
    let suite = payload::suite_runner::suite();
    let reports = plugin.plan_once(&suite).answer.map(|invocation| invocation.reports).unwrap_or_default();
    let probe = |(name, run): payload::suite_runner::Named| {
        let run = run(&reports);
        Probe::of("judge", name, || plugin.judge_once(&suite, &run))
    };
    let plan = Probe::of("plan", "", || plugin.plan_once(&suite));
    std::iter::once(plan).chain(payload::suite_runner::ALL.into_iter().map(probe)).collect()
}

fn render(plugin: &Handle<ReportRendererWorld>) -> Vec<Probe> {
    let probe = |(name, report): payload::report_renderer::Named| {
        let report = report();
        Probe::of("render", name, || plugin.render_once(&report))
    };
    payload::report_renderer::ALL.into_iter().map(probe).collect()
}

fn verify(plugin: &Handle<ReviewerAdapterWorld>) -> Vec<Probe> {
    let probe = |(name, receipts): payload::reviewer_adapter::Named| {
        let receipts = receipts();
        Probe::of("verify", name, || plugin.verify_once(payload::reviewer_adapter::RUN_ID, &receipts))
    };
    payload::reviewer_adapter::ALL.into_iter().map(probe).collect()
}
