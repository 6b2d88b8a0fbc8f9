//! The rules that a report's findings break.

use std::collections::BTreeMap;

use reading::foreign::{bounded, visible};
use reading::json::{Value, list, object, text};

use crate::text::message;

/// Characters of a rule's identifier.
const IDENTIFIER: usize = 200;

/// Every rule that is broken, once, in the order in which it is met.
#[derive(Default)]
pub struct Rules {
    met: Vec<String>,
    places: BTreeMap<String, u64>,
}

impl Rules {
    /// The rule's place among all, and its identifier.
    pub fn index(&mut self, rule: &str) -> (u64, String) {
        let id = visible(&bounded(rule, IDENTIFIER));
        let next = self.places.len() as u64;
        let place = *self.places.entry(id.clone()).or_insert(next);
        if place == next {
            self.met.push(id.clone());
        }
        (place, id)
    }

    /// All of them, as reporting descriptors.
    pub fn all(self) -> Value {
        list(self.met.into_iter().map(|id| {
            let meaning = message(meaning(&id));
            object([("id", text(id)), ("shortDescription", meaning), ("defaultConfiguration", object([("level", text("error"))]))])
        }))
    }
}

fn meaning(rule: &str) -> &'static str {
    match rule {
        "policy.behaviorReview" => "The change needs an accepted behavior review",
        "policy.behaviorProof" => "A recorded proof does not hold",
        "candidate.changed" => "The candidate changed while it was judged",
        "gate.command-exit" => "A command of the gate did not pass",
        "gate.timeout" => "A command of the gate ran out of time",
        "gate.canceled" => "A command of the gate was ended",
        "gate.environment" => "A command of the gate could not start",
        "gate.resource" => "A command of the gate did not get its exclusive resource",
        rule if rule.starts_with("gate.") => "A command of the gate could not be judged",
        rule if rule.starts_with("documentation.") => "A document breaks the Markdown contract",
        _ => "The gate could not be finished",
    }
}
