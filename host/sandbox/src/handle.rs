//! A loaded plugin behind the engine's traits: each method is one call in a fresh store, checked on the way out.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use code_polishy_core::{
    plugin::{
        Artifact, ExecutionFacts, Invocation, PathFact, PathRoles, PluginFault, PluginIdentity, PluginKind, ReceiptFacts, ReportRenderer,
        ReviewerAdapter, Role, SuiteFacts, SuiteRunner, Verdict, Verification,
    },
    plugin_case::FailureAnswer,
};
use wasmtime::{Store, component::InstancePre};

use crate::{
    bindings::{
        path_roles::{PathRolesPlugin, PathRolesPluginPre},
        report_renderer::{ReportRendererPlugin, ReportRendererPluginPre},
        reviewer_adapter::{ReviewerAdapterPlugin, ReviewerAdapterPluginPre},
        suite_runner::{SuiteRunnerPlugin, SuiteRunnerPluginPre},
        types,
    },
    call::{self, CallState},
    convert::{self, AnswerError, description::Description},
    fault,
    limits::Budget,
    note::Note,
    shared::Shared,
};

/// What a call used: diagnostics that change with wasmtime's version, never evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Fuel that was used.
    pub fuel: u64,
    /// Fuel that it had.
    pub fuel_limit: u64,
    /// Linear memory at its largest, in bytes.
    pub memory: usize,
    /// The memory in bytes that it might have had.
    pub memory_limit: usize,
}

/// One finished call, with everything that there is to tell about it.
#[derive(Clone, Debug)]
pub struct Called<T> {
    /// The checked answer, or why there is none.
    pub answer: Result<T, PluginFault>,
    /// The plugin's own failure in its own words, when that is why.
    pub failure: Option<FailureAnswer>,
    /// What it sent through `log`, oldest first.
    pub log: Vec<Note>,
    /// What it used.
    pub figures: Figures,
    /// How long it took, with the host's part: differs from run to run.
    pub elapsed: Duration,
}

/// A world of the contract, with its exports found and their types checked.
pub trait World: Sized + Sync {
    /// A fresh instance.
    type Instance: Sync;
    /// What the world is for.
    const KIND: PluginKind;
    /// Finds the exports.
    fn find(pre: InstancePre<CallState>) -> wasmtime::Result<Self>;
    /// Makes an instance.
    fn instantiate(&self, store: &mut Store<CallState>) -> wasmtime::Result<Self::Instance>;
    /// Calls `describe`.
    fn describe(instance: &Self::Instance, store: &mut Store<CallState>) -> wasmtime::Result<types::Description>;
}

macro_rules! world {
    ($pre:ident, $instance:ident, $kind:ident) => {
        impl World for $pre<CallState> {
            type Instance = $instance;
            const KIND: PluginKind = PluginKind::$kind;

            fn find(pre: InstancePre<CallState>) -> wasmtime::Result<Self> {
                Self::new(pre)
            }

            fn instantiate(&self, store: &mut Store<CallState>) -> wasmtime::Result<$instance> {
                $pre::instantiate(self, store)
            }

            fn describe(instance: &$instance, store: &mut Store<CallState>) -> wasmtime::Result<types::Description> {
                instance.call_describe(store)
            }
        }
    };
}

world!(PathRolesPluginPre, PathRolesPlugin, PathRoles);
world!(SuiteRunnerPluginPre, SuiteRunnerPlugin, SuiteRunner);
world!(ReportRendererPluginPre, ReportRendererPlugin, ReportRenderer);
world!(ReviewerAdapterPluginPre, ReviewerAdapterPlugin, ReviewerAdapter);

/// The world of classifiers.
pub type PathRolesWorld = PathRolesPluginPre<CallState>;
/// The world of runners.
pub type SuiteRunnerWorld = SuiteRunnerPluginPre<CallState>;
/// The world of renderers.
pub type ReportRendererWorld = ReportRendererPluginPre<CallState>;

/// The world of adapters.
pub type ReviewerAdapterWorld = ReviewerAdapterPluginPre<CallState>;

/// A plugin that is ready to be called.
pub struct Handle<W> {
    pub(crate) shared: Arc<Shared>,
    pub(crate) world: W,
    pub(crate) identity: PluginIdentity,
    pub(crate) options: String,
    pub(crate) budget: Budget,
}

impl<W: World> Handle<W> {
    /// One call: `input` bytes go in, `ask` calls, `check` believes the answer or not.
    fn call<T: Send, U>(
        &self,
        input: usize,
        ask: impl FnOnce(&W::Instance, &mut Store<CallState>) -> wasmtime::Result<Result<T, types::Failure>> + Send,
        check: impl FnOnce(T) -> Result<U, AnswerError>,
    ) -> Called<U> {
        let (budget, started) = (self.budget.with_input(input), Instant::now());
        let finished = call::run(self.shared.engine(), budget, |store| self.world.instantiate(store), ask);
        let elapsed = started.elapsed();
        let figures = Figures { fuel: finished.fuel, fuel_limit: budget.fuel, memory: finished.memory, memory_limit: budget.memory };
        let (plugin, log) = (self.identity.name.as_str(), finished.log);
        let mut own_failure = None;
        let answer = match finished.answer {
            Ok(Ok(said)) => check(said).map_err(|error| fault::broken_answer(plugin, &error, &log)),
            Ok(Err(failure)) => {
                let fault = fault::refused(plugin, &failure, &log);
                let types::Failure { code, message, hint } = failure;
                own_failure = Some(FailureAnswer { code, message, hint });
                Err(fault)
            }
            Err(error) => Err(fault::call_failed(plugin, &error, &log)),
        };
        let log: Vec<Note> = log.into_iter().map(|message| Note::of_plugin(plugin, message)).collect();
        log.iter().for_each(|note| self.shared.tell(note.clone()));
        Called { answer, failure: own_failure, log, figures, elapsed }
    }

    /// `describe`.
    pub fn describe(&self) -> Called<Description> {
        self.call(0, |instance, store| W::describe(instance, store).map(Ok), convert::description::description)
    }
}

impl Handle<PathRolesWorld> {
    /// `classify` for at most [`convert::path_roles::MAX_PATHS`] paths.
    pub fn classify_once(&self, paths: &[PathFact]) -> Called<Vec<Option<Role>>> {
        let facts = convert::path_roles::facts(paths);
        let input = convert::path_roles::facts_size(&facts) + self.options.len();
        self.call(
            input,
            |plugin, store| plugin.code_polishy_plugin_path_roles().call_classify(store, &facts, &self.options),
            |said| convert::path_roles::roles(said, paths.len()),
        )
    }
}

impl PathRoles for Handle<PathRolesWorld> {
    fn identity(&self) -> &PluginIdentity {
        &self.identity
    }

    fn classify(&self, paths: &[PathFact]) -> Result<Vec<Option<Role>>, PluginFault> {
        let mut roles = Vec::with_capacity(paths.len());
        for part in paths.chunks(convert::path_roles::MAX_PATHS) {
            roles.append(&mut self.classify_once(part).answer?);
        }
        Ok(roles)
    }
}

impl Handle<SuiteRunnerWorld> {
    /// `plan`, with what it used.
    pub fn plan_once(&self, suite: &SuiteFacts) -> Called<Invocation> {
        let input = convert::suite_runner::suite_size(suite, &self.options);
        let suite = convert::suite_runner::suite(suite, &self.options);
        self.call(
            input,
            |plugin, store| plugin.code_polishy_plugin_suite_runner().call_plan(store, &suite),
            convert::suite_runner::invocation,
        )
    }

    /// `judge`, with what it used.
    pub fn judge_once(&self, suite: &SuiteFacts, run: &ExecutionFacts) -> Called<Verdict> {
        let input = convert::suite_runner::suite_size(suite, &self.options) + convert::suite_runner::execution_size(run);
        let (suite, run) = (convert::suite_runner::suite(suite, &self.options), convert::suite_runner::execution(run));
        self.call(
            input,
            |plugin, store| plugin.code_polishy_plugin_suite_runner().call_judge(store, &suite, &run),
            convert::suite_runner::verdict,
        )
    }
}

impl SuiteRunner for Handle<SuiteRunnerWorld> {
    fn identity(&self) -> &PluginIdentity {
        &self.identity
    }

    fn plan(&self, suite: &SuiteFacts) -> Result<Invocation, PluginFault> {
        self.plan_once(suite).answer
    }

    fn judge(&self, suite: &SuiteFacts, execution: &ExecutionFacts) -> Result<Verdict, PluginFault> {
        self.judge_once(suite, execution).answer
    }
}

impl Handle<ReportRendererWorld> {
    /// `render`, with what it used.
    pub fn render_once(&self, report: &str) -> Called<Vec<Artifact>> {
        self.call(
            report.len() + self.options.len(),
            |plugin, store| plugin.code_polishy_plugin_report_renderer().call_render(store, report, &self.options),
            convert::report_renderer::artifacts,
        )
    }
}

impl ReportRenderer for Handle<ReportRendererWorld> {
    fn identity(&self) -> &PluginIdentity {
        &self.identity
    }

    fn render(&self, report: &str) -> Result<Vec<Artifact>, PluginFault> {
        self.render_once(report).answer
    }
}

impl Handle<ReviewerAdapterWorld> {
    /// `verify`, with what it used.
    pub fn verify_once(&self, run_id: &str, receipts: &[ReceiptFacts]) -> Called<Verification> {
        let input = convert::reviewer_adapter::receipts_size(receipts) + run_id.len() + self.options.len();
        let receipts = convert::reviewer_adapter::receipts(receipts);
        self.call(
            input,
            |plugin, store| plugin.code_polishy_plugin_reviewer_adapter().call_verify(store, run_id, &receipts, &self.options),
            convert::reviewer_adapter::verification,
        )
    }
}

impl ReviewerAdapter for Handle<ReviewerAdapterWorld> {
    fn identity(&self) -> &PluginIdentity {
        &self.identity
    }

    fn verify(&self, run_id: &str, receipts: &[ReceiptFacts]) -> Result<Verification, PluginFault> {
        self.verify_once(run_id, receipts).answer
    }
}
