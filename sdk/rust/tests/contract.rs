//! The plugin contract is frozen: whoever changes `wit/` sees the whole change in review.
//!
//! Additions are a new minor version of the package, everything else a new major one beside it. `cargo insta accept` takes over a change.

use std::path::Path;

#[test]
fn the_text_of_the_contract_is_frozen() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("wit/ exists").map(|file| file.expect("readable").path()).collect();
    files.sort();
    let texts = files.iter().map(|file| {
        let name = file.file_name().expect("a file").to_string_lossy();
        format!("// wit/{name}\n\n{}", std::fs::read_to_string(file).expect("text"))
    });
    insta::assert_snapshot!(texts.collect::<Vec<_>>().join("\n"));
}
