//! What is added to the command.

use code_polishy_sdk::suite_runner::{Invocation, ReportFile, Suite, Variable};
use test_output::place::is_contained;

/// The most that the contract collects of one file.
const MAX_REPORT_BYTES: u32 = 8 << 20;

/// Asks for a report in the family that tells files and lines. A command that names a report keeps it; one that blocks pytest's report
/// plugin, which would then refuse the option, is asked to print every case.
pub fn invocation(suite: &Suite) -> Invocation {
    let variable = |(name, value): (&str, &str)| Variable { name: name.to_owned(), value: value.to_owned() };
    let variables = [("NO_COLOR", "1"), ("PYTHONDONTWRITEBYTECODE", "1")].map(variable).into();
    if blocks_reports(&suite.argv) {
        return Invocation { arguments: vec!["-rA".to_owned()], variables, reports: Vec::new() };
    }
    let mut arguments = ["-o", "junit_family=xunit1"].map(str::to_owned).to_vec();
    let path = named_report(&suite.argv).filter(|path| is_contained(path)).map_or_else(
        || {
            // In a folder that every repository under review has git ignore; pytest makes it.
            let path = format!(".code-polishy-reports/pytest-{}.xml", suite.name);
            arguments.push(format!("--junit-xml={path}"));
            path
        },
        str::to_owned,
    );
    Invocation { arguments, variables, reports: vec![ReportFile { path, max_bytes: MAX_REPORT_BYTES }] }
}

/// `-p no:junitxml`, in one word or two.
fn blocks_reports(argv: &[String]) -> bool {
    argv.iter().any(|word| word == "no:junitxml" || word == "-pno:junitxml")
}

/// The last report that the command names: the one that pytest writes.
fn named_report(argv: &[String]) -> Option<&str> {
    let options = ["--junit-xml", "--junitxml"];
    let mut named = None;
    for (at, word) in argv.iter().enumerate() {
        let value = options.iter().find_map(|option| word.strip_prefix(option));
        match value {
            Some("") => named = argv.get(at + 1).map(String::as_str),
            Some(value) => named = value.strip_prefix('=').or(named),
            None => {}
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(argv: &[&str]) -> (Vec<String>, Vec<String>) {
        let argv = argv.iter().map(|word| (*word).to_owned()).collect();
        let suite = Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: "py".into(), options: "{}".into() };
        let added = invocation(&suite);
        assert_eq!(added.variables.len(), 2);
        (added.arguments, added.reports.into_iter().map(|report| report.path).collect())
    }

    #[test]
    fn a_report_is_asked_for() {
        let report = ".code-polishy-reports/pytest-unit.xml";
        for argv in [
            &["pytest"][..],
            &["python3", "-m", "pytest", "-q", "--junit-xml=/tmp/x.xml"],
            &["pytest", "--junit-xml=../x.xml", "--junit-xmlx"],
        ] {
            let (arguments, reports) = added(argv);
            assert_eq!(arguments, ["-o", "junit_family=xunit1", "--junit-xml=.code-polishy-reports/pytest-unit.xml"], "{argv:?}");
            assert_eq!(reports, [report]);
        }
    }

    #[test]
    fn a_report_of_the_command_is_read_where_it_is() {
        for argv in [&["pytest", "--junitxml=a/x.xml"][..], &["pytest", "--junit-xml=b.xml", "--junit-xml", "a/x.xml", "tests"]] {
            let (arguments, reports) = added(argv);
            assert_eq!((arguments.len(), reports), (2, vec!["a/x.xml".to_owned()]), "{argv:?}");
        }
    }

    #[test]
    fn a_command_without_reports_prints_every_case() {
        for argv in [&["pytest", "-p", "no:junitxml"][..], &["pytest", "-pno:junitxml", "tests"]] {
            assert_eq!(added(argv), (vec!["-rA".to_owned()], vec![]), "{argv:?}");
        }
    }
}
