//! The JSON Schema of `.code-polishy.json`: the file's shape with its optional keys, closed objects and limits.
//!
//! The types are only described, never filled: `load` reads the file, because it reports every violation with its place. What crosses
//! objects (references, circles, identities, levels) is `load`'s alone. A test keeps both to the same keys.

use std::collections::{BTreeMap, BTreeSet};

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::Value;

use super::model::{CheckCategory, CheckRun, Cost, Hazard, Level, RedKind, SuiteRun, SuiteScope};
use crate::plugin::PluginKind;
use crate::schema::shape::{bounds, without_null};

/// The schema.
pub fn config_schema() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null)).with_transform(RecursiveTransform(bounds));
    SchemaGenerator::new(settings).into_root_schema_for::<PolicyFile>().to_value()
}

/// A lower-case letter, then lower-case letters and digits in groups separated by single `.` or `-`; at most 80 characters.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[schemars(extend("pattern" = "^[a-z][a-z0-9]*([.-][a-z0-9]+)*$", "maxLength" = 80))]
struct Identifier(String);

/// A pattern of paths relative to the repository's root: `*` is a run without `/`, `**/` any directories, another `**` any run, `?` one
/// character other than `/`; everything else is literal.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[schemars(extend("pattern" = "\\S", "not" = {"pattern": "(^|/)(\\.\\.?)?(/|$)"}))]
struct Pattern(String);

/// A file by its exact path relative to the repository's root, with `/` and without `.` or `..` segments; no pattern.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[schemars(extend("pattern" = "^[^*?]*[^*?\\s][^*?]*$", "not" = {"pattern": "(^|/)(\\.\\.?)?(/|$)"}))]
struct ExactPath(String);

/// A folder relative to the repository's root, which is `.` itself.
#[derive(JsonSchema)]
#[schemars(extend("pattern" = "\\S", "not" = {"pattern": "^\\./|(^|/)(\\.\\.)?(/|$)|/\\.(/|$)"}))]
#[allow(dead_code)]
struct Folder(String);

/// A Markdown file, by its exact path.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[schemars(extend("pattern" = "^[^/*?][^*?]*\\.([mM][dD]|[mM][aA][rR][kK][dD][oO][wW][nN])$"))]
struct MarkdownPath(String);

/// The name of an environment variable that is passed through.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[schemars(extend("pattern" = "^[A-Za-z_][A-Za-z0-9_]*$"))]
struct Variable(String);

/// A program and its arguments; the program is found by its name or inside the repository, and no shell runs a text.
#[derive(JsonSchema)]
#[schemars(extend("minItems" = 1, "items" = {"type": "string", "minLength": 1}))]
struct Argv(#[allow(dead_code)] Vec<String>);

/// Seconds.
#[derive(JsonSchema)]
#[schemars(extend("minimum" = 1, "maximum" = 3600))]
struct Seconds(#[allow(dead_code)] u32);

macro_rules! described {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {$(
        #[derive(JsonSchema)]
        $(#[$meta])*
        #[schemars(deny_unknown_fields, rename_all = "camelCase")]
        #[allow(dead_code)]
        struct $name { $($(#[$field_meta])* $field: $type,)* }
    )*};
}

described! {
    /// What `code-polishy` demands of a change to this repository.
    PolicyFile {
        /// The version of this format.
        #[schemars(extend("const" = 4))]
        version: u32,
        /// Review, merge target and merge gate.
        verification: Option<Verification>,
        /// Owners of paths.
        modules: Option<Vec<Module>>,
        /// Tests.
        tests: Option<Tests>,
        /// Ordinary commands of gates that are no tests, run in this order within check, build and supply-chain.
        checks: Option<Vec<Check>>,
        /// Design documents and product inputs.
        documentation: Option<Documentation>,
        /// Pinned components; classifiers are asked in this order.
        plugins: Option<Vec<Plugin>>,
        /// Reports of gates.
        reports: Option<Reports>,
        /// Exclusions and extra patterns of roles.
        scope: Option<Scope>,
        /// The code review workflow.
        code_review: Option<CodeReview>,
        /// Accepted and not enforced.
        languages: Option<Value>,
        /// Accepted and not enforced.
        architecture: Option<Value>,
        /// Accepted and not enforced.
        quality: Option<Value>,
        /// Accepted and not enforced.
        supply_chain: Option<Value>,
        /// Accepted and not enforced.
        builds: Option<Value>,
        /// Accepted and not enforced.
        artifacts: Option<Value>,
        /// Accepted and not enforced.
        providers: Option<Value>,
        /// Accepted and not enforced.
        entry_points: Option<Value>,
        /// Accepted and not enforced.
        data: Option<Value>,
        /// Accepted and not enforced.
        exceptions: Option<Value>,
    }

    /// Review, merge target and merge gate.
    Verification {
        /// Absent at base and candidate: review is optional.
        behavior_review: Option<BehaviorReview>,
        /// A reference: the merge gate's base must be its merge base with HEAD.
        #[schemars(extend("pattern" = "^[^-\\s][^\\s]*$"))]
        trusted_merge_target: Option<String>,
        /// Absent: every merge gate is `full`.
        merge_gate: Option<MergeGate>,
    }

    /// Which behavior a review protects.
    BehaviorReview {
        /// The level of features that name none; `merge` and `checkpoint` also select the full candidate at that boundary.
        #[schemars(extend("default" = "on-request"))]
        default_required_at: Option<Level>,
        /// The protected features.
        #[schemars(length(max = 128), extend("default" = []))]
        features: Option<Vec<Feature>>,
        /// How a red run may come to be red.
        #[schemars(length(min = 1), extend("default" = ["failed", "broken"]))]
        allowed_red_kinds: Option<BTreeSet<RedKind>>,
        /// Instructions for the reviewer in place of the built-in ones; the base commit's content counts.
        instructions: Option<ExactPath>,
    }

    /// A named behavior, with at least one module or path.
    #[schemars(extend("anyOf" = [{"required": ["modules"]}, {"required": ["paths"]}]))]
    Feature {
        /// Unique in every spelling.
        name: Identifier,
        /// One line, read without the blanks around it: at most 512 UTF-8 bytes, no control character.
        #[schemars(length(max = 512), extend("pattern" = "\\S", "not" = {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}))]
        description: String,
        /// Other names that a task may use; unique in every spelling, at most 256 UTF-8 bytes each.
        #[schemars(length(max = 16), inner(length(min = 1, max = 256)), extend("default" = []))]
        aliases: Option<Vec<String>>,
        /// Modules that the feature lives in.
        #[schemars(extend("default" = []))]
        modules: Option<BTreeSet<Identifier>>,
        /// Paths that the feature lives in.
        #[schemars(extend("default" = []))]
        paths: Option<BTreeSet<Pattern>>,
        /// Suites that can prove it: repeatable by anyone, without hazards or environment.
        #[schemars(length(min = 1))]
        suites: BTreeSet<Identifier>,
        /// Never weaker than the default level; absent, the default level.
        required_at: Option<Level>,
    }

    /// What the merge gate may leave out.
    MergeGate {
        /// Modules whose changes can be judged at the level `recommended`.
        recommended_modules: Option<BTreeSet<Identifier>>,
    }

    /// An owner of paths.
    Module {
        /// Unique.
        name: Identifier,
        /// What it owns; several modules may own a path.
        #[schemars(length(min = 1))]
        paths: BTreeSet<Pattern>,
        /// Modules that it builds on, without circles.
        #[schemars(extend("default" = []))]
        depends_on: Option<BTreeSet<Identifier>>,
    }

    /// Tests.
    Tests {
        /// The suites.
        #[schemars(extend("default" = []))]
        suites: Option<Vec<Suite>>,
    }

    /// A test suite.
    #[schemars(extend("oneOf" = [
        {
            "properties": {"scope": {"const": "module"}, "modules": {"minItems": 1, "maxItems": 1}, "paths": {"maxItems": 0}},
            "required": ["modules"],
        },
        {"properties": {"scope": {"const": "repository"}, "modules": {"maxItems": 0}}},
    ]))]
    Suite {
        /// Unique.
        name: Identifier,
        /// `unit`, `integration`, `contract`, `browser`, `e2e` or another word.
        kind: Identifier,
        /// What it covers.
        scope: SuiteScope,
        /// Exactly one for the scope `module`, none for `repository`.
        #[schemars(extend("default" = []))]
        modules: Option<BTreeSet<Identifier>>,
        /// Absent: by kind and scope.
        cost: Option<Cost>,
        /// The command, which must be able to fail.
        argv: Argv,
        /// The folder it runs in.
        #[schemars(extend("default" = "."))]
        cwd: Option<Folder>,
        /// What triggers a suite of scope `repository`.
        #[schemars(extend("default" = []))]
        paths: Option<BTreeSet<Pattern>>,
        /// `focused` implies `recommended`, which implies `full`; absent: what scope and cost allow.
        #[schemars(length(min = 1), extend("not" = {"contains": {"const": "supplemental"}, "minItems": 2}))]
        run_on: Option<BTreeSet<SuiteRun>>,
        /// Variables that it needs.
        #[schemars(extend("default" = []))]
        environment: Option<BTreeSet<Variable>>,
        /// What running it may do.
        #[schemars(extend("default" = []))]
        hazards: Option<BTreeSet<Hazard>>,
        /// Used by one suite at a time on a machine.
        #[schemars(extend("default" = []))]
        exclusive_resources: Option<BTreeSet<Identifier>>,
        /// How long it may take.
        #[schemars(extend("default" = 900))]
        timeout_seconds: Option<Seconds>,
        /// The plugin that understands its output.
        #[schemars(extend("default" = "exec"))]
        runner: Option<Identifier>,
        /// Options of that plugin.
        #[schemars(extend("default" = {}))]
        runner_options: Option<BTreeMap<String, Value>>,
    }

    /// An ordinary command of gates.
    Check {
        /// Unique.
        name: Identifier,
        /// What it does.
        category: CheckCategory,
        /// The command.
        argv: Argv,
        /// The folder it runs in.
        #[schemars(extend("default" = "."))]
        cwd: Option<Folder>,
        /// How long it may take.
        #[schemars(extend("default" = 900))]
        timeout_seconds: Option<Seconds>,
        /// Variables that it needs.
        #[schemars(extend("default" = []))]
        environment: Option<BTreeSet<Variable>>,
        /// Absent: `recommended` and `full`; of a supply-chain check `full`.
        #[schemars(length(min = 1))]
        run_on: Option<BTreeSet<CheckRun>>,
    }

    /// Documents with a part in reviews.
    Documentation {
        /// Documents that explain sources.
        #[schemars(extend("default" = []))]
        design: Option<Vec<Design>>,
        /// Markdown files that are input of the product.
        #[schemars(extend("default" = []))]
        product_inputs: Option<BTreeSet<MarkdownPath>>,
    }

    /// A document and exactly one of what it explains.
    #[schemars(extend("oneOf" = [{"required": ["module"]}, {"required": ["sourcePaths"]}]))]
    Design {
        /// The document.
        path: MarkdownPath,
        /// The module it explains.
        module: Option<Identifier>,
        /// The exact paths it explains.
        #[schemars(length(min = 1))]
        source_paths: Option<BTreeSet<ExactPath>>,
    }

    /// A pinned component.
    Plugin {
        /// Unique within its kind.
        name: Identifier,
        /// What it is used as.
        kind: PluginKind,
        /// A `.wasm` file in the repository, or a name in the user's plugin store.
        #[schemars(extend("anyOf" = [
            {"pattern": "\\.wasm$", "not": {"pattern": "(^|/)(\\.\\.?)?(/|$)"}},
            {"pattern": "^[a-z][a-z0-9]*([.-][a-z0-9]+)*$", "maxLength": 80},
        ]))]
        source: String,
        /// The digest that its bytes must have.
        #[schemars(extend("pattern" = "^[0-9a-f]{64}$"))]
        sha256: String,
        /// Its options.
        #[schemars(extend("default" = {}))]
        options: Option<BTreeMap<String, Value>>,
        /// Limits other than the usual ones.
        limits: Option<Limits>,
    }

    /// Limits of one plugin.
    Limits {
        /// Fuel of one call.
        #[schemars(range(min = 1, max = 1_000_000_000_000_u64))]
        fuel: Option<u64>,
        /// Memory in MiB.
        #[schemars(rename = "memoryMiB", range(min = 1, max = 4096))]
        memory_mib: Option<u32>,
        /// Size of the component in MiB.
        #[schemars(rename = "sizeMiB", range(min = 1, max = 256))]
        size_mib: Option<u32>,
    }

    /// Reports of gates.
    Reports {
        /// Renderers, in order.
        #[schemars(extend("default" = ["markdown"], "uniqueItems" = true))]
        renderers: Option<Vec<Identifier>>,
        /// Whether a renderer's fault ends the gate with exit status 3.
        #[schemars(extend("default" = false))]
        strict: Option<bool>,
    }

    /// Which paths count, and as what.
    Scope {
        /// Not governed: for tracked paths only where base and candidate agree.
        #[schemars(extend("default" = []))]
        exclude: Option<BTreeSet<Pattern>>,
        /// Of the role `generated`.
        #[schemars(extend("default" = []))]
        generated: Option<BTreeSet<Pattern>>,
        /// Of the role `development`.
        #[schemars(extend("default" = []))]
        development: Option<BTreeSet<Pattern>>,
    }

    /// The code review workflow.
    CodeReview {
        /// Where its runs are kept.
        reports_dir: Option<String>,
        /// Where role cards are.
        role_cards: Option<String>,
        /// How the gates are run.
        gates: Option<CodeReviewGates>,
        /// More production source.
        production_source: Option<BTreeSet<Pattern>>,
        /// More tests.
        test_paths: Option<BTreeSet<Pattern>>,
        /// More paths of high risk.
        high_risk_paths: Option<BTreeSet<Pattern>>,
        /// Renderers of the hand-off.
        renderers: Option<Vec<CodeReviewRenderer>>,
        /// Plugins that check what a harness recorded about a reviewer.
        reviewer_adapters: Option<BTreeSet<Identifier>>,
    }

    /// The gates of a code review.
    CodeReviewGates {
        /// Lint.
        lint: Option<CodeReviewGate>,
        /// Format.
        format: Option<CodeReviewGate>,
        /// Types.
        types: Option<CodeReviewGate>,
        /// Tests.
        tests: Option<CodeReviewGate>,
        /// Review.
        review: Option<CodeReviewGate>,
    }

    /// A command, a runner, or the reason why neither applies.
    CodeReviewGate {
        /// A text for the shell, or a program and its arguments.
        command: Option<TextOrArgv>,
        /// A suite-runner plugin.
        runner: Option<Identifier>,
        /// Arguments of the runner.
        args: Option<Vec<String>>,
        /// Modules that the gate `tests` has to exercise under the runner `pytest`.
        imports: Option<Vec<String>>,
        /// Why the gate does not apply.
        not_applicable: Option<String>,
        /// How long it may take.
        timeout_seconds: Option<Seconds>,
        /// Whether the gate observes behavior.
        behavioral: Option<bool>,
    }

    /// A renderer of the hand-off.
    CodeReviewRenderer {
        /// Its name.
        id: Identifier,
        /// Whether its fault is a fault of the run.
        required: Option<bool>,
    }
}

/// A text for the shell, or a program and its arguments.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum TextOrArgv {
    Text(String),
    Argv(Argv),
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::keys;
    use super::*;

    fn properties(schema: &Value) -> Vec<&str> {
        let mut keys: Vec<_> = schema["properties"].as_object().expect("an object").keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn schema_and_loader_know_the_same_keys() {
        let schema = config_schema();
        let same = |definition: &str, expected: &[&str]| {
            let schema = if definition.is_empty() { &schema } else { &schema["$defs"][definition] };
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(properties(schema), expected, "{definition}");
            assert_eq!(schema["additionalProperties"], json!(false), "{definition}");
        };
        same("", &[keys::ROOT, keys::NOT_ENFORCED].concat());
        for (definition, expected) in [
            ("Verification", keys::VERIFICATION),
            ("BehaviorReview", keys::BEHAVIOR_REVIEW),
            ("Feature", keys::FEATURE),
            ("MergeGate", keys::MERGE_GATE),
            ("Module", keys::MODULE),
            ("Tests", keys::TESTS),
            ("Suite", keys::SUITE),
            ("Check", keys::CHECK),
            ("Documentation", keys::DOCUMENTATION),
            ("Design", keys::DESIGN),
            ("Plugin", keys::PLUGIN),
            ("Limits", keys::LIMITS),
            ("Reports", keys::REPORTS),
            ("Scope", keys::SCOPE),
            ("CodeReview", keys::CODE_REVIEW),
            ("CodeReviewGates", keys::CODE_REVIEW_GATES),
            ("CodeReviewGate", keys::CODE_REVIEW_GATE),
            ("CodeReviewRenderer", keys::CODE_REVIEW_RENDERER),
        ] {
            same(definition, expected);
        }
    }

    #[test]
    fn nothing_may_be_null() {
        assert!(!config_schema().to_string().contains("null"));
    }
}
