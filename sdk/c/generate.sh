#!/bin/sh
# Generates the bindings in this folder from the contract. Needs wit-bindgen:
#   cargo install wit-bindgen-cli --version 0.61.1 --no-default-features --features c
# The names are shortened, so that the kinds share those of what they share. With --check nothing is written: it fails when something is out of date.
set -eu
cd "$(dirname "$0")"
for kind in path-roles report-renderer suite-runner; do
    wit-bindgen c "$@" --world "$kind-plugin" --rename-world cp --no-object-file \
        --rename "code-polishy:plugin/types@1.1.0=cp_types" \
        --rename "code-polishy:plugin/log@1.1.0=cp_log" \
        --rename "code-polishy:plugin/$kind@1.1.0=$(echo "$kind" | tr - _)" \
        --out-dir "$kind" ../../wit
done
