//! Codes of plugins at work, and of the registries that they come from.

codes! {
    "plugin.bad-output", "BR-20",
        "The answer of a plugin breaks the contract",
        "The plugin has a fault, or was made for another contract",
        "Report it to the plugin's author, or use another version";
    "plugin.host-failed", "BR-61",
        "The plugin could not be run here at all",
        "The machine or a limit of the system does not allow it",
        "See the message, then run the command again";
    "plugin.incompatible", "BR-20",
        "The plugin was made for another contract, or needs what it is not given",
        "It is of another version, or is no plugin of this kind",
        "Use a plugin that was built for this version of the tool";
    "plugin.kind", "BR-6",
        "The component is not a plugin of the kind that was asked for",
        "Another plugin was named",
        "Name a plugin of that kind";
    "plugin.no-template", "BR-6",
        "There is no template of this kind in this language",
        "The language has none for it",
        "Choose another --lang, such as `rust`";
    "plugin.out-of-fuel", "BR-61",
        "The plugin used up the work it may do",
        "Its input is large, or it runs in a circle",
        "Give it more with `limits.fuel`, or report it to its author";
    "plugin.out-of-memory", "BR-61",
        "The plugin asked for more memory than it may have",
        "Its input is large, or it keeps too much",
        "Give it more with `limits.memoryMiB`, or report it to its author";
    "plugin.output-too-large", "BR-61",
        "The answer of a plugin is larger than the contract allows",
        "It repeats its input, or writes too much",
        "Report it to the plugin's author";
    "plugin.pin-mismatch", "BR-11",
        "The component is not the one that the policy pins",
        "It was rebuilt or replaced",
        "Restore the pinned component, or review the new one and pin its digest";
    "plugin.refused", "BR-61",
        "The plugin refused its input",
        "Its options or what it was given do not serve it",
        "Read what it says, and correct its options";
    "plugin.timed-out", "BR-61",
        "The plugin took longer than it may",
        "Its input is large, or it hangs",
        "Run the command again, or report it to its author";
    "plugin.trapped", "BR-61",
        "The plugin broke off",
        "It has a fault",
        "Report it to the plugin's author, or use another version";
    "plugin.unknown", "BR-11",
        "There is no plugin of this name",
        "It is misspelled, or neither pinned nor bundled",
        "Pin it under `plugins`, or name one that `code-polishy plugin list` shows";
    "plugin.unreadable", "BR-11",
        "The component of a plugin cannot be read, or is none",
        "The file is missing, too large, or no WebAssembly component",
        "Put the component where the policy names it";
    "registry.bad-reference", "BR-6",
        "The reference does not name an artifact of a registry",
        "It lacks host, repository or digest",
        "Write it as `registry/repository@sha256:DIGEST`";
    "registry.denied", "BR-6",
        "The registry refuses access",
        "Nobody is signed in, or the account may not read it",
        "Check the repository's name, or sign in to the registry";
    "registry.digest-mismatch", "BR-6",
        "What the registry sent does not have the digest that was named",
        "The artifact or the registry was tampered with, or is damaged",
        "Trust neither; ask whoever publishes the plugin for its digest";
    "registry.failed", "BR-6",
        "The registry gave no usable answer",
        "It has a fault of its own",
        "Run the command again later, or ask whoever runs the registry";
    "registry.index", "BR-6",
        "The reference names a list of artifacts, not one",
        "It was published for several platforms",
        "Name one of its artifacts by digest";
    "registry.not-found", "BR-6",
        "The registry has no such artifact",
        "The repository or the digest is misspelled, or was removed",
        "Check both with whoever publishes the plugin";
    "registry.not-wasm", "BR-6",
        "The artifact is not a WebAssembly component",
        "Something else was published there",
        "Name an artifact made of a component";
    "registry.timed-out", "BR-6",
        "The registry gave no whole answer in time",
        "The network or the registry is slow",
        "Check name, network and proxy, then run the command again";
    "registry.too-large", "BR-6",
        "The component is larger than is fetched",
        "It holds more than a plugin needs",
        "Use a smaller component";
    "registry.unreachable", "BR-6",
        "The registry cannot be reached",
        "Its name is misspelled, or the network or proxy is down",
        "Check name, network and proxy, then run the command again";
}
