//! What the demo plays: a shop with a defect, the change that mends it, and the test that shows it. It needs a POSIX shell.

use serde_json::{Value, json};

/// A file: path and content. One that starts with `#!` is executable.
pub type File = (&'static str, &'static str);

/// The request, in the words of who wants the change.
pub const REQUEST: &str = "The total of an order must add the prices of all its items, not only the first two.\n";

/// The test that is red at the base and green at the candidate.
pub const EVIDENCE: &str = "tests/checkout/three_prices.sh";

/// The tree of the base.
pub const BASE: [File; 6] = [
    (".code-polishy.json", POLICY),
    (".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n"),
    ("README.md", "# Shop\n\nPrints the total of an order.\n"),
    ("checkout/total.sh", "# Prints the total of an order: total PRICE...\ntotal() {\n    echo $(($1 + $2))\n}\n"),
    ("tests/run.sh", RUN),
    ("tests/checkout/two_prices.sh", ". ./checkout/total.sh\n[ \"$(total 2 3)\" = 5 ]\n"),
];

/// What the change writes.
pub const CHANGE: [File; 2] = [("checkout/total.sh", TOTAL), (EVIDENCE, ". ./checkout/total.sh\n[ \"$(total 2 3 4)\" = 9 ]\n")];

const POLICY: &str = r#"{
  "version": 4,
  "modules": [{"name": "checkout", "paths": ["checkout/**"]}],
  "tests": {
    "suites": [
      {
        "name": "checkout-contract",
        "kind": "contract",
        "scope": "module",
        "modules": ["checkout"],
        "argv": ["./tests/run.sh"],
        "timeoutSeconds": 60
      }
    ]
  },
  "checks": [
    {"name": "syntax", "category": "check", "argv": ["sh", "-n", "checkout/total.sh"], "runOn": ["checkpoint", "recommended", "full"]}
  ],
  "verification": {
    "behaviorReview": {
      "features": [
        {
          "name": "checkout",
          "description": "What an order costs.",
          "modules": ["checkout"],
          "suites": ["checkout-contract"],
          "requiredAt": "merge"
        }
      ]
    }
  }
}
"#;

const RUN: &str = r#"#!/bin/sh
# Runs every case of the shop.
status=0
for case in tests/checkout/*.sh; do
    if sh "$case"; then
        echo "ok $case"
    else
        echo "failed $case"
        status=1
    fi
done
exit "$status"
"#;

const TOTAL: &str = r#"# Prints the total of an order: total PRICE...
total() {
    sum=0
    for price in "$@"; do
        sum=$((sum + price))
    done
    echo "$sum"
}
"#;

/// The answer that a reviewer could give to this packet.
pub fn canned_result(packet: &Value) -> Value {
    let identity = |key: &str| packet[key].clone();
    json!({
        "version": 4,
        "review_id": identity("review_id"),
        "base": identity("base"),
        "candidate": identity("candidate"),
        "intent_sha256": identity("intent_sha256"),
        "selection_sha256": identity("selection_sha256"),
        "decision_sha256": identity("decision_sha256"),
        "behaviors": [
            {
                "before": "The total of an order of three items is the sum of the first two prices.",
                "after": "The total of an order is the sum of all prices.",
                "classification": "requested",
                "proof_ids": ["every-price"],
                "scope": {"features": ["checkout"], "full_candidate": false},
            },
            {
                "before": "The total of an order of two items is the sum of both prices.",
                "after": "The total of an order of two items is the sum of both prices.",
                "classification": "preserved",
                "proof_ids": [],
                "scope": {"features": ["checkout"], "full_candidate": false},
            },
        ],
        "findings": [],
        "final_state_findings": [],
    })
}
