//! Path roles by the `linguist-*` git attributes that code hosts know too: `linguist-generated`, `linguist-vendored`, `linguist-documentation`.
//!
//! Only an attribute that is set counts; `-linguist-generated`, `linguist-generated=false` and any other text leave the path to the next classifier. Of
//! several attributes the one whose role asks for more review counts.

mod label;

use code_polishy_sdk::path_roles::{PathFact, Role};
use code_polishy_sdk::{PathRoles, serde};
use label::Label;

struct Attributes;

/// What each attribute means.
#[derive(Debug, serde::Deserialize)]
#[serde(crate = "code_polishy_sdk::serde", default)]
struct Options {
    generated: Label,
    /// Third-party code ships like one's own: nothing of it is a test of the product, or a document of it.
    vendored: Label,
    documentation: Label,
}

impl Default for Options {
    fn default() -> Self {
        Self { generated: Label::Generated, vendored: Label::ProductionSource, documentation: Label::CurrentStateDocumentation }
    }
}

impl Options {
    fn label(&self, attribute: &str) -> Label {
        match attribute {
            "linguist-generated" => self.generated,
            "linguist-vendored" => self.vendored,
            "linguist-documentation" => self.documentation,
            _ => Label::None,
        }
    }
}

impl PathRoles for Attributes {
    type Options = Options;
    const OPTIONS_SCHEMA: &'static str = include_str!("options.schema.json");

    fn role(fact: &PathFact, options: &Options) -> Option<Role> {
        let set = fact.attributes.iter().filter(|attribute| attribute.value == "true");
        set.map(|attribute| options.label(&attribute.name)).max().and_then(Label::role)
    }
}

code_polishy_sdk::export_path_roles!(Attributes);

#[cfg(test)]
mod tests {
    use code_polishy_sdk::path_roles::{Attribute, PathKind};

    use super::*;

    fn role_with(attributes: &[(&str, &str)], options: &Options) -> Option<Role> {
        let attribute = |(name, value): &(&str, &str)| Attribute { name: format!("linguist-{name}"), value: (*value).to_owned() };
        let fact = PathFact {
            path: "a/b".to_owned(),
            kind: PathKind::File,
            executable: false,
            size: 0,
            head: Vec::new(),
            attributes: attributes.iter().map(attribute).collect(),
        };
        Attributes::role(&fact, options)
    }

    fn role(attributes: &[(&str, &str)]) -> Option<Role> {
        role_with(attributes, &Options::default())
    }

    #[test]
    fn attributes_that_are_set_name_roles() {
        assert_eq!(role(&[("generated", "true")]), Some(Role::Generated));
        assert_eq!(role(&[("vendored", "true")]), Some(Role::ProductionSource));
        assert_eq!(role(&[("documentation", "true")]), Some(Role::CurrentStateDocumentation));
    }

    #[test]
    fn everything_else_is_left_to_the_next_classifier() {
        assert_eq!(role(&[]), None);
        assert_eq!(role(&[("language", "Rust"), ("detectable", "true")]), None);
        for value in ["false", "", "yes", "TRUE"] {
            assert_eq!(role(&[("generated", value), ("vendored", value), ("documentation", value)]), None, "{value}");
        }
    }

    #[test]
    fn of_several_attributes_the_one_that_asks_for_more_review_counts() {
        assert_eq!(role(&[("documentation", "true"), ("generated", "true")]), Some(Role::CurrentStateDocumentation));
        assert_eq!(role(&[("documentation", "true"), ("generated", "true"), ("vendored", "true")]), Some(Role::ProductionSource));
        assert_eq!(role(&[("generated", "true"), ("vendored", "false")]), Some(Role::Generated));
    }

    #[test]
    fn options_say_what_an_attribute_means() {
        let options = Options { vendored: Label::Development, generated: Label::None, ..Options::default() };
        assert_eq!(role_with(&[("vendored", "true")], &options), Some(Role::Development));
        assert_eq!(role_with(&[("generated", "true")], &options), None);
        assert_eq!(role_with(&[("generated", "true"), ("vendored", "true")], &options), Some(Role::Development));
    }

    #[test]
    fn every_role_of_the_schema_can_be_written() {
        let schema: serde_json::Value = serde_json::from_str(Attributes::OPTIONS_SCHEMA).expect("JSON");
        let names = schema["$defs"]["role"]["enum"].as_array().expect("names");
        let roles: Vec<Option<Role>> =
            names.iter().map(|name| serde_json::from_value::<Label>(name.clone()).expect("a label").role()).collect();
        assert_eq!((roles.len(), roles.iter().filter(|role| role.is_none()).count()), (10, 1));
    }
}
