//! What the tests ran: C-109, C-110, C-111, C-113 (CR-143 to CR-147, CR-228).

use std::fs;
use std::path::Path;
use std::process::Command;

use code_polishy_tests::{Forge, Output, Repo, ReviewRun};
use serde_json::{Value, json};

use super::{GREEN, ValidatedGates, assert_sound, check, gates, inside, refused, run_with, told};
use crate::WORLD;
use crate::runner_pytest::{install, python_with};

const XDIST: &[&str] = &["pytest==9.0.2", "pytest-xdist==3.8.0"];
const PLAIN: &[&str] = &["pytest==9.0.2"];

const CART: &str = "def total(prices):\n    return sum(prices)\n";
const TEST_CART: &str = "from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n";

/// A project in a `src` layout, where nothing says where `src` is.
fn shop() -> Repo {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/shop/__init__.py", "").write("src/shop/cart.py", CART).write("tests/test_cart.py", TEST_CART);
    repo.commit("Sell in Python");
    repo
}

/// The same, where pytest's configuration says so.
fn configured() -> Repo {
    let repo = shop();
    repo.write("pytest.ini", "[pytest]\npythonpath = src\n").commit("Tell pytest where the shop is");
    repo
}

/// A run on a mirror with one more change.
fn mirror(repo: Repo) -> ReviewRun {
    repo.write("README.md", "# Shop\n\nSells everything.\n");
    ReviewRun::start(repo, &["--scope", "working-tree"])
}

/// A run on the last commit.
fn last_commit(repo: Repo) -> ReviewRun {
    ReviewRun::start(repo, &["--scope", "commit", "--target", "HEAD"])
}

fn pytest(run: &ReviewRun, python: &str, modules: &[&str], options: &[&str]) -> Output {
    let imports = modules.iter().flat_map(|module| ["--pytest-import", module]);
    let options: Vec<&str> =
        others().into_iter().chain(["--pytest-python", python]).chain(imports).chain(options.iter().copied()).collect();
    gates(run, &options)
}

/// Green gates, but for the one of the tests.
fn others() -> [&'static str; 6] {
    GREEN[..6].try_into().unwrap()
}

/// Status and reason of the tests gate, the reasons of its origins and the codes of its errors.
fn proof(run: &ReviewRun) -> (String, Vec<String>) {
    let gates = run.json("gates.json");
    let tests = check(&gates, "tests");
    let proof = &tests["source_proof"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let reasons = proof["origins"].as_array().unwrap().iter().map(|origin| text(&origin["reason"])).filter(|reason| !reason.is_empty());
    let errors = proof["errors"].as_array().unwrap().iter().map(|error| text(error).split(':').next().unwrap().to_owned());
    let mut found: Vec<String> = reasons.chain(errors).collect();
    found.sort_unstable();
    found.dedup();
    (format!("{} {}", tests["gate_status"].as_str().unwrap(), proof["status"].as_str().unwrap()), found)
}

#[track_caller]
fn assert_proof(run: &ReviewRun, status: &str, reasons: &[&str]) {
    assert_eq!(proof(run), (status.to_owned(), reasons.iter().map(|reason| (*reason).to_owned()).collect()), "{}", run.text("gates.json"));
    assert_sound(run);
}

/// What `pip install --editable` of this checkout leaves in an environment of its own.
fn editable(repo: &Repo) -> String {
    let folder = repo.area("editable");
    let base = python_with(PLAIN);
    install(Command::new(&base).args(["-m", "venv", "--without-pip"]).arg(&folder), "python3 with its module venv");
    let python = folder.join("bin/python").display().to_string();
    let place = |python: &str| {
        let output = Command::new(python).args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let lines = format!("{}\n{}\n", place(&base), repo.path("src").display());
    fs::write(Path::new(&place(&python)).join("__editable__.shop-0.1.pth"), lines).unwrap();
    python
}

#[test]
fn c_109_an_editable_install_of_the_source_worktree_is_caught() {
    for start in [mirror, last_commit] {
        let run = start(shop());
        let python = editable(&run.repo);
        let document = pytest(&run, &python, &["shop.cart"], &[]).exits(1).json();
        assert_eq!(told(&document)[3], "fail source-proof-failed 0");
        let tests = check(&document, "tests");
        assert_eq!(tests["source_proof"]["origins"][0]["path"], json!(run.repo.path("src/shop/cart.py")));
        assert!(tests["detail"].as_str().unwrap().starts_with("origin-outside-worktree: shop.cart from "), "{tests}");
        assert_proof(&run, "fail fail", &["origin-outside-worktree"]);

        // The same command with the reviewed `src` before the installed one.
        let path = format!("tests:PYTHONPATH={}/src", run.worktree().display());
        let document = pytest(&run, &python, &["shop.cart"], &["--gate-env", &path]).exits(0).json();
        assert_eq!(check(&document, "tests")["source_proof"]["origins"][0]["path"], "src/shop/cart.py");
        assert_proof(&run, "pass pass", &[]);
        assert!(!run.worktree().join("src/shop/__pycache__").exists(), "nothing is left in the tree");
    }
}

#[test]
fn c_109_a_proof_is_refused_when_it_was_edited() {
    let run = last_commit(shop());
    let python = editable(&run.repo);
    pytest(&run, &python, &["shop.cart"], &[]).exits(1);
    let right = run.text("gates.json");
    run.edit_record("gates.json", |gates| {
        let origin = &mut gates["checks"][3]["source_proof"]["origins"][0];
        (origin["status"], origin["reason"]) = (json!("pass"), Value::Null);
    });
    assert!(run.validate_gates().contains(&"gates gate-source-proof-invalid:tests".to_owned()));
    run.write("gates.json", right);
    assert_eq!(run.validate_gates(), Vec::<String>::new());
    let facts = "checks/tests.source-proof.json";
    run.write(facts, run.text(facts).replace(&run.repo.path("src").display().to_string(), "src"));
    let found = run.validate_gates();
    assert!(found.contains(&"gates gate-artifact-digest-mismatch:tests".to_owned()), "{found:?}");
    assert!(found.contains(&"gates gate-source-proof-invalid:tests".to_owned()), "{found:?}");
}

#[test]
fn c_110_a_module_that_nothing_loads_leaves_the_proof_open() {
    let repo = configured();
    repo.write("src/parts/shelf.py", "").write("tests/test_parts.py", "import parts\n\n\ndef test_parts():\n    assert parts\n");
    repo.commit("Add a namespace package");
    let run = mirror(repo);
    let python = python_with(PLAIN);
    assert_eq!(refused(&pytest(&run, &python, &[], &[]).exits(2)), ["missing-required"]);
    assert_eq!(refused(&pytest(&run, "python3", &["shop"], &[]).exits(2)), ["usage-error"]);
    let document = pytest(&run, &python, &["shop", "shop.tax"], &[]).exits(1).json();
    assert_eq!(told(&document)[3], "fail source-proof-inconclusive 0");
    assert_proof(&run, "fail inconclusive", &["module-not-imported"]);
    // Fewer modules are another selection.
    assert_eq!(refused(&pytest(&run, &python, &["shop"], &[]).exits(2)), ["gate-recovery-blocked"]);
    pytest(&run, &python, &["parts"], &["--changed-command", "the shelf is what changed"]).exits(1);
    assert_proof(&run, "fail inconclusive", &["module-has-no-file"]);
}

/// Two workers, each with a file of its own; only one of the files loads the cart.
fn parallel(conftest: &str) -> ReviewRun {
    let repo = configured();
    repo.write("tests/test_cart.py", "def test_total():\n    from shop.cart import total\n\n    assert total([1, 2]) == 3\n");
    repo.write("tests/test_open.py", "import time\n\n\ndef test_open():\n    time.sleep(0.3)\n");
    repo.write("other/shop/__init__.py", "").write("other/shop/cart.py", CART).write("conftest.py", conftest);
    repo.commit("Test in parallel");
    last_commit(repo)
}

const IN_PARALLEL: [&str; 2] = ["--pytest-args-json", r#"["-n", "2", "--dist", "loadfile", "--max-worker-restart", "0"]"#];

#[test]
fn c_110_what_is_absent_in_one_worker_is_proven_in_another() {
    let run = parallel("");
    let document = pytest(&run, &python_with(XDIST), &["shop.cart"], &IN_PARALLEL).exits(0).json();
    let workers: Vec<Value> = ["gw0", "gw1"].map(|worker| run.json(&format!("checks/tests.source-proof.{worker}.json"))).into();
    let loaded = |worker: &Value| worker["modules"][0]["files"].as_array().unwrap().len();
    assert_eq!(workers.iter().map(loaded).sum::<usize>(), 1, "{workers:?}");
    assert_eq!(check(&document, "tests")["source_proof"]["processes"], json!(["gw0", "gw1"]));
    assert_proof(&run, "pass pass", &[]);
}

#[test]
fn c_110_every_worker_leaves_a_valid_proof() {
    let worker = "import os\n\nimport pytest\n\n\ndef is_second(config):\n    return getattr(config, 'workerinput', {}).get('workerid') == 'gw1'\n\n\n";
    let silent = "@pytest.hookimpl(trylast=True)\ndef pytest_configure(config):\n    if is_second(config):\n        \
                  config.pluginmanager.unregister(name='code_polishy_recorder_of_this_process')\n";
    let garbage = "def pytest_configure(config):\n    if is_second(config):\n        \
                   open(os.environ['CODE_POLISHY_RECORDER'] + '/records/gw1.json', 'w').write('{}')\n";
    let conflict = "import sys\n\n\ndef pytest_runtest_setup(item):\n    if is_second(item.config):\n        \
                    sys.path.insert(0, str(item.config.rootpath / 'other'))\n\n\n\
                    def pytest_runtest_call(item):\n    import shop.cart\n";
    let dead = "def pytest_runtest_call(item):\n    import shop.cart\n    if is_second(item.config):\n        os._exit(3)\n";
    for (conftest, status, reasons) in [
        (silent, 0, ["worker-proof-missing"]),
        (garbage, 0, ["worker-proof-invalid"]),
        (conflict, 0, ["conflicting-worker-origins"]),
        (dead, 1, ["worker-failed"]),
    ] {
        let run = parallel(&format!("{worker}{conftest}"));
        let document = pytest(&run, &python_with(XDIST), &["shop.cart"], &IN_PARALLEL).exits(1).json();
        let reason = if status == 0 { "source-proof-failed" } else { "command-failed" };
        assert_eq!(told(&document)[3], format!("fail {reason} {status}"), "{}", run.text("checks/tests.stdout.txt"));
        let (_, found) = proof(&run);
        assert!(found.iter().any(|found| found == reasons[0]), "{found:?}");
        assert_sound(&run);
    }
}

#[test]
fn c_111_an_added_module_of_the_mirror_needs_no_git() {
    let repo = configured();
    repo.write("src/shop/tax.py", "RATE = 7\n");
    repo.write("tests/test_tax.py", "from shop.tax import RATE\n\n\ndef test_rate():\n    assert RATE == 7\n");
    let run = mirror(repo);
    let document = pytest(&run, &python_with(PLAIN), &["shop.tax"], &[]).exits(0).json();
    let origins = check(&document, "tests")["source_proof"]["origins"].as_array().unwrap().clone();
    let seen = |origin: &Value| (origin["path"].as_str().unwrap().to_owned(), origin["tracked"] == true, origin["snapshot_member"] == true);
    let expected = [("src/shop/tax.py", false), ("tests/test_cart.py", true), ("tests/test_tax.py", false)]
        .map(|(path, tracked)| (path.to_owned(), tracked, true));
    assert_eq!(origins.iter().map(seen).collect::<Vec<_>>(), expected);
    assert_proof(&run, "pass pass", &[]);
}

#[test]
fn c_111_a_link_out_of_the_tree_and_an_ignored_module_are_none_of_it() {
    let repo = configured();
    fs::write(repo.area("tax.py"), "RATE = 7\n").unwrap();
    repo.link("src/shop/tax.py", repo.area("tax.py")).write(".gitignore", "/.code-polishy-reports/\nmade.py\n");
    repo.write(
        "tests/test_tax.py",
        "import shop.made\nimport shop.tax\n\n\ndef test_rate():\n    assert shop.tax.RATE == shop.made.RATE\n",
    );
    repo.commit("Tax elsewhere");
    let run = last_commit(repo);
    fs::write(run.worktree().join("src/shop/made.py"), "RATE = 7\n").unwrap();
    pytest(&run, &python_with(PLAIN), &["shop.made", "shop.tax"], &[]).exits(1);
    assert_proof(&run, "fail fail", &["origin-not-tracked", "origin-outside-worktree"]);
}

#[test]
fn a_pull_request_that_changes_python_passes_with_its_proof() {
    let forge = Forge::of(configured(), &[("src/shop/cart.py", "def total(prices):\n    return sum(prices) + 0\n")]);
    let run = forge.collected();
    pytest(&run, &python_with(PLAIN), &["shop.cart"], &["--pytest-args-json", r#"["-q", "tests"]"#]).exits(0);
    assert_eq!(run.validate_gates(), Vec::<String>::new());
    assert_eq!(proof(&run).0, "pass pass");
    let command = run.text("checks/tests.command.txt");
    assert!(command.ends_with("-m pytest -q tests # imports: shop.cart\n"), "{command}");
}

/// CR-228: what cargo builds says nothing about the Python that changed.
#[test]
fn a_pull_request_that_changes_python_is_not_proven_by_cargo() {
    let forge = Forge::of(cargo("{ path = \"bank\" }", ""), &[("src/shop.py", "def total():\n    return 1\n")]);
    let run = forge.collected();
    let document = run_with(&run, &CARGO).exits(1).json();
    assert_eq!(told(&document)[3], "fail source-proof-missing 0");
    assert_eq!(check(&document, "tests")["source_proof"]["status"], "pass");
    assert_eq!(run.validate_gates(), Vec::<String>::new());
}

#[test]
fn a_configuration_says_how_pytest_runs_and_what_it_proves() {
    let repo = configured();
    let tests = json!({"runner": "pytest", "args": [python_with(PLAIN), "-m", "pytest"], "imports": ["shop.cart"]});
    repo.policy(&json!({"version": 4, "codeReview": {"gates": {"tests": tests}}})).commit("Configure the tests");
    let run = mirror(repo);
    gates(&run, &others()).exits(0);
    assert_proof(&run, "pass pass", &[]);
}

/// C-135: the overlay of a preparation serves the tests, is bound by its bytes, and proves nothing that lies in it.
#[test]
fn c_135_tests_import_from_a_prepared_overlay_alone() {
    let repo = configured();
    repo.write("src/shop/cart.py", "from tax import RATE\n\n\ndef total(prices):\n    return sum(prices) * RATE\n").commit("Tax the cart");
    let run = mirror(repo);
    let python = python_with(PLAIN);
    let id = run.json("run.json")["run_id"].as_str().unwrap().to_owned();
    let overlays = run.path.parent().unwrap().join(".overlays").join(id);
    fs::create_dir_all(overlays.join("tax-1/tax")).unwrap();
    fs::write(overlays.join("tax-1/tax/__init__.py"), "RATE = 1\n").unwrap();
    fs::create_dir_all(overlays.join("tax-2")).unwrap();
    let overlay = overlays.join("tax-1").display().to_string();
    let with_overlay = |options: &[&str]| pytest(&run, &python, &["shop.cart"], &[&["--overlay", &overlay], options].concat());

    assert_eq!(refused(&with_overlay(&[]).exits(2)), ["usage-error"], "nothing says that it was prepared");
    let preparation = |overlay: &str, origin: &str, receipt: Value| {
        let entry = json!({"id": "tax-1", "package": "tax", "declared_in": "pyproject.toml", "status": "prepared", "overlay": overlay,
            "import_origin": origin, "receipt": receipt, "reason": null});
        json!({"schema_version": 1, "preparations": [entry]}).to_string()
    };
    run.write("preparations/tax-1.txt", "pip install --target\n");
    for (named, origin, receipt) in [
        ("tax-2", "tax/__init__.py", json!("preparations/tax-1.txt")),
        ("tax-1", "tax/none.py", json!("preparations/tax-1.txt")),
        ("tax-1", "tax/__init__.py", json!("preparations/none.txt")),
        ("tax-1", "tax/__init__.py", Value::Null),
    ] {
        run.write("dependency-evidence.json", preparation(named, origin, receipt));
        assert_eq!(refused(&with_overlay(&[]).exits(2)), ["usage-error"], "{named} {origin}");
    }
    run.write("dependency-evidence.json", preparation("tax-1", "tax/__init__.py", json!("preparations/tax-1.txt")));
    let around = format!("tests:PYTHONPATH={overlay}");
    assert_eq!(refused(&pytest(&run, &python, &["shop.cart"], &["--gate-env", &around]).exits(2)), ["usage-error"]);
    let free = run_with(&run, &["--overlay", &overlay]);
    assert_eq!(refused(&free.exits(2)), ["usage-error"], "a free-form command has no overlay");

    pytest(&run, &python, &["shop.cart"], &[]).exits(1);
    let src = format!("{}/src", run.worktree().display());
    let document = with_overlay(&["--gate-env", &format!("tests:PYTHONPATH={src}")]).exits(0).json();
    assert_eq!(check(&document, "tests")["environment"], json!({"PYTHONPATH": format!("{overlay}:{src}")}));
    assert_proof(&run, "pass pass", &[]);
    let receipt = run.json("checks/tests.overlay.json");
    assert_eq!((&receipt["preparation"], receipt["tree_sha256"].as_str().unwrap().len()), (&json!("tax-1"), 64));
    // An overlay proves nothing about what it holds.
    with_overlay(&["--pytest-import", "tax", "--changed-command", "the tax is new"]).exits(1);
    assert_proof(&run, "fail fail", &["origin-outside-worktree"]);
    // What was prepared stays what it was.
    run.write("dependency-evidence.json", preparation("tax-2", "tax/__init__.py", json!("preparations/tax-1.txt")));
    assert_eq!(run.validate_gates(), ["gates gate-source-proof-invalid:tests"]);
}

#[test]
fn c_135_an_overlay_that_changes_leaves_the_proof_open() {
    let repo = configured();
    repo.write("tests/test_tax.py", "import tax\n\n\ndef test_tax():\n    open(tax.__file__, 'a').write('# seen\\n')\n")
        .commit("Write into the tax");
    let run = mirror(repo);
    let id = run.json("run.json")["run_id"].as_str().unwrap().to_owned();
    let overlay = run.path.parent().unwrap().join(".overlays").join(id).join("tax");
    fs::create_dir_all(&overlay).unwrap();
    fs::write(overlay.join("tax.py"), "RATE = 1\n").unwrap();
    run.write("tax.txt", "pip install --target\n");
    let entry = json!({"id": "tax", "package": "tax", "declared_in": "pyproject.toml", "status": "prepared", "overlay": "tax",
        "import_origin": "tax.py", "receipt": "tax.txt", "reason": null});
    run.write("dependency-evidence.json", json!({"schema_version": 1, "preparations": [entry]}).to_string());
    pytest(&run, &python_with(PLAIN), &["shop.cart"], &["--overlay", "tax"]).exits(1);
    assert_proof(&run, "fail inconclusive", &["the overlay changed while the tests ran"]);
}

#[test]
fn people_read_what_is_not_proven_and_what_to_do() {
    let run = mirror(shop());
    let python = editable(&run.repo);
    let path = run.path.display().to_string();
    let options = ["--pytest-python", &python, "--pytest-import", "shop.cart"];
    let output = run.repo.run(&[&["code-review", "gates", "--run", &path], others().as_slice(), &options].concat()).exits(1);
    let place = run.repo.path("src/shop/cart.py").display().to_string();
    let output = output.says(&format!("tests: fail (source-proof-failed): origin-outside-worktree: shop.cart from {place}"));
    assert!(output.next().ends_with(&format!("--gate-env tests:PYTHONPATH={}/src", run.worktree().display())), "{output}");

    // A Python without pytest.
    let run = mirror(shop());
    let bare = run.repo.area("bare");
    install(Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&bare), "python3 with its module venv");
    let (path, python) = (run.path.display().to_string(), bare.join("bin/python").display().to_string());
    let options = ["--pytest-python", &python, "--pytest-import", "shop.cart"];
    let output = run.repo.run(&[&["code-review", "gates", "--run", &path], others().as_slice(), &options].concat()).exits(1);
    assert!(output.next().ends_with("pytest has to be in the Python that --pytest-python names"), "{output}");
    assert!(run.text("checks/tests.stderr.txt").contains("No module named pytest"));
}

/// A workspace whose member uses a package at this place.
fn cargo(dependency: &str, root: &str) -> Repo {
    let repo = ReviewRun::repository(WORLD);
    let package = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{rest}");
    repo.write(".gitignore", "/.code-polishy-reports/\n/target/\n");
    repo.write("Cargo.toml", package("shop", &format!("\n[dependencies]\nbank = {dependency}\n{root}")));
    repo.write("src/lib.rs", "mod cart;\n\n#[test]\nfn pays() {\n    assert_eq!(bank::pay(), 1);\n}\n").write("src/cart.rs", "");
    for place in ["bank", "../bank"] {
        let folder = repo.root().join(place);
        fs::create_dir_all(folder.join("src")).unwrap();
        fs::write(folder.join("Cargo.toml"), package("bank", "")).unwrap();
        fs::write(folder.join("src/lib.rs"), "pub fn pay() -> u32 {\n    1\n}\n").unwrap();
    }
    inside(&repo.root(), "cargo", &["generate-lockfile", "--offline", "--quiet"]);
    repo.commit("Pay with Rust");
    repo
}

const CARGO: [&str; 4] = ["--tests-runner", "cargo", "--tests", "cargo test --offline --locked --quiet"];

#[test]
fn c_113_a_dependency_by_path_lies_in_the_tree() {
    let run = last_commit(cargo("{ path = \"bank\" }", ""));
    let document = run_with(&run, &CARGO).exits(0).json();
    assert_eq!(check(&document, "tests")["source_proof"]["kind"], "cargo-manifest");
    assert_proof(&run, "pass pass", &[]);

    let outside = |repo: Repo| {
        let away = repo.root().join("../bank").canonicalize().unwrap().display().to_string();
        for file in ["Cargo.toml", ".cargo/config.toml"] {
            if let Ok(text) = fs::read_to_string(repo.path(file)) {
                repo.write(file, text.replace("AWAY", &away));
            }
        }
        inside(&repo.root(), "cargo", &["generate-lockfile", "--offline", "--quiet"]);
        repo.commit("Go elsewhere");
        let run = last_commit(repo);
        let document = run_with(&run, &CARGO).exits(1).json();
        assert_eq!(told(&document)[3], "fail source-proof-failed 0", "{}", run.text("checks/tests.stderr.txt"));
        assert_proof(&run, "fail fail", &["origin-outside-worktree"]);
    };
    outside(cargo("{ path = \"bank\" }", "").tap(|repo| {
        repo.write("Cargo.toml", String::from_utf8(repo.read("Cargo.toml")).unwrap().replace("\"bank\" }", "\"AWAY\" }"));
    }));
    // Not built, and declared all the same.
    outside(cargo("{ path = \"bank\" }", "").tap(|repo| {
        let text = String::from_utf8(repo.read("Cargo.toml")).unwrap();
        repo.write("Cargo.toml", text + "vault = { path = \"AWAY\", package = \"bank\", optional = true }\n").remove("bank/src/lib.rs");
        repo.write("bank/src/lib.rs", "pub fn pay() -> u32 {\n    1\n}\n")
            .write("bank/Cargo.toml", "[package]\nname = \"bank\"\nversion = \"0.2.0\"\nedition = \"2024\"\n");
    }));
    outside(cargo("{ path = \"bank\" }", "").tap(|repo| {
        repo.write(".cargo/config.toml", "paths = [\"AWAY\"]\n");
    }));
    // A patch, which nobody declares as a dependency by path.
    outside(cargo("\"0.1\"", "\n[patch.crates-io]\nbank = { path = \"bank\" }\n").tap(|repo| {
        repo.write("Cargo.toml", String::from_utf8(repo.read("Cargo.toml")).unwrap().replace("\"bank\" }", "\"AWAY\" }"));
    }));
    // A source file that is a link.
    outside(cargo("{ path = \"bank\" }", "").tap(|repo| {
        repo.remove("src/cart.rs").link("src/cart.rs", repo.root().join("../bank/src/lib.rs").canonicalize().unwrap());
    }));
}

#[test]
fn c_113_what_cargo_did_not_run_proves_nothing() {
    let repo = cargo("{ path = \"bank\" }", "");
    let tests = json!({"runner": "cargo", "args": ["sh", "-c", "cargo test --offline --locked"]});
    repo.policy(&json!({"version": 4, "codeReview": {"gates": {"tests": tests}}})).commit("Configure the tests");
    let run = last_commit(repo);
    gates(&run, &others()).exits(1);
    assert_proof(
        &run,
        "fail inconclusive",
        &["no test program was built", "the command is no `cargo test` and no `cargo nextest run`", "the workspace has no package"],
    );
}

trait Tap: Sized {
    fn tap(self, change: impl FnOnce(&Self)) -> Self {
        change(&self);
        self
    }
}

impl Tap for Repo {}
