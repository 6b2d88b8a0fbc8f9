//! One call of a plugin with an input from outside, and everything that came of it: what authors ask while they write a plugin.

use std::time::Duration;

use code_polishy_core::{
    plugin::{PluginFault, PluginSource, Role},
    plugin_case::{Answer, Input},
};

use crate::{
    handle::{Called, Figures, PathRolesWorld, ReportRendererWorld, ReviewerAdapterWorld, SuiteRunnerWorld},
    host::Sandbox,
    note::Note,
};

/// A finished call.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The answer, the plugin's own failure among them; or how the call ended without one.
    pub answer: Result<Answer, PluginFault>,
    /// What the plugin logged, oldest first.
    pub log: Vec<Note>,
    /// What it used.
    pub figures: Figures,
    /// How long it took: differs from run to run.
    pub elapsed: Duration,
}

impl Sandbox {
    /// Loads the plugin and makes the call. The options are the input's, not the source's.
    ///
    /// Fails when the plugin cannot be loaded or is of another kind than the input.
    pub fn ask(&self, source: &PluginSource, input: &Input) -> Result<Asked, PluginFault> {
        let source = PluginSource { options: input.options(), ..source.clone() };
        Ok(match input {
            Input::Plan(input) => asked(self.handle::<SuiteRunnerWorld>(&source)?.plan_once(&input.suite.facts()), Answer::from),
            Input::Judge(input) => {
                let runner = self.handle::<SuiteRunnerWorld>(&source)?;
                asked(runner.judge_once(&input.suite.facts(), &input.execution.facts()), Answer::from)
            }
            Input::Classify(input) => {
                let facts = input.facts();
                let named = |roles: Vec<Option<Role>>| Answer::Roles(facts.iter().map(|fact| fact.path.clone()).zip(roles).collect());
                asked(self.handle::<PathRolesWorld>(&source)?.classify_once(&facts), named)
            }
            Input::Render(input) => {
                let report = code_polishy_core::canonical::canonical_json(&input.report);
                asked(self.handle::<ReportRendererWorld>(&source)?.render_once(&report), Answer::from)
            }
            Input::Verify(input) => {
                asked(self.handle::<ReviewerAdapterWorld>(&source)?.verify_once(&input.run_id, &input.facts()), Answer::from)
            }
        })
    }
}

fn asked<T>(called: Called<T>, name: impl Fn(T) -> Answer) -> Asked {
    let Called { answer, failure, log, figures, elapsed } = called;
    let answer = match failure {
        Some(failure) => Ok(Answer::Failure(failure)),
        None => answer.map(name),
    };
    Asked { answer, log, figures, elapsed }
}
