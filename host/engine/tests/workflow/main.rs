//! Workflows on real repositories, with a runner that only looks at the exit status.
#![allow(clippy::unwrap_used, reason = "a fault ends the test")]

#[path = "../git_support/mod.rs"]
mod git_support;

mod documents;
mod histories;
mod init;
mod levels;
mod suites;

use std::{ffi::OsString, sync::Mutex};

use code_polishy_core::plugin::{
    ExecutionFacts, Invocation, Outcome, PathRoles, PluginFault, PluginHost, PluginIdentity, PluginKind, PluginSource, ProcessExit,
    ReportRenderer, ReviewerAdapter, SuiteFacts, SuiteRunner, Verdict,
};
use code_polishy_engine::{
    event::{Event, Observer},
    interrupt::Interrupt,
    places::Places,
    workspace::Workspace,
};

use git_support::Sample;

/// Knows one bundled plugin, the runner `exec`.
struct Host(PluginIdentity);

impl Host {
    fn new() -> Self {
        Self(PluginIdentity { name: "exec".to_owned(), sha256: "0".repeat(64) })
    }
}

impl PluginHost for Host {
    fn path_roles(&self, _: &PluginSource) -> Result<Box<dyn PathRoles + Send + Sync>, PluginFault> {
        panic!("no test classifies")
    }

    fn suite_runner(&self, _: &PluginSource) -> Result<Box<dyn SuiteRunner + Send + Sync>, PluginFault> {
        Ok(Box::new(Exec(self.0.clone())))
    }

    fn report_renderer(&self, _: &PluginSource) -> Result<Box<dyn ReportRenderer + Send + Sync>, PluginFault> {
        panic!("no test renders")
    }

    fn reviewer_adapter(&self, _: &PluginSource) -> Result<Box<dyn ReviewerAdapter + Send + Sync>, PluginFault> {
        panic!("no test attests")
    }

    fn bundled(&self, kind: PluginKind, name: &str) -> Option<PluginIdentity> {
        (kind == PluginKind::SuiteRunner && name == self.0.name).then(|| self.0.clone())
    }

    fn bundled_component(&self, _: PluginKind, _: &str) -> Option<&'static [u8]> {
        None
    }
}

struct Exec(PluginIdentity);

impl SuiteRunner for Exec {
    fn identity(&self) -> &PluginIdentity {
        &self.0
    }

    fn plan(&self, _: &SuiteFacts) -> Result<Invocation, PluginFault> {
        Ok(Invocation::default())
    }

    fn judge(&self, _: &SuiteFacts, execution: &ExecutionFacts) -> Result<Verdict, PluginFault> {
        let outcome = match execution.exit {
            ProcessExit::Code(0) => Outcome::Passed,
            // What a runner that counts would say of an empty run.
            ProcessExit::Code(5) => Outcome::NoTests,
            _ => Outcome::Failed,
        };
        Ok(Verdict { outcome, cases: None, summary: format!("{:?}", execution.exit) })
    }
}

/// Remembers events as words.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Observer for Heard {
    fn on(&self, event: &Event<'_>) {
        let words = match event {
            Event::Started { name } => format!("run {name}"),
            Event::Passed { name, .. } => format!("pass {name}"),
            Event::Failed { name, category, tail, .. } => format!("fail {name} {} {tail}", category.name()),
            _ => return,
        };
        self.0.lock().unwrap().push(words);
    }
}

fn workspace<'a>(sample: &Sample, host: &'a Host, observer: &'a dyn Observer) -> Workspace<'a> {
    let cache = OsString::from(sample.beside("cache"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    Workspace {
        repository: sample.open(),
        plugins: host,
        interrupt: Interrupt::manual(),
        places: Places::new(|name| (name == "CODE_POLISHY_CACHE").then(|| cache.clone())).unwrap(),
        environment: vec![("PATH".into(), path)],
        observer,
    }
}
