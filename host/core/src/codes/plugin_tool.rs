//! Codes of the commands that add, build, make, test and run plugins.

codes! {
    "plugin-add.bad-name", "BR-13",
        "A plugin cannot have this name",
        "It is no identifier",
        "Choose another with --name";
    "plugin-add.bad-options", "BR-11",
        "The plugin does not take these options",
        "A key or a value is not one of its own",
        "Run `plugin inspect`, which shows what it takes";
    "plugin-add.no-digest", "BR-6",
        "The reference names a tag, which may name another component tomorrow",
        "The digest was left out",
        "Review the component, then name it by the digest that the message gives";
    "plugin-add.no-source", "BR-6",
        "There is nothing of this name to add",
        "A path is misspelled, or lacks its registry",
        "Name a file, a folder of a plugin, or a reference of a registry";
    "plugin-add.place", "BR-79",
        "The folder for the component cannot be used",
        "Something is in the way, or rights do not allow it",
        "Remove what is in the way, or choose another name";
    "plugin-add.policy-changed", "BR-79",
        "The policy was changed while the plugin was added",
        "Something else wrote to it",
        "Run the command again";
    "plugin-add.several", "BR-6",
        "The folder holds several plugins",
        "It is a workspace",
        "Name the folder of one of them";
    "plugin-add.taken", "BR-15",
        "The name or the file of the plugin is taken by another one",
        "Another plugin was added before",
        "Choose another --name, or pass --replace as the message says";
    "plugin-add.too-large", "BR-11",
        "The component is larger than its pin allows",
        "It holds more than the limit",
        "Make it smaller, or raise the limit with --size-mib";
    "plugin-add.unreadable", "BR-6",
        "The component cannot be read",
        "The path is misspelled, or rights do not allow it",
        "Name the `.wasm` file of a component";
    "plugin-add.write", "BR-79",
        "The component or the policy cannot be written",
        "The disk is full, or rights do not allow it",
        "Make room or set rights, then run the command again";
    "plugin-build.bad-manifest", "BR-6",
        "The manifest of the plugin cannot be used",
        "A field is missing, unknown or of another form",
        "Correct the field that the message names";
    "plugin-build.cargo", "BR-61",
        "Cargo failed",
        "The sources do not build, or a dependency is missing",
        "Read the end of its output, and mend what it names";
    "plugin-build.component", "BR-20",
        "What was built is not a component of the contract",
        "It exports no plugin, or needs a system",
        "Export a plugin with the SDK, and use nothing that needs a system";
    "plugin-build.no-manifest", "BR-6",
        "The folder holds no plugin to build",
        "Another folder was named",
        "Name the folder of a plugin, or start one with `code-polishy plugin new`";
    "plugin-build.no-plugin", "BR-6",
        "No package of the folder is a plugin",
        "Its crate type is left out",
        "Add the crate type `cdylib` to its manifest";
    "plugin-build.no-toolchain", "BR-6",
        "A tool that the build needs is not there",
        "It is not installed, or lacks a target",
        "Install it as the hint says";
    "plugin-build.tool", "BR-61",
        "A tool of the build failed",
        "The sources do not build",
        "Read the end of its output, and mend what it names";
    "plugin-build.unreadable", "BR-6",
        "The sources of the plugin cannot be read",
        "Rights do not allow it",
        "Make the folder readable";
    "plugin-build.unwritable", "BR-6",
        "What was built cannot be written",
        "The disk is full, or rights do not allow it",
        "Make room, or name another folder";
    "plugin-case.kind", "BR-6",
        "A case calls something that this plugin does not have",
        "It was written for another kind of plugin",
        "Write a call of the plugin's kind";
    "plugin-case.malformed", "BR-4",
        "A case or an input is not JSON of its shape",
        "A key is missing, unknown, doubled or of another type",
        "Mend the document; `code-polishy schema plugin-case` says what it may hold";
    "plugin-case.none", "BR-6",
        "The folder holds no case",
        "None was written",
        "Write a case";
    "plugin-case.too-large", "BR-80",
        "A case is larger than is read",
        "It holds more than one call needs",
        "Make it smaller";
    "plugin-case.unreadable", "BR-6",
        "A case or its folder cannot be read",
        "The path is misspelled, or rights do not allow it",
        "Name the folder of the cases";
    "plugin-case.unwritable", "BR-6",
        "The answer cannot be written into its case",
        "Rights do not allow it",
        "Make the file writable";
    "plugin-list.store", "BR-6",
        "The folder of the user's plugins cannot be read",
        "Rights do not allow it",
        "Make the folder readable";
    "plugin-new.name", "BR-13",
        "A plugin cannot have this name",
        "It is no identifier",
        "Name it with lower-case words separated by `-`";
    "plugin-new.not-empty", "BR-6",
        "The folder for the plugin is not empty",
        "Something is there already",
        "Name a folder with --dir that is absent or empty";
    "plugin-new.unwritable", "BR-6",
        "The plugin's files cannot be written",
        "The disk is full, or rights do not allow it",
        "Make the folder writable, or name another one with --dir";
    "plugin-run.call", "BR-6",
        "The input is for a call that this plugin does not have",
        "It was made for another kind of plugin",
        "Run the plugin that the input is made for";
    "plugin-run.unreadable", "BR-6",
        "The input cannot be read",
        "The path is misspelled, or rights do not allow it",
        "Name a JSON file, or `-`";
    "plugin-run.unwritable", "BR-6",
        "What the plugin made cannot be written",
        "The disk is full, or rights do not allow it",
        "Make the folder writable, or name another one with --out";
}
