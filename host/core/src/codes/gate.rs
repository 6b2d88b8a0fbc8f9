//! Codes of gates, their commands and their reports.

codes! {
    "checkpoint.stale", "BR-70",
        "The receipt of the checkpoint is not of this candidate",
        "Something was committed, or a policy changed, since",
        "Run the checkpoint gate again";
    "documentation.bad-link", "BR-71",
        "A link of a document leads nowhere or cannot be read",
        "Its target is empty or wrongly escaped",
        "Name a target, or remove the link";
    "documentation.broken-fragment", "BR-71",
        "A link names an anchor that its document does not have",
        "A heading was renamed",
        "Name a heading by its anchor";
    "documentation.broken-link", "BR-71",
        "A link names a path that does not exist",
        "A file was moved or not committed",
        "Mend the path, or commit what it names";
    "documentation.final-newline", "BR-71",
        "The last line of a document has no newline",
        "An editor left it out",
        "End the document with a newline";
    "documentation.not-regular", "BR-71",
        "A document is no regular file",
        "A link or a submodule stands there",
        "Commit the document itself at this path";
    "documentation.not-utf8", "BR-71",
        "A document is not UTF-8",
        "It was saved in another encoding",
        "Save it as UTF-8";
    "documentation.outside-link", "BR-71",
        "A link leaves the repository",
        "It climbs with `..` or begins at the root",
        "Link to a path of the repository, or to an address";
    "documentation.too-large", "BR-71",
        "A document is larger than 256 KiB",
        "It grew over its limit",
        "Split the document";
    "documentation.trailing-white-space", "BR-71",
        "A line of a document ends in white space",
        "An editor left it",
        "Remove it";
    "documentation.undefined-reference", "BR-71",
        "A document uses a reference that it does not define",
        "The definition was removed or misspelled",
        "Define the reference, or mark the text as code";
    "gate.canceled", "BR-69",
        "A command of the gate was ended because another failed or the gate was interrupted",
        "The gate does not go on after a failure",
        "Mend what failed first, then run the gate again";
    "gate.command-exit", "BR-69",
        "A command of the gate did not pass",
        "Its tests or checks failed",
        "Read the log that the finding names, and mend the candidate";
    "gate.command", "BR-69",
        "A command of the gate could not do its work",
        "A program, a resource or the system failed",
        "Read the log that the message names, then run the gate again";
    "gate.environment", "BR-61",
        "A command of the gate could not be started",
        "A program is missing",
        "Install it, or correct its name in the policy";
    "gate.nothing-to-merge", "BR-83",
        "Base and candidate are the same commit",
        "The merge target itself is checked out",
        "Check out the candidate, or name the merge target with --base";
    "gate.nothing-to-resume", "BR-72",
        "No failed run has the identity of this one",
        "Something changed, or nothing ran before",
        "Run the gate without --resume";
    "gate.operational", "BR-61",
        "A command of the gate failed for a reason outside it",
        "The disk, a plugin or the system failed",
        "See the log, then run the gate again";
    "gate.resource", "BR-69",
        "A command of the gate did not get a resource that it needs alone",
        "A lock could not be taken",
        "See the log, then run the gate again";
    "gate.timeout", "BR-61",
        "A command of the gate ran out of time",
        "It hangs, or needs more than its `timeoutSeconds`",
        "Find what hangs, or give it more time in the policy";
    "gate.untrusted-base", "BR-66",
        "The base is not the merge target that the policy trusts",
        "Another reference was named",
        "Name the trusted merge target with --base";
    "report.artifacts", "BR-73",
        "A renderer made several files, and `report` prints one",
        "The renderer writes more than one document",
        "Read the files that the gate names in its RENDER lines";
    "report.edited", "BR-73",
        "The report is not the one that the gate wrote",
        "It was edited",
        "Run the gate again";
    "report.latest", "BR-73",
        "The pointer to the newest report is not JSON of its shape",
        "It was edited or cut off",
        "Run the gate again";
    "report.malformed", "BR-73",
        "The report is not JSON of its shape",
        "It was edited or cut off",
        "Run the gate again";
    "report.missing", "BR-73",
        "The newest report is gone",
        "It was removed",
        "Run the gate again";
    "report.none", "BR-73",
        "No gate of this kind has run",
        "None was started here",
        "Run the gate";
    "report.unknown-run", "BR-73",
        "There is no run of this id",
        "It is misspelled, or its reports were removed",
        "Name a run that is kept, or run the gate";
    "report.version", "BR-73",
        "The report is of a version that is not read",
        "It was written by another version of the tool",
        "Run the gate again";
    "suite.report-committed", "BR-58",
        "A report that a suite writes is tracked by git",
        "It was added to the repository",
        "Remove it from the repository, and have git ignore it";
    "suite.report", "BR-77",
        "A report that a suite's runner reads cannot be read",
        "The suite wrote a link or something that is no file",
        "Make the suite write a regular file there";
    "suite.signal", "BR-61",
        "A suite was ended by a signal",
        "It crashed, or something killed it",
        "Run the suite by itself and look at what it prints";
    "suite.timeout", "BR-61",
        "A suite ran out of time",
        "It hangs, or needs more than its `timeoutSeconds`",
        "Find what hangs, or give it more time in the policy";
}
