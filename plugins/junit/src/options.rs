//! What a suite says of its reports.

use code_polishy_sdk::Failure;
use code_polishy_sdk::suite_runner::{Invocation, ReportFile, Suite};

use crate::json;

/// The most that the contract collects of one file.
const MAX_REPORT_BYTES: u32 = 8 << 20;

/// Files that the contract collects of one suite.
const MAX_REPORTS: usize = 64;

pub const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "required": ["reports"],
  "properties": {
    "reports": {
      "description": "The files that the suite writes, relative to its cwd; a run that lacks one did not pass",
      "type": "array",
      "minItems": 1,
      "maxItems": 64,
      "uniqueItems": true,
      "items": {"type": "string"}
    },
    "arguments": {
      "description": "Words that are appended to the suite's command",
      "type": "array",
      "items": {"type": "string"}
    }
  }
}"#;

/// The options of a suite.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// Files that the suite writes, relative to its `cwd`; at least one.
    pub reports: Vec<String>,
    /// Words that are appended to its command.
    pub arguments: Vec<String>,
}

impl Options {
    /// Reads the options of the suite.
    pub fn of(suite: &Suite) -> Result<Self, Failure> {
        let bad = |message: String| Failure::new("bad-options", message).hint("correct `runnerOptions` of the suite in the policy");
        let members = json::lists(&suite.options).ok_or_else(|| bad("the options are not an object of lists of texts".to_owned()))?;
        let mut options = Self { reports: Vec::new(), arguments: Vec::new() };
        for (key, list) in members {
            match &*key {
                "reports" => options.reports = list,
                "arguments" => options.arguments = list,
                _ => return Err(bad(format!("unknown option `{key}`"))),
            }
        }
        let reports = options.reports.len();
        if reports == 0 {
            let hint = r#"set `"runnerOptions": {"reports": ["junit.xml"]}` to the files that its command writes"#;
            return Err(Failure::new("no-reports", format!("the suite `{}` names no report", suite.name)).hint(hint));
        }
        if reports > MAX_REPORTS {
            let message = format!("the suite `{}` names {reports} reports, and at most {MAX_REPORTS} are collected", suite.name);
            return Err(Failure::new("too-many-reports", message).hint("let its command join them into one file, as `cat` does"));
        }
        Ok(options)
    }

    /// What is added to the command.
    pub fn invocation(self) -> Invocation {
        let report = |path| ReportFile { path, max_bytes: MAX_REPORT_BYTES };
        let reports = self.reports.into_iter().map(report).collect();
        Invocation { arguments: self.arguments, reports, ..Invocation::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &str) -> Result<Options, Failure> {
        let argv = vec!["make".to_owned()];
        Options::of(&Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: ".".into(), options: options.into() })
    }

    #[test]
    fn reports_and_arguments_are_read() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let both = Options { reports: texts(&["a.xml", "b/c.xml"]), arguments: texts(&["--reporter", "junit"]) };
        assert_eq!(read(r#"{"arguments":["--reporter","junit"],"reports":["a.xml","b/c.xml"]}"#), Ok(both));
        let one = Options { reports: texts(&["a.xml"]), arguments: Vec::new() };
        assert_eq!(read(r#"{"reports":["a.xml"]}"#).map(Options::invocation).map(|added| added.reports.len()), Ok(1));
        assert_eq!(read(r#"{"reports":["a.xml"]}"#), Ok(one));
    }

    #[test]
    fn options_are_strict() {
        let many = format!(r#"{{"reports":[{}]}}"#, vec![r#""a""#; 65].join(","));
        for (options, code) in [
            ("{}", "no-reports"),
            (r#"{"arguments":["a"]}"#, "no-reports"),
            (r#"{"reports":[]}"#, "no-reports"),
            (r#"{"reports":"a.xml"}"#, "bad-options"),
            (r#"{"reports":["a.xml"],"report":["a"]}"#, "bad-options"),
            (r#"{"reports":[1]}"#, "bad-options"),
            ("[]", "bad-options"),
            (many.as_str(), "too-many-reports"),
        ] {
            assert_eq!(read(options).map_err(|failure| failure.code), Err(code.to_owned()), "{options}");
        }
    }
}
