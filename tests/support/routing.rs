//! Routing a run: signals are stated as the template asks, and everything else is denied.

use std::{fs, path::PathBuf};

use serde_json::{Map, Value, json};

use crate::{Output, ReviewRun};

impl ReviewRun {
    /// Routes the run with nothing stated beyond what its paths make true, and with these options.
    #[track_caller]
    pub fn route(&self, options: &[&str]) -> Output {
        self.route_stating(&[], options)
    }

    /// The same, with these signals stated to hold.
    #[track_caller]
    pub fn route_stating(&self, signals: &[&str], options: &[&str]) -> Output {
        let file = self.write_signals(&Value::Object(self.statements(signals)));
        self.command("route", &[&["--signals", file.to_str().expect("a UTF-8 path")], options].concat())
    }

    /// The eighteen signals as statements: those of the template that must hold, and these.
    #[track_caller]
    pub fn statements(&self, signals: &[&str]) -> Map<String, Value> {
        let document = self.command("route", &["--mechanical-only"]).exits(0).json();
        let mut statements = document["signals_template"].as_object().expect("a template").clone();
        for (signal, statement) in &mut statements {
            if statement["value"].is_null() {
                let holds = signals.contains(&signal.as_str());
                *statement = json!({"value": holds, "evidence": if holds { "The change does it." } else { "The change is not about it." }});
            }
        }
        statements
    }

    /// Writes a file of signals outside the run.
    pub fn write_signals(&self, statements: &Value) -> PathBuf {
        let file = self.repo.area("signals.json");
        fs::write(&file, statements.to_string()).expect("a written file");
        file
    }
}
