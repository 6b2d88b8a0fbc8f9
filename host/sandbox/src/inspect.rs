//! What authors and users ask about a plugin: who it is, whether it keeps the contract, and what it costs.

use code_polishy_core::{
    canonical::canonical_json,
    plugin::{
        CollectedFile, ExecutionFacts, PathFact, PathKind, PluginFault, PluginFaultKind, PluginKind, PluginSource, ProcessExit,
        StreamFacts, SuiteFacts,
    },
};
use serde_json::json;

use crate::{
    admission::Admitted,
    handle::{Handle, PathRolesWorld, ReportRendererWorld, SuiteRunnerWorld, World},
    host::{Sandbox, unsupported},
    source::Component,
};
pub use crate::{convert::description::Description, handle::Figures};

/// Paths of the canonical payload, enough that work per path shows.
const PATHS: usize = 1000;

/// Bytes of output in the canonical payload.
const OUTPUT_BYTES: usize = 64 << 10;

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
    /// The function and the payload, such as `judge: exit 0`.
    pub call: &'static str,
    /// How the first call ended without an answer.
    pub fault: Option<PluginFault>,
    /// Whether the second call gave the same answer, log and fuel.
    pub repeats: bool,
    /// What the first call used.
    pub figures: Figures,
}

impl Probe {
    /// A failure of its own is an answer too: a plugin may need options that a canonical call does not have.
    pub fn passed(&self) -> bool {
        self.repeats && self.fault.as_ref().is_none_or(|fault| fault.kind == PluginFaultKind::Refused)
    }

    fn of<T: PartialEq>(call: &'static str, ask: impl Fn() -> (Result<T, PluginFault>, Figures)) -> Self {
        let (first, second) = (ask(), ask());
        Self { call, repeats: first == second, fault: first.0.err(), figures: first.1 }
    }
}

impl Sandbox {
    /// What the plugin says about itself, checked.
    pub fn describe(&self, source: &PluginSource) -> Result<Description, PluginFault> {
        match source.kind {
            PluginKind::PathRoles => self.handle::<PathRolesWorld>(source)?.describe().0,
            PluginKind::SuiteRunner => self.handle::<SuiteRunnerWorld>(source)?.describe().0,
            PluginKind::ReportRenderer => self.handle::<ReportRendererWorld>(source)?.describe().0,
            PluginKind::ReviewerAdapter => Err(unsupported(source)),
        }
    }

    /// Admits the plugin, asks for its description, and makes every call of its kind twice with canonical payloads and the source's options.
    ///
    /// Fails when the plugin cannot be loaded or described; what the calls did is in the report.
    pub fn check(&self, source: &PluginSource) -> Result<CheckReport, PluginFault> {
        let component = Component::of(source)?;
        let admitted = self.admit(&source.name, component.bytes, component.size_mib)?;
        let (description, probes) = match source.kind {
            PluginKind::PathRoles => {
                let plugin = self.handle::<PathRolesWorld>(source)?;
                let paths = sample_paths();
                described(&plugin, vec![Probe::of("classify: 1000 paths", || plugin.classify_once(&paths))])
            }
            PluginKind::SuiteRunner => {
                let plugin = self.handle::<SuiteRunnerWorld>(source)?;
                let (suite, passed, failed) = (sample_suite(), sample_run(0), sample_run(1));
                let probes = vec![
                    Probe::of("plan", || plugin.plan_once(&suite)),
                    Probe::of("judge: exit 0", || plugin.judge_once(&suite, &passed)),
                    Probe::of("judge: exit 1", || plugin.judge_once(&suite, &failed)),
                ];
                described(&plugin, probes)
            }
            PluginKind::ReportRenderer => {
                let plugin = self.handle::<ReportRendererWorld>(source)?;
                let report = sample_report();
                described(&plugin, vec![Probe::of("render: a blocked gate", || plugin.render_once(&report))])
            }
            PluginKind::ReviewerAdapter => Err(unsupported(source)),
        }?;
        Ok(CheckReport { admitted, description, probes })
    }
}

fn described<W: World>(plugin: &Handle<W>, mut probes: Vec<Probe>) -> Result<(Description, Vec<Probe>), PluginFault> {
    let description = plugin.describe().0?;
    probes.insert(0, Probe::of("describe", || plugin.describe()));
    Ok((description, probes))
}

fn sample_paths() -> Vec<PathFact> {
    let folders = ["src", "tests", "docs", "src/fixtures", "build", "über uns"];
    let endings = ["rs", "md", "json", "py", "lock"];
    let kinds = [PathKind::File, PathKind::File, PathKind::File, PathKind::Link, PathKind::Gitlink];
    let fact = |number: usize| {
        let kind = kinds[number % kinds.len()];
        let head = if kind == PathKind::Gitlink { Vec::new() } else { format!("// generated line {number}\n").into_bytes() };
        PathFact {
            path: format!("{}/file-{number}.{}", folders[number % folders.len()], endings[number % endings.len()]),
            kind,
            executable: number.is_multiple_of(7),
            size: head.len() as u64,
            head,
            attributes: if number.is_multiple_of(50) { vec![("linguist-generated".to_owned(), "true".to_owned())] } else { Vec::new() },
        }
    };
    (0..PATHS).map(fact).collect()
}

fn sample_suite() -> SuiteFacts {
    SuiteFacts { name: "unit".to_owned(), kind: "unit".to_owned(), argv: vec!["make".to_owned(), "test".to_owned()], cwd: ".".to_owned() }
}

fn sample_run(code: i32) -> ExecutionFacts {
    let text: Vec<u8> =
        b"running 2 tests\ntest a ... ok\ntest b ... FAILED\n\xff\xfe\n".iter().copied().cycle().take(OUTPUT_BYTES).collect();
    let stream = |text: &[u8]| StreamFacts { head: text.to_vec(), tail: Vec::new(), total: text.len() as u64 };
    ExecutionFacts {
        exit: ProcessExit::Code(code),
        output: stream(&text),
        errors: stream(b""),
        files: vec![CollectedFile { path: "report.xml".to_owned(), content: b"<testsuites".to_vec(), truncated: true }],
    }
}

/// Text that a renderer must escape is part of it.
fn sample_report() -> String {
    let text = "<b>&amp; | `x` \u{202e} ``` \u{1f600}";
    canonical_json(&json!({
        "protocol": "code-polishy-report/v1",
        "action": "merge-gate",
        "state": "blocked",
        "diagnostics": [{"code": "suite.failed", "pointer": "", "message": text, "next": "mend the suite"}],
    }))
}
