# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Checks the manifests of a release by the rules that their readers document:
# known keys, required ones, types, files that they name; and that all have the
# version of vsp.h.
#
#     python3 ci/manifests.py RELEASE

import json
import os
import re
import sys

import kconfiglib
import yaml

release = sys.argv[1]
failures = []


def path(*names):
    return os.path.join(release, *names)


def read(*names):
    with open(path(*names)) as file:
        return file.read()


def must(condition, what):
    if not condition:
        failures.append(what)


def must_exist(manifest, *names):
    must(os.path.exists(path(*names)),
         "%s names %s, which is not there" % (manifest, "/".join(names)))


def must_match(name, value, form):
    """The value has exactly the keys, types and nesting of the form."""
    if isinstance(form, dict):
        if not isinstance(value, dict):
            must(False, "%s is not a map" % name)
            return
        for key in set(form) | set(value):
            must(key in form, "%s: unknown key %s" % (name, key))
            must(key in value, "%s: no %s" % (name, key))
            if key in form and key in value:
                must_match(name + ": " + key, value[key], form[key])
    elif isinstance(form, list):
        must(isinstance(value, list) and value, "%s is not a list" % name)
        for item in value if isinstance(value, list) else []:
            must_match(name, item, form[0])
    else:
        must(isinstance(value, str) and re.fullmatch(form, value),
             "%s is not like %s: %r" % (name, form, value))


TEXT = r"\S.*"
numbers = re.search(r"#define VSP_VERSION 0x(..)(..)(..)u", read("four/vsp.h"))
VERSION = re.escape(".".join(str(int(n, 16)) for n in numbers.groups()))

# Arduino: "Library specification", 1.5
lines = read("library.properties").splitlines()
must_match("library.properties", dict(line.split("=", 1) for line in lines), {
    "name": r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,62}", "version": VERSION,
    "author": TEXT, "maintainer": TEXT, "sentence": TEXT, "paragraph": TEXT,
    "category": "Display|Communication|Signal Input/Output|Sensors|"
                "Device Control|Timing|Data Storage|Data Processing|Other",
    "url": ".*", "architectures": r"\*", "includes": r"vsp\.h"})
must_exist("library.properties", "src", "vsp.h")
must_exist("src/vsp.h", "src", *re.search(
    '#include "(.*)"', read("src", "vsp.h")).group(1).split("/"))

# PlatformIO: "library.json"
library = json.loads(read("library.json"))
must_match("library.json", library, {
    "name": "[a-z0-9-]+", "version": VERSION, "description": TEXT,
    "keywords": [TEXT], "authors": [{"name": TEXT}], "license": "MIT",
    "frameworks": r"\*", "platforms": r"\*", "headers": r"vsp\.h",
    "build": {"srcDir": TEXT, "includeDir": TEXT, "flags": ["-[a-z].*"]}})
must_exist("library.json", library["build"]["srcDir"], "vsp.c")
must_exist("library.json", library["build"]["includeDir"], library["headers"])

# ESP-IDF: "idf_component.yml manifest file"
component = yaml.safe_load(read("idf_component.yml"))
must_match("idf_component.yml", component, {
    "version": VERSION, "description": TEXT, "license": "MIT",
    "dependencies": {"idf": r">=\d+\.\d+"}, "files": {"exclude": [TEXT]},
    "examples": [{"path": TEXT}]})
for example in component["examples"]:
    must_exist("idf_component.yml", example["path"], "CMakeLists.txt")

# Zephyr: the schema of its scripts/zephyr_module.py
module = yaml.safe_load(read("zephyr/module.yml"))
must_match("module.yml", module, {
    "name": "vsp", "build": {"cmake": TEXT, "kconfig": TEXT}})
must_exist("module.yml", module["build"]["cmake"], "CMakeLists.txt")
must_exist("module.yml", module["build"]["kconfig"])

# Kconfig, by the parser that Zephyr and ESP-IDF derive theirs from
for kconfig in ("Kconfig", module["build"]["kconfig"]):
    known = kconfiglib.Kconfig(path(kconfig), warn_to_stderr=False)
    must(not known.warnings, "%s: %s" % (kconfig, known.warnings))
    bodies = known.syms["VSP_MAX_BODIES"]
    low, high, _ = bodies.ranges[0]
    must("VSP_MAX_BODIES < %s || VSP_MAX_BODIES > %s" % (
        low.name, high.name) in read("four/vsp.h"),
        kconfig + ": the range of VSP_MAX_BODIES is not that of vsp.h")

# Meson
must(re.search(r"project\('vsp', 'c', version: '%s'" % VERSION,
               read("meson.build")), "meson.build has another version")

print("\n".join(failures))
sys.exit(bool(failures))
