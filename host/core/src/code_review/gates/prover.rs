//! Which runners prove what was tested, and what they have to prove (CR-131, CR-143 to CR-147, CR-228).

use super::plan::Way;
use crate::code_review::config::{GateCommand, GateConfig};

/// The gate whose green has to be of the reviewed source.
pub(super) const TESTS: &str = "tests";
/// The runner whose processes are recorded.
const PYTEST: &str = "pytest";
/// The runner whose manifests are looked at.
const CARGO: &str = "cargo";
/// Stands between a command and the modules that it has to exercise; no word of a runner's command holds it unquoted.
const IMPORTS: &str = " # imports: ";

/// What a command has to prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofPlan {
    /// Where these modules and the collected tests come from (CR-146).
    PytestImport {
        /// In byte order, each once; at least one.
        modules: Vec<String>,
    },
    /// That cargo builds nothing from folders outside the tree (CR-147).
    CargoManifest,
}

impl ProofPlan {
    /// Of a gate's runner; `None` when it proves nothing. The host decides, whatever a plugin of that name says.
    pub fn of(gate: &str, runner: Option<&str>, modules: &[String]) -> Option<Self> {
        match (gate, runner) {
            (TESTS, Some(PYTEST)) => Some(Self::PytestImport { modules: modules.to_vec() }),
            (TESTS, Some(CARGO)) => Some(Self::CargoManifest),
            _ => None,
        }
    }

    /// Of a recorded gate, whose command's text names the modules.
    pub fn recorded(gate: &str, runner: Option<&str>, command: &str) -> Option<Self> {
        let modules = command.trim_end().rsplit_once(IMPORTS).map_or("", |(_, modules)| modules);
        let modules: Vec<String> = modules.split(", ").filter(|module| !module.is_empty()).map(str::to_owned).collect();
        Self::of(gate, runner, &modules)
    }

    /// The command in one line, with what it has to prove: another demand is another selection (CR-227).
    pub(super) fn text(plan: Option<&Self>, command: &GateCommand) -> String {
        match plan {
            Some(Self::PytestImport { modules }) => format!("{}{IMPORTS}{}", command.text(), modules.join(", ")),
            Some(Self::CargoManifest) | None => command.text(),
        }
    }
}

/// How pytest is run for the gate of the tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PytestOptions {
    /// `--pytest-python`.
    pub python: Option<String>,
    /// `--pytest-import`.
    pub imports: Vec<String>,
    /// `--pytest-args-json`.
    pub arguments: Option<Vec<String>>,
    /// The interpreter that counts when none is named; absolute.
    pub found: Option<String>,
}

impl PytestOptions {
    /// Interpreter or arguments are given, so that they make the command.
    pub(super) fn make_a_command(&self) -> bool {
        self.python.is_some() || self.arguments.is_some()
    }

    /// Some option of pytest is given.
    pub(super) fn are_given(&self) -> bool {
        self.make_a_command() || !self.imports.is_empty()
    }

    /// `PYTHON -m pytest ARGUMENTS`; what is wrong with it.
    pub(super) fn command(&self) -> Result<Way, String> {
        let python = self.python.as_ref().or(self.found.as_ref()).ok_or("no Python was found: name one with --pytest-python")?;
        if !python.starts_with('/') {
            return Err("--pytest-python is no absolute path".to_owned());
        }
        let words = [python, "-m", PYTEST].map(str::to_owned).into_iter().chain(self.arguments.iter().flatten().cloned());
        let words: Vec<String> = words.collect();
        match words.iter().find(|word| !crate::text::control_free(word, false)) {
            Some(_) => Err("an interpreter or argument of pytest is not one line of text".to_owned()),
            None => Ok(Way::Run { command: GateCommand::Argv(words), runner: Some(PYTEST.to_owned()) }),
        }
    }

    /// The modules that the tests have to exercise: the given ones, else the configured ones; what is wrong with them.
    pub(super) fn modules(&self, configured: Option<&GateConfig>) -> Result<Vec<String>, String> {
        let configured = configured.map_or(&[][..], |gate| gate.imports.as_slice());
        let mut modules = if self.imports.is_empty() { configured.to_vec() } else { self.imports.clone() };
        if let Some(wrong) = modules.iter().find(|module| !is_module(module)) {
            return Err(format!("{} is no module: write its dotted name, such as `shop.cart`", crate::strict::quoted(wrong)));
        }
        modules.sort_unstable();
        modules.dedup();
        Ok(modules)
    }
}

/// The way runs pytest.
pub(super) fn runs_pytest(way: &Way) -> bool {
    matches!(way, Way::Run { runner: Some(runner), .. } if runner == PYTEST)
}

/// A dotted name.
pub fn is_module(name: &str) -> bool {
    let is_name = |part: &str| {
        part.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
            && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    name.split('.').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_text_of_a_command_says_what_it_has_to_prove() {
        let plan = ProofPlan::of("tests", Some("pytest"), &modules(&["shop", "shop.cart"]));
        let command = GateCommand::Argv(modules(&["/bin/python", "-m", "pytest", "-k", " # imports: none"]));
        let text = ProofPlan::text(plan.as_ref(), &command);
        assert_eq!(text, "/bin/python -m pytest -k ' # imports: none' # imports: shop, shop.cart");
        assert_eq!(ProofPlan::recorded("tests", Some("pytest"), &format!("{text}\n")), plan);
        assert_eq!(ProofPlan::recorded("tests", Some("cargo"), "cargo test\n"), Some(ProofPlan::CargoManifest));
        for (gate, runner) in [("lint", Some("cargo")), ("tests", Some("tap")), ("tests", None)] {
            assert_eq!(ProofPlan::recorded(gate, runner, "cargo test"), None);
        }
    }

    #[test]
    fn modules_are_dotted_names() {
        let of = |imports: &[&str]| PytestOptions { imports: modules(imports), ..PytestOptions::default() }.modules(None);
        assert_eq!(of(&["shop.cart", "shop", "shop", "größe._x1"]), Ok(modules(&["größe._x1", "shop", "shop.cart"])));
        for wrong in ["", "shop.", ".shop", "src/shop", "shop cart", "1shop", "shop-cart", "shop.py,cart"] {
            assert!(of(&[wrong]).is_err(), "{wrong}");
        }
        let configured = GateConfig { imports: modules(&["shop"]), ..GateConfig::default() };
        let given = PytestOptions { imports: modules(&["cart"]), ..PytestOptions::default() };
        assert_eq!(given.modules(Some(&configured)), Ok(modules(&["cart"])));
        assert_eq!(PytestOptions::default().modules(Some(&configured)), Ok(modules(&["shop"])));
    }
}
