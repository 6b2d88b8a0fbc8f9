//! Codes of the policy `.code-polishy.json`.

codes! {
    "policy.bad-alias", "BR-15",
        "An alias of a feature cannot be said",
        "It is blank, too long, or has characters that nobody sees",
        "Write a short visible name, or remove it";
    "policy.bad-argument", "BR-11",
        "An argument of a command is not usable",
        "It is empty or has a NUL",
        "Write the argument, or remove it";
    "policy.bad-description", "BR-11",
        "The description of a feature does not serve",
        "It is blank, too long, or has control characters",
        "Say in one short line what the feature does";
    "policy.bad-digest", "BR-11",
        "A digest is not 64 lower-case hexadecimal digits",
        "It was shortened or mistyped",
        "Copy the digest that `plugin inspect` prints";
    "policy.bad-identifier", "BR-13",
        "A name is not an identifier",
        "It has upper-case letters, other characters, or begins with a digit",
        "Write lower-case letters and digits in groups separated by single `.` or `-`";
    "policy.bad-path", "BR-14",
        "A path does not stay in the repository in a plain form",
        "It is absolute, climbs with `..`, or has a backslash",
        "Write it relative to the repository, with `/`";
    "policy.bad-pattern", "BR-14",
        "A path pattern cannot be used",
        "It is absolute, climbs with `..`, or uses an unknown wildcard",
        "Write a relative pattern with `*`, `**/` and `?`";
    "policy.bad-program", "BR-11",
        "The program of a command is not one that can be started safely",
        "It is a path outside the repository, or blank",
        "Name a program by its name, or by a path in the repository";
    "policy.bad-reference", "BR-7",
        "A reference has a form that none can have",
        "It is empty, begins with `-`, or has white space",
        "Name a branch, such as `origin/main`";
    "policy.bad-source", "BR-11",
        "The source of a plugin is neither a path of the repository nor a name of the user's store",
        "It is absolute, climbs with `..`, or is misspelled",
        "Write a `.wasm` path of the repository, or a plugin's name";
    "policy.bad-value", "BR-11",
        "A value is not one of the words that its key takes",
        "It is misspelled",
        "Use the word that the hint names";
    "policy.bad-variable", "BR-75",
        "The name of an environment variable is not one",
        "It has other characters than letters, digits and `_`",
        "Write the variable's name";
    "policy.behaviorProof", "BR-63",
        "A proof that the review cites does not hold when it is replayed",
        "A suite changed its outcome, or depends on something else",
        "Find out why it differs, mend the candidate, and review it again";
    "policy.behaviorReview", "BR-68",
        "The change needs an accepted review, or its review failed",
        "No review was prepared and finalized for this candidate",
        "Follow the next step that the message gives";
    "policy.blank", "BR-11",
        "A text is blank",
        "It was left for later",
        "Write it, or remove its key";
    "policy.check-run", "BR-19",
        "A check would never run",
        "Its `runOn` is empty",
        "Name at least one run, or remove `runOn`";
    "policy.conflicting-keys", "BR-11",
        "Two keys of an object exclude each other",
        "Both were written",
        "Keep one of them";
    "policy.dependency-cycle", "BR-11",
        "Modules depend on each other in a circle",
        "A dependency was added the wrong way round",
        "Remove one of the dependencies that the message names";
    "policy.duplicate-key", "BR-4",
        "An object has a key twice",
        "It was copied",
        "Remove one of the two";
    "policy.duplicate-name", "BR-15",
        "Two things of a kind have the same name",
        "A name differs in case, width or white space only",
        "Give each its own name";
    "policy.duplicate", "BR-5",
        "A set holds an element twice",
        "It was copied",
        "Remove one of the two";
    "policy.empty-command", "BR-11",
        "A command is empty",
        "Its array holds nothing",
        "Name a program and its arguments";
    "policy.empty-set", "BR-11",
        "A list that must hold something is empty",
        "It was left for later",
        "Name at least one element, or remove the key as the hint says";
    "policy.excludes-everything", "BR-11",
        "A pattern, or all of them together, excludes every path",
        "It is wider than meant",
        "Exclude only what is generated or foreign";
    "policy.feature-without-scope", "BR-36",
        "A feature has neither a module nor a path",
        "They were left out",
        "Name what belongs to the feature";
    "policy.feature-without-suite", "BR-40",
        "A feature has no suite that can prove it",
        "It was left out",
        "Name at least one suite";
    "policy.ineligible-suite", "BR-18",
        "A suite may not protect a feature",
        "It is supplemental, live, destructive, or needs credentials",
        "Name a suite that is repeatable by itself";
    "policy.instructions", "BR-46",
        "The reviewer's instructions cannot be read at the base",
        "The file is missing, too large, or not UTF-8",
        "Commit the file that `verification.behaviorReview.instructions` names";
    "policy.missing-key", "BR-11",
        "A key that must be there is missing",
        "It was left out or misspelled",
        "Add the key";
    "policy.no-op-command", "BR-11",
        "The program of a suite tests nothing",
        "A placeholder was left",
        "Name the program that runs the tests";
    "policy.none", "BR-11",
        "The repository has no policy",
        "`init` was not run, or the file was removed",
        "Run `code-polishy init`, and commit the policy";
    "policy.not-editable", "BR-11",
        "The text of the policy cannot be edited in place",
        "It has a form that the editor cannot keep",
        "Add the entry yourself, as the message shows it";
    "policy.not-exact", "BR-21",
        "A pattern stands where exact paths are due",
        "A wildcard was used",
        "Name each file by its exact path";
    "policy.not-json", "BR-4",
        "The policy is not JSON",
        "It was cut off, has a comment, or a comma too many",
        "Correct it where the message points";
    "policy.not-markdown", "BR-21",
        "A document is no Markdown file",
        "Another file was named",
        "Name a file that ends in `.md` or `.markdown`";
    "policy.out-of-range", "BR-11",
        "A number is not in its range",
        "It is too small, too large, or no integer",
        "Write a number in the range of the message";
    "policy.passes-without-tests", "BR-11",
        "A suite would pass although no test ran",
        "An option tells its program so",
        "Remove the option: a run without tests proves nothing";
    "policy.shell-command", "BR-11",
        "A command runs a text through a shell",
        "It was written as a line of a terminal",
        "Put the commands into a script of the repository, and name it";
    "policy.suite-run", "BR-17",
        "The runs of a suite do not fit its kind, scope and cost",
        "Its `runOn` or `cost` asks for more than such a suite may do",
        "Follow the hint, or leave `runOn` out";
    "policy.suite-scope", "BR-36",
        "The modules or paths of a suite do not fit its scope",
        "A module suite has one module, a repository suite has paths",
        "Follow the hint, or change the scope";
    "policy.too-large", "BR-11",
        "The policy is larger than is read",
        "Generated content was put into it",
        "Make it smaller";
    "policy.too-many", "BR-16",
        "A list holds more than it may",
        "It grew over its limit",
        "Keep as many as the message allows";
    "policy.unknown-key", "BR-11",
        "A key is not known",
        "It is misspelled, or of another version",
        "Use the key that the hint names, or remove it";
    "policy.unknown-module", "BR-11",
        "There is no module of this name",
        "It is misspelled, or was removed",
        "Use one of the names that the hint gives, or define the module";
    "policy.unknown-report-renderer", "BR-73",
        "There is no report renderer of this name",
        "It is misspelled, or not pinned",
        "Use one of the names that the hint gives, or pin it under `plugins`";
    "policy.unknown-suite-runner", "BR-20",
        "There is no suite runner of this name",
        "It is misspelled, or not pinned",
        "Use one of the names that the hint gives, or pin it under `plugins`";
    "policy.unknown-suite", "BR-11",
        "There is no suite of this name",
        "It is misspelled, or was removed",
        "Use one of the names that the hint gives, or define the suite";
    "policy.unreadable", "BR-11",
        "The policy of a commit cannot be read",
        "It is no regular file, or too large there",
        "Make `.code-polishy.json` a regular file, and commit it";
    "policy.unsupported-version", "BR-11",
        "The policy is of a version that is not read",
        "It was written for another version of the tool",
        "Write it as version 4, or use the tool that it is for";
    "policy.weaker-level", "BR-37",
        "A feature is required later than the policy's default",
        "Its `requiredAt` was set against the default",
        "Remove `requiredAt`, or choose a level as strong as the default";
    "policy.wrong-type", "BR-11",
        "A value is of another type than its key takes",
        "A text was written for a number, or the like",
        "Write the type that the message names";
}
