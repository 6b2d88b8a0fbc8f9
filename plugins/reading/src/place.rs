//! Where a finding is and which one it is, for tools that show it at a file and compare it with earlier runs.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::report::{Finding, Report};

/// Folders that hold what gates write: never files of the candidate.
const WRITTEN: [&str; 2] = [".code-polishy-reports", ".code-polishy-artifacts"];

impl Finding {
    /// The file of the candidate that it is about; `None` for none, and for what a gate wrote, such as a log.
    ///
    /// What is returned is relative and has no `.` or `..` segments.
    pub fn file(&self) -> Option<&str> {
        let mut segments = self.path.split('/');
        let first = segments.clone().next()?;
        let is_contained = segments.all(|segment| !matches!(segment, "" | "." | ".."));
        (is_contained && !WRITTEN.contains(&first)).then_some(&self.path)
    }

    /// The line in [`file`](Self::file), from 1.
    pub fn file_line(&self) -> Option<u64> {
        self.line.filter(|line| *line > 0 && self.file().is_some())
    }
}

impl Report {
    /// For each finding, the place in `commands` of the command that left it; `None` for findings of the gate itself.
    pub fn owners(&self) -> Vec<Option<usize>> {
        let mut logs = BTreeMap::<&str, usize>::new();
        for (index, command) in self.commands.iter().enumerate() {
            for attempt in command.attempts.iter().filter(|attempt| !attempt.log_path.is_empty()) {
                logs.entry(&attempt.log_path).or_insert(index);
            }
        }
        let contract = self.commands.iter().position(|command| command.category == "documentation");
        let of_contract = |finding: &Finding| contract.filter(|_| finding.rule.starts_with("documentation."));
        self.findings.iter().map(|finding| logs.get(finding.path.as_str()).copied().or_else(|| of_contract(finding))).collect()
    }

    /// One name for each finding, in order, of 64 hexadecimal digits: the same finding has the same name in every run of every candidate.
    ///
    /// Lines do not count, because they move. The message counts where it tells two findings of one file apart; elsewhere it tells figures,
    /// commits and runs. Findings that are alike are told apart by their order.
    pub fn fingerprints(&self) -> Vec<String> {
        let mut seen = BTreeMap::<String, u64>::new();
        let findings = self.findings.iter();
        findings
            .map(|finding| {
                let message = finding.file_line().map_or("", |_| finding.message.as_str());
                let identity = [finding.rule.as_str(), finding.file().unwrap_or_default(), &finding.subject, message].join("\0");
                let earlier = seen.entry(identity.clone()).or_default();
                let text = format!("{identity}\0{earlier}");
                *earlier += 1;
                hexadecimal(&Sha256::digest(text.as_bytes()))
            })
            .collect()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(path: &str, line: u64, message: &str) -> Finding {
        Finding { rule: "r".to_owned(), path: path.to_owned(), line: Some(line), message: message.to_owned(), ..Finding::default() }
    }

    fn names(findings: Vec<Finding>) -> Vec<String> {
        Report { findings, ..Report::default() }.fingerprints()
    }

    #[test]
    fn only_files_of_the_candidate_are_files() {
        for path in ["a.md", "docs/a.md", ".code-polishy.json", "javascript:x", "a b"] {
            assert_eq!(finding(path, 1, "").file(), Some(path));
        }
        for path in ["", "/etc/passwd", "../a", "a/../b", "a//b", "./a", "a/", ".code-polishy-reports/merge-gate/log"] {
            assert_eq!((finding(path, 1, "").file(), finding(path, 1, "").file_line()), (None, None), "{path}");
        }
        assert_eq!(finding("a.md", 0, "").file_line(), None);
    }

    #[test]
    fn a_finding_keeps_its_name_when_its_line_moves() {
        let moved = names(vec![finding("a.md", 3, "no `x`"), finding("a.md", 4, "no `y`")]);
        assert_eq!(names(vec![finding("a.md", 8, "no `x`"), finding("a.md", 9, "no `y`")]), moved);
        assert_ne!(moved[0], moved[1]);
        assert!(moved.iter().all(|name| name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())));
    }

    #[test]
    fn a_failed_command_keeps_its_name_whatever_it_said() {
        let logs = [".code-polishy-reports/run-1/a.log", ".code-polishy-reports/run-2/a.log"];
        assert_eq!(names(vec![finding(logs[0], 1, "2 failed")]), names(vec![finding(logs[1], 1, "3 failed")]));
    }

    #[test]
    fn findings_that_are_alike_have_names_of_their_own() {
        let alike = names(vec![finding("a.md", 3, "no `x`"), finding("a.md", 4, "no `x`")]);
        assert_ne!(alike[0], alike[1]);
    }

    #[test]
    fn a_finding_belongs_to_the_command_whose_log_it_names() {
        use crate::report::{Attempt, Command};
        let command = |name: &str, category: &str, log: &str| Command {
            name: name.to_owned(),
            category: category.to_owned(),
            attempts: vec![Attempt { log_path: log.to_owned(), ..Attempt::default() }],
            ..Command::default()
        };
        let commands = vec![command("unit", "test", "logs/unit"), command("contract", "documentation", "")];
        let violation = Finding { rule: "documentation.link".to_owned(), ..finding("a.md", 1, "") };
        let findings = vec![finding("logs/unit", 1, ""), violation, finding("", 1, "")];
        assert_eq!(Report { commands, findings, ..Report::default() }.owners(), [Some(0), Some(1), None]);
    }
}
