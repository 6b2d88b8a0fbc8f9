//! A real OCI registry on this machine: Debian's docker-registry on a free port, with its storage in a folder of the test.

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{sha256, until};

/// The media type of a manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The media type of several manifests together.
pub const INDEX: &str = "application/vnd.oci.image.index.v1+json";
/// The media type of a wasm artifact's configuration.
pub const WASM_CONFIG: &str = "application/vnd.wasm.config.v0+json";
/// The media type of a wasm artifact's layer.
pub const WASM_LAYER: &str = "application/wasm";

/// `robin` with the password `secret`, as `htpasswd -B` writes it.
const PASSWORDS: &str = "robin:$2b$04$xOSB9zqQKIvh0JUH7e2wXef3bNG.hR0VnauFHK/o7WupfBmNtrHKm\n";
/// The same for a request.
pub const LOGIN: &str = "cm9iaW46c2VjcmV0";

/// A running registry. It ends with the value.
#[derive(Debug)]
pub struct Registry {
    process: Child,
    folder: TempDir,
    port: u16,
}

impl Registry {
    /// A registry that everybody may read and write.
    pub fn open() -> Self {
        Self::start("")
    }

    /// A registry for `robin` alone.
    pub fn closed() -> Self {
        Self::start("auth:\n  htpasswd:\n    realm: shop\n    path: FOLDER/passwords\n")
    }

    fn start(auth: &str) -> Self {
        // Somebody else may take a free port before the registry does.
        (0..5).find_map(|_| Self::try_start(auth)).expect("a registry that listens")
    }

    fn try_start(auth: &str) -> Option<Self> {
        let folder = tempfile::Builder::new().prefix("polishy-registry-").tempdir().expect("a temporary folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
        let settings = format!(
            "version: 0.1\nlog: {{level: error, accesslog: {{disabled: true}}}}\nstorage: {{filesystem: {{rootdirectory: FOLDER/storage}}}}\n\
             http: {{addr: '127.0.0.1:{port}'}}\n{auth}"
        );
        let place = folder.path().to_str().expect("a UTF-8 path");
        fs::write(folder.path().join("passwords"), PASSWORDS).expect("a written file");
        fs::write(folder.path().join("config.yml"), settings.replace("FOLDER", place)).expect("a written file");
        let mut command = Command::new("docker-registry");
        command.arg("serve").arg(folder.path().join("config.yml")).env_clear().stdin(Stdio::null());
        let process = match command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
            Ok(process) => process,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                panic!("this test needs docker-registry, and it is not installed: apt-get install docker-registry")
            }
            Err(error) => panic!("docker-registry does not start: {error}"),
        };
        let mut registry = Self { process, folder, port };
        let mut ended = false;
        until(|| {
            ended = registry.process.try_wait().expect("a process").is_some();
            ended || TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        (!ended).then_some(registry)
    }

    /// `host:port`.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Publishes a component under a tag, as the CNCF's layout says; the digest of its manifest.
    pub fn push_component(&self, repository: &str, tag: &str, component: &[u8]) -> String {
        let manifest = self.component_manifest(repository, component);
        self.push_manifest(repository, tag, MANIFEST, &manifest)
    }

    /// The manifest of a component whose bytes are in the registry.
    pub fn component_manifest(&self, repository: &str, component: &[u8]) -> Value {
        let layer = self.push_blob(repository, component);
        let config =
            json!({"created": "2001-02-03T04:05:06Z", "architecture": "wasm", "os": "wasip2", "layerDigests": [layer]}).to_string();
        json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": {"mediaType": WASM_CONFIG, "digest": self.push_blob(repository, config.as_bytes()), "size": config.len()},
            "layers": [{"mediaType": WASM_LAYER, "digest": layer, "size": component.len()}],
        })
    }

    /// Publishes bytes; their digest.
    pub fn push_blob(&self, repository: &str, bytes: &[u8]) -> String {
        let digest = format!("sha256:{}", sha256(bytes));
        let begun = self.ask("POST", &format!("/v2/{repository}/blobs/uploads/"), "application/octet-stream", b"");
        let location = begun.lines().find_map(|line| line.strip_prefix("Location: ")).unwrap_or_else(|| panic!("no place in {begun}"));
        let path = location.trim().strip_prefix(&format!("http://{}", self.host())).expect("a place in this registry");
        let answer = self.ask("PUT", &format!("{path}&digest={digest}"), "application/octet-stream", bytes);
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        digest
    }

    /// Publishes a manifest; its digest.
    pub fn push_manifest(&self, repository: &str, tag: &str, media_type: &str, manifest: &Value) -> String {
        let bytes = manifest.to_string();
        let answer = self.ask("PUT", &format!("/v2/{repository}/manifests/{tag}"), media_type, bytes.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        format!("sha256:{}", sha256(&bytes))
    }

    /// Where the registry keeps the bytes of a digest.
    pub fn storage_of(&self, digest: &str) -> PathBuf {
        let digits = digest.strip_prefix("sha256:").expect("a SHA-256 digest");
        self.folder.path().join(format!("storage/docker/registry/v2/blobs/sha256/{}/{digits}/data", &digits[..2]))
    }

    /// The head of the answer, and its body.
    fn ask(&self, method: &str, path: &str, media_type: &str, body: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a registry that listens");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Basic {LOGIN}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            self.host(),
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body].concat()).expect("a sent request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
