//! Node ids: how pytest names a test, and how a user asks for it.

use junit_xml::Case;

/// `tests/test_total.py::TestShop::test_many[two]`, from a report that has the file, and module and classes joined by dots.
pub fn id(case: &Case<'_>) -> String {
    let Case { class, name, file, .. } = case;
    if file.is_empty() {
        return case.title();
    }
    if let Some(classes) = classes(class, file) {
        return joined(file, classes, name);
    }
    // An inherited test is in the file of its base: the module ends where the classes begin, which have capitals.
    let mut id = String::new();
    let mut in_module = true;
    for part in class.split('.') {
        let is_class = part.starts_with(|char: char| char.is_ascii_uppercase());
        if in_module && is_class {
            id.push_str(".py");
            in_module = false;
        }
        if !id.is_empty() {
            id.push_str(if in_module { "/" } else { "::" });
        }
        id.push_str(part);
    }
    if in_module {
        id.push_str(".py");
    }
    joined(&id, "", name)
}

/// What of a class name follows the module of the file; `--junit-prefix` may precede it.
fn classes<'a>(class: &'a str, file: &str) -> Option<&'a str> {
    let module = file.strip_suffix(".py").unwrap_or(file);
    let after = |start: usize| {
        let (found, rest) = class.get(start..)?.split_at_checked(module.len())?;
        let is_module = found.bytes().zip(module.bytes()).all(|(one, other)| one == other || (one == b'.' && other == b'/'));
        (is_module && (rest.is_empty() || rest.starts_with('.'))).then(|| rest.trim_start_matches('.'))
    };
    after(0).or_else(|| class.match_indices('.').find_map(|(dot, _)| after(dot + 1)))
}

fn joined(file: &str, classes: &str, name: &str) -> String {
    let mut id = String::with_capacity(file.len() + classes.len() + name.len() + 8);
    id.push_str(file);
    for class in classes.split('.').filter(|class| !class.is_empty()) {
        id.push_str("::");
        id.push_str(class);
    }
    id.push_str("::");
    id.push_str(name);
    id
}

#[cfg(test)]
mod tests {
    use code_polishy_sdk::suite_runner::CaseOutcome;

    use super::*;

    #[test]
    fn ids_are_those_that_pytest_prints() {
        for (file, class, name, expected) in [
            ("tests/test_a.py", "tests.test_a", "test_b[x::y.z]", "tests/test_a.py::test_b[x::y.z]"),
            ("tests/test_a.py", "tests.test_a.TestB.TestC", "test_d", "tests/test_a.py::TestB::TestC::test_d"),
            ("tests/test_a.py", "ci.tests.test_a.TestB", "test_d", "tests/test_a.py::TestB::test_d"),
            ("doc.txt", "doc.txt", "doc.txt", "doc.txt::doc.txt"),
            ("inh/base.py", "inh.test_child.TestChild", "test_inherited", "inh/test_child.py::TestChild::test_inherited"),
            ("", "tests.test_a", "test_b", "tests.test_a test_b"),
        ] {
            let case = Case {
                suite: "pytest".into(),
                class: class.into(),
                name: name.into(),
                file: file.into(),
                line: None,
                outcome: CaseOutcome::Passed,
                message: String::new(),
                details: String::new(),
            };
            assert_eq!(id(&case), expected);
        }
    }
}
