"""Records, in every process of a pytest run, where the declared modules and the collected tests come from.

Loaded with ``-p code_polishy_recorder`` from a private folder. It changes nothing in the run: it looks at what is loaded when tests were
collected, after each test and at the end, and leaves one file for each process.
"""

import hashlib
import json
import os
import sys
import tempfile

import pytest

FOLDER = os.environ.get("CODE_POLISHY_RECORDER", "")


def seen_file(path):
    """A file as it is now: its real place, and the digest of its bytes."""
    path = os.path.realpath(path)
    try:
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
    except OSError:
        digest = None
    return {"path": path, "sha256": digest}


def places(module):
    """The files that a module says it was loaded from."""
    spec = getattr(module, "__spec__", None)
    origin = getattr(spec, "origin", None) if getattr(spec, "has_location", False) is True else None
    return [place for place in (getattr(module, "__file__", None), origin) if isinstance(place, str) and place]


class Recorder:
    def __init__(self, config):
        with open(os.path.join(FOLDER, "modules.json"), encoding="utf-8") as file:
            names = json.load(file)
        self.modules = {name: {"name": name, "without_file": False, "files": {}} for name in names}
        self.known = {}
        self.tests = {}
        self.workers = {}
        self.executed = 0
        self.written = False
        worker = getattr(config, "workerinput", None)
        self.process = worker["workerid"] if worker else "main"
        self.config = config

    def look(self):
        """Notes what the declared modules are at this moment."""
        for name, seen in self.modules.items():
            module = sys.modules.get(name)
            if module is None or self.known.get(name) is module:
                continue
            self.known[name] = module
            found = places(module)
            seen["without_file"] = seen["without_file"] or not found
            for place in found:
                file = seen_file(place)
                seen["files"][file["path"]] = file

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session):
        for item in session.items:
            path = str(getattr(item, "path", None) or item.fspath)
            if path not in self.tests:
                self.tests[path] = seen_file(path)
        self.look()

    def pytest_runtest_logstart(self):
        self.executed += 1

    def pytest_runtest_logfinish(self):
        self.look()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        self.workers[node.gateway.id] = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        if error:
            self.workers[node.gateway.id] = str(error)[:500]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self):
        self.write()

    def role(self):
        if self.process != "main":
            return "worker"
        return "controller" if self.workers else "single"

    def write(self):
        if self.written:
            return
        self.written = True
        self.look()
        role = self.role()
        modules = [dict(seen, files=in_order(seen["files"])) for _, seen in sorted(self.modules.items())]
        record = {
            "schema_version": 1,
            "process": self.process,
            "role": role,
            # A controller is told of its workers' tests, and runs none.
            "executed": 0 if role == "controller" else self.executed,
            "workers": [{"process": name, "failure": failure} for name, failure in self.workers.items()],
            "modules": modules,
            "tests": in_order({file["path"]: file for file in self.tests.values()}),
        }
        handle, new = tempfile.mkstemp(prefix=".new-", dir=os.path.join(FOLDER, "records"))
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(record, file, sort_keys=True)
        name = self.process
        try:
            # Two sessions under one name are both kept, and neither is believed.
            os.link(new, os.path.join(FOLDER, "records", name + ".json"))
        except FileExistsError:
            os.link(new, os.path.join(FOLDER, "records", "%s-%d.json" % (name, os.getpid())))
        os.unlink(new)


def in_order(files):
    return [files[path] for path in sorted(files)]


def pytest_configure(config):
    if FOLDER:
        config.pluginmanager.register(Recorder(config), "code_polishy_recorder_of_this_process")
