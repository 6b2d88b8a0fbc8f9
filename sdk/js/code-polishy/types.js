/**
 * The contract's types, as `wit/` has them: words joined by `-` are spelt in camel case, names of enum values stay as they are.
 *
 * @typedef {object} Suite A suite as the policy defines it.
 * @property {string} name
 * @property {string} kind such as `unit`, `integration`, `e2e`
 * @property {string[]} argv the configured program and arguments
 * @property {string} cwd the folder that the suite runs in; `.` for the repository's root
 * @property {string} options JSON text; a plugin gets them read, as its last argument
 *
 * @typedef {object} ReportFile A file that the suite writes and `judge` wants to see.
 * @property {string} path relative to the suite's `cwd`, contained in it; deleted before the run
 * @property {number} maxBytes at most 8 MiB
 *
 * @typedef {object} Invocation What a runner adds to the configured command; what is absent adds nothing.
 * @property {string[]} [arguments] appended to `argv`
 * @property {Record<string, string>} [variables] any of `NO_COLOR`, `CARGO_TERM_COLOR`, `PYTHONUNBUFFERED`, `PYTHONDONTWRITEBYTECODE`
 * @property {ReportFile[]} [reports]
 *
 * @typedef {{tag: "code", val: number} | {tag: "signal", val: number} | {tag: "timed-out"}} Exit How the process ended. Only `code` reaches
 * `judge`: the host judges the others.
 *
 * @typedef {object} Stream An output stream: its first and its last bytes; see `whole` and `lines`.
 * @property {Uint8Array} head
 * @property {Uint8Array} tail
 * @property {number} total bytes written by the suite
 *
 * @typedef {object} CollectedFile
 * @property {string} path as named in `ReportFile`
 * @property {Uint8Array} content
 * @property {boolean} truncated the file was longer than `maxBytes`
 *
 * @typedef {object} Execution
 * @property {Exit} exit
 * @property {Stream} output
 * @property {Stream} errors
 * @property {CollectedFile[]} files the report files that exist after the run, in the order they were named
 *
 * @typedef {object} TestCase
 * @property {string} name unique in the run; the same test has the same name in every run
 * @property {"passed" | "failed" | "skipped"} outcome
 * @property {string | null} [message] why it failed, at most 4 KiB
 * @property {string | null} [path] relative to the repository's root
 * @property {number | null} [line] from 1
 *
 * @typedef {object} Verdict
 * @property {"passed" | "failed" | "broken" | "no-tests"} outcome every test that ran passed; one failed; they could not be built or loaded; nothing ran
 * @property {TestCase[] | null} [cases] absent when only the exit status is known; an empty list means that no test ran
 * @property {string} summary one line for people, at most 1 KiB
 *
 * @typedef {object} PathFact What is known about a path in one tree.
 * @property {string} path
 * @property {"file" | "link" | "gitlink"} kind
 * @property {boolean} executable
 * @property {number} size bytes of the blob; 0 for a gitlink
 * @property {Uint8Array} head the first 4 KiB of the blob
 * @property {{name: string, value: string}[]} attributes `linguist-*` git attributes
 *
 * @typedef {"generated" | "product-input" | "fixture" | "test" | "development" | "plan" | "changelog" | "current-state-documentation" | "production-source"} Role
 *
 * @typedef {object} Artifact
 * @property {string} name a relative path of at most 4 segments of `A-Za-z0-9._-`, none starting with `.`
 * @property {string} mediaType such as `text/markdown; charset=utf-8`
 * @property {string | Uint8Array} content a text becomes UTF-8
 */
export {};
