//! What follows from the five checks: the overall status, the lists, and the files beside `gates.json` (CR-135, CR-137).

use super::record::{GateCheck, GateSource, GateStatus, Gates, GatesStatus};
use crate::canonical::canonical_json;

/// A line `<id>:<status>` for each gate.
pub const STATUS_FILE: &str = "gates.txt";
/// A line for each gate that failed, timed out or is missing.
pub const FAILED_FILE: &str = "failed.txt";
/// One check a line, written as each gate ends.
pub const CHECKS_LOG_FILE: &str = "gates.checks.jsonl";

impl Gates {
    /// The record of these checks, which are the five in their order.
    pub fn of(checks: Vec<GateCheck>, source: GateSource) -> Self {
        let ids = |wanted: &dyn Fn(&GateCheck) -> bool| -> Vec<String> {
            checks.iter().filter(|check| wanted(check)).map(|check| check.id.clone()).collect()
        };
        let checks_failed = ids(&GateCheck::is_failing_or_absent);
        let timed_out = checks.iter().any(|check| check.gate_status == GateStatus::Timeout);
        let status = match (timed_out, checks_failed.is_empty()) {
            (true, _) => GatesStatus::Timeout,
            (false, false) => GatesStatus::Fail,
            (false, true) => GatesStatus::Pass,
        };
        Self {
            schema_version: 1,
            status,
            checks_run: ids(&|_| true),
            failed_count: u32::try_from(checks_failed.len()).unwrap_or(u32::MAX),
            checks_failed,
            checks_not_applicable: ids(&|check| check.gate_status == GateStatus::NotApplicable),
            checks,
            source,
        }
    }

    /// [`STATUS_FILE`].
    pub fn status_lines(&self) -> String {
        self.checks.iter().map(|check| format!("{}:{}\n", check.id, check.gate_status.as_str())).collect()
    }

    /// [`FAILED_FILE`].
    pub fn failed_lines(&self) -> String {
        self.checks_failed.iter().map(|id| format!("{id}\n")).collect()
    }

    /// [`CHECKS_LOG_FILE`].
    pub fn log_lines(&self) -> String {
        self.checks.iter().map(GateCheck::log_line).collect()
    }
}

impl GateCheck {
    /// The check as a line of [`CHECKS_LOG_FILE`].
    pub fn log_line(&self) -> String {
        canonical_json(self) + "\n"
    }
}

impl GateStatus {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::MissingCommand => "missing-command",
            Self::NotApplicable => "not-applicable",
            Self::Timeout => "timeout",
        }
    }
}
