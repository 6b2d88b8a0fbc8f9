//! Names of features: when two are the same, and what an operand means (BR-15, BR-16).

use std::collections::{BTreeMap, BTreeSet};

use caseless::Caseless;
use thiserror::Error;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

use super::model::{Feature, Policy};
use crate::diagnostic::{Diagnostic, Failure, FailureKind};
use crate::text::{escape_line, shorten};

/// Bytes that a name, alias or operand has at most, before and after folding.
pub const MAX_NAME_BYTES: usize = 256;
/// Operands of one command.
pub const MAX_OPERANDS: usize = 128;

/// What makes two spellings the same name: NFKC, full case fold, white space as single spaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(String);

/// Why a text has no identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IdentityError {
    /// Nothing but white space.
    #[error("is blank")]
    Blank,
    /// As written.
    #[error("is longer than {MAX_NAME_BYTES} bytes")]
    TooLong,
    /// After normalisation and case fold.
    #[error("is longer than {MAX_NAME_BYTES} bytes when normalised")]
    TooLongFolded,
    /// A control or format character other than white space.
    #[error("has the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
}

impl Identity {
    /// The identity of a name, alias or operand.
    pub fn of(text: &str) -> Result<Self, IdentityError> {
        if text.len() > MAX_NAME_BYTES {
            return Err(IdentityError::TooLong);
        }
        if let Some(invisible) = text.chars().find(|character| is_invisible(*character)) {
            return Err(IdentityError::Invisible(invisible));
        }
        let identity = folded(text).split_whitespace().collect::<Vec<_>>().join(" ");
        match identity.len() {
            0 => Err(IdentityError::Blank),
            1..=MAX_NAME_BYTES => Ok(Self(identity)),
            _ => Err(IdentityError::TooLongFolded),
        }
    }

    /// The folded text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Folding can leave text that is not NFKC, and normalising that can leave text that folds further: repeated until it is stable.
fn folded(text: &str) -> String {
    let mut text: String = text.nfkc().collect();
    loop {
        let next: String = text.chars().default_case_fold().nfkc().collect();
        if next == text {
            return text;
        }
        text = next;
    }
}

fn is_invisible(character: char) -> bool {
    !character.is_whitespace() && matches!(get_general_category(character), GeneralCategory::Control | GeneralCategory::Format)
}

/// The names and aliases of the features of one or more policies.
#[derive(Clone, Debug, Default)]
pub struct FeatureNames {
    /// Canonical names by identity: more than one when the policies disagree.
    by_identity: BTreeMap<Identity, BTreeSet<String>>,
    canonical: BTreeSet<String>,
}

impl FeatureNames {
    /// The union of these policies' names.
    pub fn of(policies: &[&Policy]) -> Self {
        let mut names = Self::default();
        for feature in policies.iter().flat_map(|policy| policy.features()) {
            names.add(feature);
        }
        names
    }

    fn add(&mut self, feature: &Feature) {
        self.canonical.insert(feature.name.clone());
        for identity in std::iter::once(&feature.name).chain(&feature.aliases).filter_map(|text| Identity::of(text).ok()) {
            self.by_identity.entry(identity).or_default().insert(feature.name.clone());
        }
    }

    /// Canonical names, sorted.
    pub fn configured(&self) -> impl Iterator<Item = &str> {
        self.canonical.iter().map(String::as_str)
    }

    /// The canonical name that this operand has by exact identity; the diagnostic names the operand and what is configured.
    pub fn resolve(&self, operand: &str) -> Result<&str, Box<Diagnostic>> {
        let shown = shorten(&escape_line(operand), 120);
        let identity = Identity::of(operand).map_err(|error| {
            Box::new(Diagnostic::new("feature.bad-operand", format!("the feature name `{shown}` {error}"), self.next()))
        })?;
        // A canonical name stays sayable when another policy makes it an alias.
        if let Some(name) = self.canonical.get(identity.as_str()) {
            return Ok(name);
        }
        let mut found = self.by_identity.get(&identity).into_iter().flatten();
        match (found.next(), found.next()) {
            (Some(name), None) => Ok(name),
            (Some(one), Some(other)) => {
                let message = format!("`{shown}` names `{one}` in one policy and `{other}` in another");
                Err(Box::new(Diagnostic::new("feature.ambiguous", message, format!("say `{one}` or `{other}`"))))
            }
            (None, _) => {
                Err(Box::new(Diagnostic::new("feature.unknown", format!("no feature has the name or alias `{shown}`"), self.next())))
            }
        }
    }

    fn next(&self) -> String {
        if self.canonical.is_empty() {
            return "configure features under `verification.behaviorReview.features`: there are none".to_owned();
        }
        let shown: Vec<String> = self.configured().take(20).map(|name| format!("`{name}`")).collect();
        let more = if self.canonical.len() > 20 { format!(" and {} more", self.canonical.len() - 20) } else { String::new() };
        format!("use one of the configured features: {}{more}", shown.join(", "))
    }
}

/// Canonical names of the operands, sorted, unique; every faulty operand is reported (exit 2).
pub fn resolve_operands(operands: &[String], names: &FeatureNames) -> Result<Vec<String>, Failure> {
    if operands.len() > MAX_OPERANDS {
        let message = format!("{} features are named, and {MAX_OPERANDS} is the most", operands.len());
        return Err(Failure::usage("feature.too-many", message, "name fewer features"));
    }
    let mut resolved = BTreeSet::new();
    let mut faults = Vec::new();
    for operand in operands {
        match names.resolve(operand) {
            Ok(name) => {
                resolved.insert(name.to_owned());
            }
            Err(fault) => faults.push(*fault),
        }
    }
    if faults.is_empty() { Ok(resolved.into_iter().collect()) } else { Err(Failure::new(FailureKind::Usage, faults)) }
}

#[cfg(test)]
mod tests {
    use super::super::model::{BehaviorReview, Level};
    use super::*;
    use proptest::prelude::*;

    fn same(one: &str, other: &str) -> bool {
        Identity::of(one).expect("valid") == Identity::of(other).expect("valid")
    }

    fn policy(features: &[(&str, &[&str])]) -> Policy {
        let features = features
            .iter()
            .map(|(name, aliases)| Feature {
                name: (*name).to_owned(),
                description: "d".to_owned(),
                aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
                modules: Vec::new(),
                paths: vec!["**".to_owned()],
                suites: vec!["s".to_owned()],
                required_at: Level::OnRequest,
            })
            .collect();
        let review = BehaviorReview { default_required_at: Level::OnRequest, features, allowed_red_kinds: Vec::new(), instructions: None };
        let mut policy = Policy::default();
        policy.verification.behavior_review = Some(review);
        policy
    }

    #[test]
    fn spellings_of_one_name_are_equal() {
        assert!(same("Straße", "STRASSE"));
        assert!(same("check\u{a0}out", "  Check \t OUT\n"));
        assert!(same("ﬁnal", "FINAL") && same("①", "1") && same("Å", "A\u{30a}"));
        assert!(!same("checkout", "check out") && !same("cafe", "café") && !same("a.b", "a-b"));
    }

    #[test]
    fn texts_without_identity_are_refused() {
        assert_eq!(Identity::of(" \u{3000}"), Err(IdentityError::Blank));
        assert_eq!(Identity::of(&"a".repeat(257)), Err(IdentityError::TooLong));
        assert_eq!(Identity::of(&"\u{fdfa}".repeat(80)), Err(IdentityError::TooLongFolded));
        assert_eq!(Identity::of("a\u{200b}b"), Err(IdentityError::Invisible('\u{200b}')));
        assert_eq!(Identity::of("a\u{7}"), Err(IdentityError::Invisible('\u{7}')));
        assert!(Identity::of(&"a".repeat(256)).is_ok());
    }

    #[test]
    fn operands_become_sorted_canonical_names() {
        let policy = policy(&[("search", &["Finding"]), ("checkout", &["Kasse"])]);
        let names = FeatureNames::of(&[&policy]);
        let operands = ["SEARCH".to_owned(), "kasse".to_owned(), "finding".to_owned()];
        assert_eq!(resolve_operands(&operands, &names), Ok(vec!["checkout".to_owned(), "search".to_owned()]));
        assert_eq!(resolve_operands(&[], &names), Ok(Vec::new()));
    }

    #[test]
    fn every_faulty_operand_is_named() {
        let policy = policy(&[("search", &[]), ("checkout", &[])]);
        let names = FeatureNames::of(&[&policy]);
        let failure = resolve_operands(&["searc".to_owned(), "a\u{1b}b".to_owned(), "search".to_owned()], &names).expect_err("refused");
        let codes: Vec<_> = failure.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
        assert_eq!(codes, ["feature.unknown", "feature.bad-operand"]);
        assert!(failure.diagnostics[0].message.contains("`searc`") && failure.diagnostics[0].next.contains("`checkout`, `search`"));
        assert!(failure.diagnostics[1].message.contains("`a\\u{1b}b`"));
        let many = vec!["search".to_owned(); 129];
        assert_eq!(resolve_operands(&many, &names).expect_err("refused").diagnostics[0].code, "feature.too-many");
    }

    #[test]
    fn policies_that_disagree_make_an_alias_ambiguous() {
        let (base, candidate) = (policy(&[("a", &["x"])]), policy(&[("b", &["x"]), ("a", &[])]));
        let names = FeatureNames::of(&[&base, &candidate]);
        assert_eq!(names.resolve("X").expect_err("refused").code, "feature.ambiguous");
        assert_eq!(names.resolve("A"), Ok("a"));
        let renamed = policy(&[("b", &["a"])]);
        assert_eq!(FeatureNames::of(&[&base, &renamed]).resolve("a"), Ok("a"));
    }

    proptest! {
        #[test]
        fn an_identity_is_its_own_identity(text in "\\PC{1,20}") {
            if let Ok(identity) = Identity::of(&text) {
                prop_assert_eq!(Identity::of(identity.as_str()), Ok(identity.clone()));
                prop_assert_eq!(Identity::of(&format!(" {text}  ")), Ok(identity));
            }
        }
    }
}
