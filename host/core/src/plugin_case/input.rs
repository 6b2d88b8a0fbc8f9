//! What goes into a call, as authors write it. Everything that has a plain value may be left out.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};

use super::{Bytes, Call, bytes::base64_schema, receipt::VerifyInput};
use crate::{
    canonical::{canonical_json, present},
    plugin::{CollectedFile, ExecutionFacts, PathFact, PathKind, ProcessExit, StreamFacts, SuiteFacts},
};

/// Paths of one call.
const MAX_PATHS: usize = 100_000;

/// Options, as a policy has them.
type Options = Map<String, Value>;

/// The input of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Of [`Call::Plan`].
    Plan(PlanInput),
    /// Of [`Call::Judge`].
    Judge(JudgeInput),
    /// Of [`Call::Classify`].
    Classify(ClassifyInput),
    /// Of [`Call::Render`].
    Render(RenderInput),
    /// Of [`Call::Verify`].
    Verify(VerifyInput),
}

impl Input {
    /// The call that it is the input of.
    pub fn call(&self) -> Call {
        match self {
            Self::Plan(_) => Call::Plan,
            Self::Judge(_) => Call::Judge,
            Self::Classify(_) => Call::Classify,
            Self::Render(_) => Call::Render,
            Self::Verify(_) => Call::Verify,
        }
    }

    /// The options as RFC 8785 text.
    pub fn options(&self) -> String {
        canonical_json(match self {
            Self::Plan(input) => &input.options,
            Self::Judge(input) => &input.options,
            Self::Classify(input) => &input.options,
            Self::Render(input) => &input.options,
            Self::Verify(input) => &input.options,
        })
    }

    /// Where and why the input is none of the contract.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let input = match self {
            Self::Classify(input) => input,
            Self::Verify(input) => return input.check(),
            _ => return Ok(()),
        };
        if input.paths.len() > MAX_PATHS {
            return Err(("/paths".to_owned(), format!("{} paths; a call has at most {MAX_PATHS}", input.paths.len())));
        }
        let mut seen = BTreeSet::new();
        match input.paths.iter().position(|fact| !seen.insert(&fact.path)) {
            Some(index) => Err((format!("/paths/{index}"), format!("the path `{}` is there twice", input.paths[index].path))),
            None => Ok(()),
        }
    }
}

/// The input of `plan`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanInput {
    /// The suite that is about to run.
    pub suite: SuiteInput,
    /// The runner's options.
    #[serde(default)]
    pub options: Options,
}

/// The input of `judge`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeInput {
    /// The suite that ran.
    pub suite: SuiteInput,
    /// What its run left.
    pub execution: ExecutionInput,
    /// The runner's options.
    #[serde(default)]
    pub options: Options,
}

/// The input of `classify`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassifyInput {
    /// At most 100,000, each path once.
    pub paths: Vec<PathInput>,
    /// The classifier's options.
    #[serde(default)]
    pub options: Options,
}

impl ClassifyInput {
    /// The facts that a classifier is told.
    pub fn facts(&self) -> Vec<PathFact> {
        self.paths.iter().map(PathInput::fact).collect()
    }
}

/// The input of `render`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenderInput {
    /// A `code-polishy-report/v1` document; the renderer gets its RFC 8785 text.
    pub report: Map<String, Value>,
    /// The renderer's options.
    #[serde(default)]
    pub options: Options,
}

/// A suite as the policy defines it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuiteInput {
    /// Its name.
    pub name: String,
    /// Such as `unit`.
    pub kind: String,
    /// The configured program and arguments.
    pub argv: Vec<String>,
    /// The folder that it runs in; `.` for the repository's root.
    pub cwd: String,
}

impl SuiteInput {
    /// The facts that a runner is told.
    pub fn facts(&self) -> SuiteFacts {
        SuiteFacts { name: self.name.clone(), kind: self.kind.clone(), argv: self.argv.clone(), cwd: self.cwd.clone() }
    }
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionInput {
    /// How the process ended: `{"code": 0}`, `{"signal": 9}` or `"timed-out"`.
    pub exit: ExitInput,
    /// Standard output; nothing when absent.
    #[serde(default)]
    pub output: StreamInput,
    /// Standard error; nothing when absent.
    #[serde(default)]
    pub errors: StreamInput,
    /// Report files that exist after the run.
    #[serde(default)]
    pub files: Vec<FileInput>,
}

impl ExecutionInput {
    /// The facts that a runner is told.
    pub fn facts(&self) -> ExecutionFacts {
        let file = |file: &FileInput| CollectedFile { path: file.path.clone(), content: file.content.0.clone(), truncated: file.truncated };
        ExecutionFacts {
            exit: match self.exit {
                ExitInput::Code(code) => ProcessExit::Code(code),
                ExitInput::Signal(signal) => ProcessExit::Signal(signal),
                ExitInput::TimedOut => ProcessExit::TimedOut,
            },
            output: self.output.0.clone(),
            errors: self.errors.0.clone(),
            files: self.files.iter().map(file).collect(),
        }
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExitInput {
    /// With this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Ended by the host after its time.
    TimedOut,
}

/// A file that the suite wrote.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileInput {
    /// As `plan` named it.
    pub path: String,
    /// Its bytes.
    pub content: Bytes,
    /// It was longer.
    #[serde(default)]
    pub truncated: bool,
}

/// One stream: all of it as bytes, or `{"head": …, "tail": …, "total": N}` when the host left out its middle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamInput(pub StreamFacts);

/// The object forms.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    #[serde(default, deserialize_with = "present")]
    base64: Option<String>,
    #[serde(default, deserialize_with = "present")]
    head: Option<Bytes>,
    #[serde(default, deserialize_with = "present")]
    tail: Option<Bytes>,
    #[serde(default, deserialize_with = "present")]
    total: Option<u64>,
}

impl Parts {
    fn stream<E: de::Error>(self) -> Result<StreamFacts, E> {
        match self {
            Self { base64: Some(base64), head: None, tail: None, total: None } => Bytes::of_base64(&base64).map(whole),
            Self { base64: None, head: Some(head), tail, total: Some(total) } => {
                let tail = tail.unwrap_or_default().0;
                let kept = (head.0.len() + tail.len()) as u64;
                if total < kept {
                    return Err(E::custom(format!("a total of {total} bytes for {kept} bytes of head and tail")));
                }
                Ok(StreamFacts { head: head.0, tail, total })
            }
            _ => Err(E::custom("a stream is text, or has `base64`, or has `head`, `total` and perhaps `tail`")),
        }
    }
}

fn whole(bytes: Bytes) -> StreamFacts {
    StreamFacts { total: bytes.0.len() as u64, head: bytes.0, tail: Vec::new() }
}

impl<'de> Deserialize<'de> for StreamInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = StreamInput;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a stream: text, or an object with `base64` or with `head`, `tail` and `total`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<StreamInput, E> {
                Ok(StreamInput(whole(Bytes(text.as_bytes().to_vec()))))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<StreamInput, A::Error> {
                Parts::deserialize(de::value::MapAccessDeserializer::new(map))?.stream().map(StreamInput)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for StreamInput {
    fn schema_name() -> Cow<'static, str> {
        "StreamInput".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let bytes = generator.subschema_for::<Bytes>();
        json_schema!({"anyOf": [
            {"type": "string"},
            base64_schema(),
            {
                "type": "object",
                "properties": {"head": bytes, "tail": bytes, "total": {"type": "integer", "minimum": 0}},
                "required": ["head", "total"],
                "additionalProperties": false,
            },
        ]})
    }
}

/// What is known about a path.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathInput {
    /// Repository-relative, `/`.
    pub path: String,
    /// What it points at.
    #[serde(default)]
    pub kind: PathKindInput,
    /// It has the executable bit.
    #[serde(default)]
    pub executable: bool,
    /// Bytes of the blob; those of `head` when absent.
    #[serde(default, deserialize_with = "present")]
    #[schemars(transform = crate::schema::shape::without_null)]
    pub size: Option<u64>,
    /// The first bytes of the blob; the classifier gets at most 4 KiB.
    #[serde(default)]
    pub head: Bytes,
    /// `linguist-*` attributes by name.
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
}

impl PathInput {
    fn fact(&self) -> PathFact {
        PathFact {
            path: self.path.clone(),
            kind: match self.kind {
                PathKindInput::File => PathKind::File,
                PathKindInput::Link => PathKind::Link,
                PathKindInput::Gitlink => PathKind::Gitlink,
            },
            executable: self.executable,
            size: self.size.unwrap_or(self.head.0.len() as u64),
            head: self.head.0.clone(),
            attributes: self.attributes.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        }
    }
}

/// What a path points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PathKindInput {
    /// A regular file.
    #[default]
    File,
    /// A symbolic link.
    Link,
    /// A submodule.
    Gitlink,
}
