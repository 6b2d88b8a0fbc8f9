//! What is configured and what a merge gate would run, for people.

use code_polishy_core::text::escape_line;
use code_polishy_engine::workflow::levels::{ConfiguredCheck, ConfiguredSuite, Levels, Plan, PlannedCommand};
use serde::Serialize;

use super::{
    json::word,
    lines::{FAINT, STRONG, list, next, paint, state},
    table::{table, wrapped},
};

/// `test-levels`.
pub fn lines(levels: &Levels, verbose: bool) -> Vec<String> {
    let mut lines = levels.plan.as_ref().map(plan).unwrap_or_default();
    lines.push(heading("SUITES:", levels.suites.is_empty()));
    lines.extend(suites(&levels.suites));
    lines.push(heading("CHECKS:", levels.checks.is_empty()));
    lines.extend(checks(&levels.checks));
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
    lines.extend(plan.level_reasons.iter().flat_map(|reason| faint(2, &format!("because {}", escape_line(reason)))));
    lines.extend(plan.lines.iter().map(|line| state(line)));
    if !plan.uncommitted.is_empty() {
        lines.push(format!("UNCOMMITTED: {}", list(&plan.uncommitted)));
    }
    for phase in &plan.phases {
        lines.push(heading(&format!("WOULD RUN {}:", word(&phase.category)), false));
        lines.extend(phase.commands.iter().flat_map(planned));
    }
    lines
}

fn planned(command: &PlannedCommand) -> Vec<String> {
    let mut lines = vec![format!("  {}", escape_line(&command.name))];
    lines.extend(program(&command.argv));
    lines.extend(command.reasons.iter().flat_map(|reason| faint(4, &escape_line(reason))));
    lines
}

/// `FROM` is the least level: the others follow from it.
fn suites(suites: &[ConfiguredSuite]) -> Vec<String> {
    let row = |suite: &ConfiguredSuite| {
        let covers = match &suite.module {
            Some(module) => format!("{} {}", word(&suite.scope), escape_line(module)),
            None => word(&suite.scope),
        };
        let from = suite.run_on.iter().min().map(word).unwrap_or_default();
        [escape_line(&suite.name), escape_line(&suite.kind), covers, word(&suite.cost), from, escape_line(&suite.runner)]
    };
    let rows: Vec<_> = suites.iter().map(row).collect();
    let programs = suites.iter().map(|suite| program(&suite.argv));
    with_programs(table(["NAME", "KIND", "COVERS", "COST", "FROM", "RUNNER"], &rows), programs)
}

fn checks(checks: &[ConfiguredCheck]) -> Vec<String> {
    let row = |check: &ConfiguredCheck| [escape_line(&check.name), word(&check.category), words(&check.run_on)];
    let rows: Vec<_> = checks.iter().map(row).collect();
    let programs = checks.iter().map(|check| program(&check.argv));
    with_programs(table(["NAME", "CATEGORY", "RUNS AT"], &rows), programs)
}

/// Each row with its program below it; a table without rows is not shown.
fn with_programs(table: Vec<String>, programs: impl ExactSizeIterator<Item = Vec<String>>) -> Vec<String> {
    if programs.len() == 0 {
        return Vec::new();
    }
    let mut rows = table.into_iter();
    let mut lines: Vec<String> = rows.next().into_iter().map(|names| paint(FAINT, &names)).collect();
    for (row, program) in rows.zip(programs) {
        lines.push(row);
        lines.extend(program);
    }
    lines
}

fn program(argv: &[String]) -> Vec<String> {
    if argv.is_empty() { Vec::new() } else { wrapped(4, &format!("$ {}", escape_line(&argv.join(" ")))) }
}

fn faint(indent: usize, text: &str) -> Vec<String> {
    wrapped(indent, text).iter().map(|line| paint(FAINT, line)).collect()
}

fn words<T: Serialize>(values: &[T]) -> String {
    list(&values.iter().map(word).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use code_polishy_core::policy::model::{CheckCategory, CheckRun, Cost, SuiteRun, SuiteScope};

    use super::*;

    #[test]
    fn what_would_run_and_why() {
        let command = PlannedCommand {
            name: "checkout-contract".to_owned(),
            argv: vec!["./run.sh".to_owned(), "checkout".to_owned()],
            forced: true,
            reasons: vec!["the selected feature `checkout` demands it".to_owned(), "covers the impacted module `checkout`".to_owned()],
        };
        let text = anstream::adapter::strip_str(&planned(&command).join("\n")).to_string();
        insta::assert_snapshot!(text, @r"
          checkout-contract
            $ ./run.sh checkout
            the selected feature `checkout` demands it
            covers the impacted module `checkout`
        ");
    }

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
          NAME               KIND      COVERS           COST   FROM     RUNNER
          checkout-contract  contract  module checkout  quick  focused  exec
            $ ./run.sh a\nPASS
        CHECKS:
          NAME    CATEGORY      RUNS AT
          syntax  supply-chain  checkpoint
            $ sh -n a.sh
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
