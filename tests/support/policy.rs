//! Policies as values, to be edited by the scenario that needs them different.

use serde_json::{Value, json};

/// The version 4 policy of the shop: two features over three modules, `checkout` protected at merge.
pub fn shop() -> Value {
    json!({
        "version": 4,
        "modules": [
            {"name": "money", "paths": ["money/**"]},
            {"name": "checkout", "paths": ["checkout/**"], "dependsOn": ["money"]},
            {"name": "search", "paths": ["search/**"]},
        ],
        "tests": {"suites": [suite("checkout-contract", "checkout"), suite("search-contract", "search")]},
        "checks": [{"name": "syntax", "category": "check", "argv": ["./run-tests.sh", "syntax"], "runOn": ["checkpoint", "recommended", "full"]}],
        "verification": {"behaviorReview": {"features": [feature("checkout", "merge"), feature("search", "on-request")]}},
    })
}

/// The shop's policy without `behaviorReview`.
pub fn without_review() -> Value {
    let mut policy = shop();
    policy["verification"] = json!({});
    policy
}

/// The shop's policy with these features and no default.
pub fn with_features(features: &[Value]) -> Value {
    let mut policy = shop();
    policy["verification"]["behaviorReview"] = json!({"features": features});
    policy
}

/// A feature that owns the module and the contract suite of its name.
pub fn feature(name: &str, required_at: &str) -> Value {
    json!({
        "name": name,
        "description": format!("What the shop promises about {name}."),
        "modules": [name],
        "suites": [format!("{name}-contract")],
        "requiredAt": required_at,
    })
}

/// A quick suite of one module, run as `./run-tests.sh MODULE`.
pub fn suite(name: &str, module: &str) -> Value {
    json!({"name": name, "kind": "contract", "scope": "module", "modules": [module], "argv": ["./run-tests.sh", module], "timeoutSeconds": 60})
}
