//! What is configured and what a merge gate would run, for people.

use code_polishy_core::text::escape_line;
use code_polishy_engine::workflow::levels::{ConfiguredCheck, ConfiguredSuite, Levels, Plan, PlannedCommand};
use serde::Serialize;

use super::{
    json::word,
    lines::{FAINT, STRONG, list, next, paint, state},
};

/// `test-levels`.
pub fn lines(levels: &Levels, verbose: bool) -> Vec<String> {
    let mut lines = levels.plan.as_ref().map(plan).unwrap_or_default();
    lines.push(heading("SUITES:", levels.suites.is_empty()));
    lines.extend(levels.suites.iter().map(suite));
    lines.push(heading("CHECKS:", levels.checks.is_empty()));
    lines.extend(levels.checks.iter().map(check));
    if verbose && !levels.not_enforced.is_empty() {
        lines.push(format!("NOT ENFORCED: {}", list(&levels.not_enforced)));
    }
    lines.extend(levels.plan.as_ref().map(|plan| next(&plan.next)));
    lines
}

fn heading(label: &str, empty: bool) -> String {
    let label = paint(STRONG, label);
    if empty { format!("{label} none") } else { label }
}

fn plan(plan: &Plan) -> Vec<String> {
    let mut lines = vec![format!("MERGE PLAN: {} against {}", plan.level.name().to_uppercase(), plan.base)];
    lines.extend(plan.level_reasons.iter().map(|reason| format!("  {} {}", paint(FAINT, "because"), escape_line(reason))));
    lines.extend(plan.lines.iter().map(|line| state(line)));
    if !plan.uncommitted.is_empty() {
        lines.push(format!("UNCOMMITTED: {}", list(&plan.uncommitted)));
    }
    for phase in &plan.phases {
        lines.push(heading(&format!("WOULD RUN {}:", word(&phase.category)), false));
        lines.extend(phase.commands.iter().map(planned));
    }
    lines
}

fn planned(command: &PlannedCommand) -> String {
    let reasons: Vec<String> = command.reasons.iter().map(|reason| escape_line(reason)).collect();
    format!("  {}{} {}", escape_line(&command.name), program(&command.argv), paint(FAINT, &format!("({})", reasons.join("; "))))
}

fn suite(suite: &ConfiguredSuite) -> String {
    let module = suite.module.as_ref().map(|module| format!(" {}", escape_line(module))).unwrap_or_default();
    let ConfiguredSuite { kind, scope, cost, run_on, runner, .. } = suite;
    let facts = format!(
        "({}, {}{module}, {}; runs at {}; runner {})",
        escape_line(kind),
        word(scope),
        word(cost),
        words(run_on),
        escape_line(runner)
    );
    format!("  {}{} {}", escape_line(&suite.name), program(&suite.argv), paint(FAINT, &facts))
}

fn check(check: &ConfiguredCheck) -> String {
    let facts = format!("({}; runs at {})", word(&check.category), words(&check.run_on));
    format!("  {}{} {}", escape_line(&check.name), program(&check.argv), paint(FAINT, &facts))
}

fn program(argv: &[String]) -> String {
    if argv.is_empty() { String::new() } else { format!(": {}", escape_line(&argv.join(" "))) }
}

fn words<T: Serialize>(values: &[T]) -> String {
    list(&values.iter().map(word).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use code_polishy_core::policy::model::{CheckCategory, CheckRun, Cost, SuiteRun, SuiteScope};

    use super::*;

    #[test]
    fn what_is_configured() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let levels = Levels {
            protocol: "",
            version: 1,
            command: "test-levels",
            suites: vec![ConfiguredSuite {
                name: "checkout-contract".to_owned(),
                kind: "contract".to_owned(),
                scope: SuiteScope::Module,
                module: Some("checkout".to_owned()),
                cost: Cost::Quick,
                run_on: vec![SuiteRun::Focused, SuiteRun::Full],
                runner: "exec".to_owned(),
                argv: words(&["./run.sh", "a\nPASS"]),
            }],
            checks: vec![ConfiguredCheck {
                name: "syntax".to_owned(),
                category: CheckCategory::SupplyChain,
                run_on: vec![CheckRun::Checkpoint],
                argv: words(&["sh", "-n", "a.sh"]),
            }],
            not_enforced: words(&["architecture"]),
            plan: None,
        };
        let text = anstream::adapter::strip_str(&lines(&levels, true).join("\n")).to_string();
        insta::assert_snapshot!(text, @r"
        SUITES:
          checkout-contract: ./run.sh a\nPASS (contract, module checkout, quick; runs at focused, full; runner exec)
        CHECKS:
          syntax: sh -n a.sh (supply-chain; runs at checkpoint)
        NOT ENFORCED: architecture
        ");
        let empty = Levels { suites: Vec::new(), checks: Vec::new(), ..levels };
        let text = anstream::adapter::strip_str(&lines(&empty, false).join("\n")).to_string();
        insta::assert_snapshot!(text, @r"
        SUITES: none
        CHECKS: none
        ");
    }
}
