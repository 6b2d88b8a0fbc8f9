//! Which layer of a manifest is the component.

use oci_client::manifest::{OciImageIndex, OciImageManifest, OciManifest};

use crate::{RegistryFault, address::is_sha256};

/// Bytes of a component that are fetched at most; what is admitted is decided later.
pub const MAX_COMPONENT_BYTES: u64 = 64 << 20;

/// Of the configuration.
const CONFIG: &str = "application/vnd.wasm.config.v0+json";
/// Of the layer.
const LAYER: &str = "application/wasm";

/// Entries of an index that are named.
const SHOWN_ENTRIES: usize = 8;

/// A layer that may be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    /// `sha256:…`.
    pub(crate) digest: String,
    /// In bytes.
    pub(crate) size: u64,
}

/// The one layer of an artifact that holds a component.
pub(crate) fn component_layer(manifest: &[u8]) -> Result<Layer, RegistryFault> {
    let manifest = serde_json::from_slice(manifest).map_err(|error| not_wasm(format!("its manifest cannot be read: {error}")))?;
    match manifest {
        OciManifest::Image(image) => layer(&image),
        OciManifest::ImageIndex(index) => Err(RegistryFault::Index { entries: entries(&index) }),
    }
}

fn layer(image: &OciImageManifest) -> Result<Layer, RegistryFault> {
    if image.config.media_type != CONFIG {
        return Err(not_wasm(format!("its configuration is `{}`, not `{CONFIG}`", image.config.media_type)));
    }
    let [layer] = image.layers.as_slice() else {
        return Err(not_wasm(format!("it has {} layers, not one", image.layers.len())));
    };
    if layer.media_type != LAYER {
        return Err(not_wasm(format!("its layer is `{}`, not `{LAYER}`", layer.media_type)));
    }
    if !is_sha256(&layer.digest) {
        return Err(not_wasm(format!("its layer's digest `{}` is no SHA-256 digest", layer.digest)));
    }
    match u64::try_from(layer.size) {
        Ok(size) if size <= MAX_COMPONENT_BYTES => Ok(Layer { digest: layer.digest.clone(), size }),
        Ok(size) => Err(RegistryFault::TooLarge { size }),
        Err(_) => Err(not_wasm(format!("its layer is said to have {} bytes", layer.size))),
    }
}

/// `sha256:… (wasm/wasip2)`, the first ones.
fn entries(index: &OciImageIndex) -> Vec<String> {
    let entry = |entry: &oci_client::manifest::ImageIndexEntry| match &entry.platform {
        Some(platform) => format!("{} ({}/{})", entry.digest, platform.architecture, platform.os),
        None => entry.digest.clone(),
    };
    index.manifests.iter().take(SHOWN_ENTRIES).map(entry).collect()
}

fn not_wasm(reason: String) -> RegistryFault {
    RegistryFault::NotWasm { reason }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn digest() -> String {
        format!("sha256:{}", "0a".repeat(32))
    }

    fn manifest() -> Value {
        json!({
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": {"mediaType": CONFIG, "digest": digest(), "size": 2},
            "layers": [{"mediaType": LAYER, "digest": digest(), "size": 9}],
        })
    }

    fn read(edit: impl FnOnce(&mut Value)) -> Result<Layer, RegistryFault> {
        let mut manifest = manifest();
        edit(&mut manifest);
        component_layer(manifest.to_string().as_bytes())
    }

    #[test]
    fn the_layer_of_a_wasm_artifact_is_found() {
        assert_eq!(read(|_| {}), Ok(Layer { digest: digest(), size: 9 }));
    }

    #[test]
    fn what_is_no_wasm_artifact_is_refused_with_its_reason() {
        type Edit = fn(&mut Value);
        let edits: [(&str, Edit); 5] = [
            ("configuration", |manifest| manifest["config"]["mediaType"] = json!("application/vnd.oci.image.config.v1+json")),
            ("2 layers", |manifest| {
                let layer = manifest["layers"][0].clone();
                manifest["layers"].as_array_mut().unwrap().push(layer);
            }),
            ("0 layers", |manifest| manifest["layers"] = json!([])),
            ("tar+gzip", |manifest| manifest["layers"][0]["mediaType"] = json!("application/vnd.oci.image.layer.v1.tar+gzip")),
            ("no SHA-256", |manifest| manifest["layers"][0]["digest"] = json!("sha512:00")),
        ];
        for (word, edit) in edits {
            let fault = read(edit).unwrap_err();
            assert!(matches!(&fault, RegistryFault::NotWasm { reason } if reason.contains(word)), "{word}: {fault}");
        }
        assert!(matches!(component_layer(b"{"), Err(RegistryFault::NotWasm { .. })));
    }

    #[test]
    fn size_is_judged_before_anything_is_fetched() {
        let sized = |size: i64| read(|manifest| manifest["layers"][0]["size"] = json!(size));
        assert!(sized(64 << 20).is_ok());
        assert_eq!(sized((64 << 20) + 1), Err(RegistryFault::TooLarge { size: (64 << 20) + 1 }));
        assert!(matches!(sized(-1), Err(RegistryFault::NotWasm { .. })));
    }

    #[test]
    fn an_index_names_its_entries() {
        let entry = json!({
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "digest": digest(),
            "size": 9,
            "platform": {"architecture": "wasm", "os": "wasip2"},
        });
        let index = json!({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]});
        let fault = component_layer(index.to_string().as_bytes()).unwrap_err();
        assert_eq!(fault, RegistryFault::Index { entries: vec![format!("{} (wasm/wasip2)", digest())] });
    }
}
