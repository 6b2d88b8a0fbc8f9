use super::*;
use crate::code_review::fixture::Fixture;

/// What is asked for, in one place.
struct Case {
    options: [GateOptions; 5],
    variables: BTreeMap<&'static str, &'static str>,
    configured: BTreeMap<String, GateConfig>,
    timeout_seconds: Option<u32>,
    run: RunRecord,
    pytest: PytestOptions,
}

impl Case {
    fn new(scope: Scope) -> Self {
        let run = RunRecord { scope, base_oid: Some("b".repeat(40)), head_oid: Some("c".repeat(40)), ..Fixture::new(&[]).t0.run };
        Self {
            options: Default::default(),
            variables: BTreeMap::new(),
            configured: BTreeMap::new(),
            timeout_seconds: None,
            run,
            pytest: PytestOptions::default(),
        }
    }

    fn configure(&mut self, id: &str, gate: GateConfig) {
        self.configured.insert(id.to_owned(), gate);
    }

    fn plan(&self) -> Result<Vec<PlannedGate>, String> {
        let variable = |name: &str| self.variables.get(name).map(|value| (*value).to_owned());
        let asked = Asked {
            options: &self.options,
            timeout_seconds: self.timeout_seconds,
            variable: &variable,
            configured: &self.configured,
            run: &self.run,
            pytest: &self.pytest,
        };
        plan(asked).map_err(|failure| failure.diagnostics[0].code.clone())
    }

    fn way(&self, index: usize) -> Way {
        self.plan().expect("a plan").remove(index).way
    }
}

fn shell(line: &str) -> Way {
    Way::Run { command: GateCommand::Shell(line.to_owned()), runner: None }
}

fn command(line: &str) -> GateConfig {
    GateConfig { command: Some(GateCommand::Shell(line.to_owned())), ..GateConfig::default() }
}

#[test]
fn the_command_line_comes_before_the_environment_and_that_before_the_configuration() {
    let mut case = Case::new(Scope::WorkingTree);
    assert_eq!(case.way(0), Way::NoCommand);
    case.configure("lint", command("configured"));
    assert_eq!(case.way(0), shell("configured"));
    case.variables.insert("LINT_CMD", "from the environment");
    assert_eq!(case.way(0), shell("from the environment"));
    case.options[0].command = Some("from the command line".to_owned());
    assert_eq!(case.way(0), shell("from the command line"));
    case.options[0] = GateOptions { skip: Some("there is nothing to lint".to_owned()), ..GateOptions::default() };
    assert_eq!(case.way(0), Way::NotApplicable("there is nothing to lint".to_owned()));
    case.options[0] = GateOptions { unavailable: Some("no licence".to_owned()), ..GateOptions::default() };
    assert_eq!(case.way(0), Way::Unavailable("no licence".to_owned()));
}

#[test]
fn limits_come_from_the_same_places() {
    let mut case = Case::new(Scope::WorkingTree);
    case.configure("lint", GateConfig { timeout_seconds: Some(7), ..command("true") });
    let limits = |case: &Case| case.plan().expect("a plan").iter().map(|gate| gate.timeout_seconds).collect::<Vec<_>>();
    assert_eq!(limits(&case), [7, 900, 900, 900, 900]);
    case.variables.insert("GATE_TIMEOUT_SECONDS", "8");
    assert_eq!(limits(&case), [8; 5]);
    case.timeout_seconds = Some(9);
    assert_eq!(limits(&case), [9; 5]);
    for wrong in ["0", "3601", "soon", "-1"] {
        case.timeout_seconds = None;
        case.variables.insert("GATE_TIMEOUT_SECONDS", wrong);
        assert_eq!(case.plan(), Err("usage-error".to_owned()), "{wrong}");
    }
}

#[test]
fn the_review_gate_checks_the_whole_change() {
    let (base, head) = ("b".repeat(40), "c".repeat(40));
    let text = |case: &Case| match case.way(4) {
        Way::Run { command, runner: None } => command.text(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text(&Case::new(Scope::Pr)), format!("git diff --check {base}...{head}"));
    assert_eq!(text(&Case::new(Scope::Commit)), format!("git diff --check {base} {head}"));
    assert_eq!(text(&Case::new(Scope::Path)), "git diff --check HEAD");
    let mut root = Case::new(Scope::Commit);
    root.run.base_oid = None;
    assert_eq!(text(&root), format!("git diff --check {} {head}", EMPTY_TREES[0]));
    let mut unborn = Case::new(Scope::WorkingTree);
    (unborn.run.base_oid, unborn.run.head_oid) = (None, None);
    assert_eq!(text(&unborn), format!("git diff --check {}", EMPTY_TREES[0]));
}

#[test]
fn nothing_replaces_the_review_gate_of_a_pull_request() {
    let fixed = format!("git diff --check {}...{}", "b".repeat(40), "c".repeat(40));
    let with = |options: GateOptions| {
        let mut case = Case::new(Scope::Pr);
        case.options[4] = options;
        case.plan().map(|_| ())
    };
    let refused = Err("pr-review-gate-command-invalid".to_owned());
    assert_eq!(with(GateOptions { command: Some(fixed), ..GateOptions::default() }), Ok(()));
    assert_eq!(with(GateOptions { command: Some("git diff --check".into()), ..GateOptions::default() }), refused);
    assert_eq!(with(GateOptions { skip: Some("later".into()), ..GateOptions::default() }), refused);
    assert_eq!(with(GateOptions { unavailable: Some("later".into()), ..GateOptions::default() }), refused);
    let mut configured = Case::new(Scope::Pr);
    configured.configure("review", GateConfig { not_applicable: Some("no".into()), ..GateConfig::default() });
    assert!(matches!(configured.way(4), Way::Run { .. }));
    let mut uncollected = Case::new(Scope::Pr);
    uncollected.run.base_oid = None;
    assert_eq!(uncollected.plan(), Err("missing-required".to_owned()));
}

#[test]
fn a_runner_has_plain_words() {
    let mut case = Case::new(Scope::WorkingTree);
    let run = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Way::Run { command: GateCommand::Argv(words), runner: Some("cargo".to_owned()) }
    };
    case.options[3] = GateOptions { runner: Some("cargo".into()), ..GateOptions::default() };
    assert_eq!(case.plan(), Err("usage-error".to_owned()));
    case.configure("tests", GateConfig { runner: Some("tap".into()), args: vec!["cargo".into(), "test".into()], ..GateConfig::default() });
    assert_eq!(case.way(3), run(&["cargo", "test"]));
    case.options[3].command = Some("cargo  test --workspace".into());
    assert_eq!(case.way(3), run(&["cargo", "test", "--workspace"]));
    case.options[3].command = Some("cargo test | tee log".into());
    assert_eq!(case.plan(), Err("usage-error".to_owned()));
}

#[test]
fn reasons_are_one_line_and_exclude_commands() {
    for reason in ["", "  ", "one\ntwo"] {
        let mut case = Case::new(Scope::WorkingTree);
        case.options[2].skip = Some(reason.to_owned());
        assert_eq!(case.plan(), Err("invalid-skip-reason".to_owned()));
        case.options[2] = GateOptions { unavailable: Some(reason.to_owned()), ..GateOptions::default() };
        assert_eq!(case.plan(), Err("invalid-skip-reason".to_owned()));
    }
    let mut case = Case::new(Scope::WorkingTree);
    case.options[2] = GateOptions { skip: Some("no".into()), command: Some("true".into()), ..GateOptions::default() };
    assert_eq!(case.plan(), Err("usage-error".to_owned()));
}

#[test]
fn words_are_quoted_where_a_shell_would_need_it() {
    let text = |words: &[&str]| GateCommand::Argv(words.iter().map(|word| (*word).to_owned()).collect()).text();
    assert_eq!(text(&["cargo", "test", "--features=a,b"]), "cargo test --features=a,b");
    assert_eq!(text(&["sh", "-c", "echo 'a' $B", ""]), r#"sh -c 'echo '\''a'\'' $B' ''"#);
}

fn pytest(python: Option<&str>, imports: &[&str], arguments: Option<&[&str]>) -> PytestOptions {
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    PytestOptions {
        python: python.map(str::to_owned),
        imports: own(imports),
        arguments: arguments.map(own),
        found: Some("/usr/bin/python3".to_owned()),
    }
}

#[test]
fn pytest_runs_with_the_interpreter_and_proves_the_modules() {
    let mut case = Case::new(Scope::WorkingTree);
    for (python, arguments, command) in [
        (Some("/venv/bin/python"), Some(&["-q", "a b"][..]), "/venv/bin/python -m pytest -q 'a b' # imports: shop, shop.cart"),
        (None, None, "/usr/bin/python3 -m pytest # imports: shop, shop.cart"),
    ] {
        case.pytest = pytest(python, &["shop.cart", "shop"], arguments);
        let gate = case.plan().expect("a plan").remove(3);
        assert_eq!(gate.text().as_deref(), Some(command));
        assert!(matches!(gate.way, Way::Run { runner: Some(runner), .. } if runner == "pytest"));
    }
    case.pytest = pytest(Some("venv/bin/python"), &["shop"], None);
    assert_eq!(case.plan(), Err("usage-error".to_owned()));
    case.pytest = pytest(Some("/venv/bin/python"), &[], None);
    assert_eq!(case.plan(), Err("missing-required".to_owned()));
    case.pytest = pytest(None, &["shop/cart.py"], None);
    assert_eq!(case.plan(), Err("usage-error".to_owned()));
}

#[test]
fn one_option_says_how_the_tests_run() {
    let mut case = Case::new(Scope::WorkingTree);
    case.pytest = pytest(Some("/venv/bin/python"), &["shop"], None);
    let others: [fn(&mut GateOptions); 4] = [
        |gate| gate.command = Some("make test".to_owned()),
        |gate| gate.runner = Some("tap".to_owned()),
        |gate| gate.skip = Some("no".to_owned()),
        |gate| gate.unavailable = Some("no".to_owned()),
    ];
    for other in others {
        other(&mut case.options[3]);
        assert_eq!(case.plan(), Err("usage-error".to_owned()));
        case.options[3] = GateOptions::default();
    }
    case.options[3] = GateOptions { runner: Some("pytest".to_owned()), ..GateOptions::default() };
    assert!(case.plan().is_ok());
    // Modules alone go with a command that pytest's runner judges, and with no other.
    case.pytest = pytest(None, &["shop"], None);
    case.options[3].command = Some("tox -e py -- -q".to_owned());
    assert_eq!(case.plan().expect("a plan")[3].text().as_deref(), Some("tox -e py -- -q # imports: shop"));
    case.options[3].runner = None;
    assert_eq!(case.plan(), Err("usage-error".to_owned()));
}

#[test]
fn a_configuration_says_what_is_proven() {
    let mut case = Case::new(Scope::WorkingTree);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let tests = GateConfig { runner: Some("pytest".into()), args: words(&["python", "-m", "pytest"]), ..GateConfig::default() };
    case.configure("tests", tests.clone());
    assert_eq!(case.plan(), Err("missing-required".to_owned()));
    case.configure("tests", GateConfig { imports: words(&["shop"]), ..tests });
    assert_eq!(case.plan().expect("a plan")[3].text().as_deref(), Some("python -m pytest # imports: shop"));
    case.configure("tests", GateConfig { runner: Some("cargo".into()), args: words(&["cargo", "test"]), ..GateConfig::default() });
    assert_eq!(case.plan().expect("a plan")[3].proof, Some(ProofPlan::CargoManifest));
    case.configure("lint", GateConfig { runner: Some("cargo".into()), args: words(&["cargo", "test"]), ..GateConfig::default() });
    assert_eq!(case.plan().expect("a plan")[0].proof, None);
}
