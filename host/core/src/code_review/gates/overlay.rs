//! An overlay of prepared packages that the tests may import from (CR-148, CR-229).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::candidate::{DependencyEvidence, Preparation, PreparationStatus};

/// The file that tells of preparations, relative to the run.
pub const DEPENDENCIES_FILE: &str = "dependency-evidence.json";
/// What the tests gate keeps of its overlay, relative to the run.
pub const OVERLAY_FILE: &str = "checks/tests.overlay.json";

/// Why an overlay on the path is refused.
pub const UNTOLD: &str = "an overlay of the run is on the path, and nothing is kept of it";

/// The overlay that the tests were given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverlayReceipt {
    /// 1.
    pub schema_version: u32,
    /// The preparation in `dependency-evidence.json` that made it.
    pub preparation: String,
    /// The overlay as that preparation names it.
    pub overlay: String,
    /// The folder; absolute.
    pub folder: String,
    /// Digest of every path and its bytes, before the tests.
    pub tree_sha256: String,
}

/// The folder of a run's overlays, below the folder that the run lies in.
pub fn overlays_folder(run_id: &str) -> String {
    format!(".overlays/{run_id}")
}

/// The preparations that an overlay can be of: prepared, with an origin, and with a receipt that `is_kept`.
pub fn overlaid<'e>(evidence: &'e DependencyEvidence, is_kept: &dyn Fn(&str) -> bool) -> Vec<&'e Preparation> {
    let is_whole = |preparation: &&Preparation| {
        preparation.status == PreparationStatus::Prepared
            && preparation.overlay.is_some()
            && preparation.import_origin.is_some()
            && preparation.receipt.as_deref().is_some_and(is_kept)
    };
    evidence.preparations.iter().filter(is_whole).collect()
}

/// A list of paths leads to an overlay of the run that is not this one.
pub fn has_other_overlay(path: &str, overlays: &str, given: Option<&str>) -> bool {
    path.split(':').any(|entry| entry.starts_with(overlays) && Some(entry) != given)
}

impl OverlayReceipt {
    /// What is wrong with it; `None` when it is of a preparation, beside the run, and comes first on the path of the tests.
    pub fn fault(&self, prepared: &[&Preparation], overlays: &str, path: Option<&str>) -> Option<&'static str> {
        let is_prepared = |preparation: &&&Preparation| {
            preparation.id == self.preparation && preparation.overlay.as_deref() == Some(self.overlay.as_str())
        };
        let inside = self.folder.strip_prefix(overlays).is_some_and(|below| below.is_empty() || below.starts_with('/'));
        let climbs = self.folder.split('/').any(|segment| segment == "..");
        if self.schema_version != 1 || prepared.iter().find(is_prepared).is_none() {
            Some("the overlay is not the one of a preparation whose receipt is kept")
        } else if !inside || climbs {
            Some("the overlay does not lie beside the run")
        } else if path.and_then(|path| path.split(':').next()) != Some(self.folder.as_str()) {
            Some("the overlay is not what the tests were given")
        } else if has_other_overlay(path.unwrap_or_default(), overlays, Some(&self.folder)) {
            Some(UNTOLD)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preparation(status: PreparationStatus, receipt: Option<&str>) -> Preparation {
        let text = |text: &str| Some(text.to_owned());
        Preparation {
            id: "tax-1".to_owned(),
            package: "tax".to_owned(),
            declared_in: "pyproject.toml".to_owned(),
            status,
            overlay: text("tax"),
            import_origin: text("tax/__init__.py"),
            receipt: receipt.map(str::to_owned),
            reason: None,
        }
    }

    #[test]
    fn only_what_is_prepared_with_its_receipt_is_an_overlay() {
        for (status, receipt, expected) in [
            (PreparationStatus::Prepared, Some("kept.txt"), 1),
            (PreparationStatus::Prepared, Some("lost.txt"), 0),
            (PreparationStatus::Prepared, None, 0),
            (PreparationStatus::Denied, Some("kept.txt"), 0),
        ] {
            let evidence = DependencyEvidence { schema_version: 1, preparations: vec![preparation(status, receipt)] };
            assert_eq!(overlaid(&evidence, &|path| path == "kept.txt").len(), expected, "{status:?} {receipt:?}");
        }
    }

    #[test]
    fn a_receipt_tells_of_the_overlay_that_was_given() {
        let prepared = preparation(PreparationStatus::Prepared, Some("kept.txt"));
        let receipt = OverlayReceipt {
            schema_version: 1,
            preparation: "tax-1".to_owned(),
            overlay: "tax".to_owned(),
            folder: "/reports/.overlays/7/tax".to_owned(),
            tree_sha256: "0".repeat(64),
        };
        let fault = |receipt: &OverlayReceipt, path| receipt.fault(&[&prepared], "/reports/.overlays/7", path);
        let path = Some("/reports/.overlays/7/tax:/tree/src");
        assert_eq!(fault(&receipt, path), None);
        for path in [None, Some("/tree/src:/reports/.overlays/7/tax")] {
            assert!(fault(&receipt, path).is_some());
        }
        for folder in ["/reports/.overlays/70/tax", "/reports/.overlays/7/../8", "/tree"] {
            let other = OverlayReceipt { folder: folder.to_owned(), ..receipt.clone() };
            assert!(fault(&other, Some(folder)).is_some(), "{folder}");
        }
        assert!(
            OverlayReceipt { overlay: "rate".to_owned(), ..receipt.clone() }.fault(&[&prepared], "/reports/.overlays/7", path).is_some()
        );
        assert!(receipt.fault(&[], "/reports/.overlays/7", path).is_some());
    }
}
