#!/usr/bin/env python3
"""Do the rendered objects of the chart belong together, and does the program take their configuration? look.py FOLDER BUILD"""
import os
import subprocess
import sys

import yaml

folder, build = sys.argv[1:]


def objects(name):
    with open(f"{folder}/{name}.yaml", encoding="utf-8") as file:
        return [o for o in yaml.safe_load_all(file) if o]


def of_kind(all_objects, kind):
    found = [o for o in all_objects if o["kind"] == kind]
    assert len(found) == 1, (kind, len(found))
    return found[0]


def belong_together(all_objects):
    nodes = of_kind(all_objects, "StatefulSet")["spec"]
    pod = nodes["template"]["spec"]
    labels = nodes["template"]["metadata"]["labels"].items()
    for selector in (nodes["selector"]["matchLabels"], of_kind(all_objects, "Service")["spec"]["selector"],
                     of_kind(all_objects, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
                     pod["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"]):
        assert selector and selector.items() <= labels, selector
    assert nodes["serviceName"] == of_kind(all_objects, "Service")["metadata"]["name"]
    volumes = {v["name"] for v in pod["volumes"] + [c["metadata"] for c in nodes["volumeClaimTemplates"]]}
    (container,) = pod["containers"]
    assert volumes == {m["name"] for m in container["volumeMounts"]}
    assert "/etc/myna" in [m["mountPath"] for m in container["volumeMounts"]]
    sources = pod["volumes"][0]["projected"]["sources"]
    assert sources[0]["configMap"]["name"] == of_kind(all_objects, "ConfigMap")["metadata"]["name"]
    # Myna refuses secrets that others can read; and the user must be the image's.
    assert pod["volumes"][0]["projected"]["defaultMode"] == 0o440
    assert pod["securityContext"]["runAsUser"] == pod["securityContext"]["fsGroup"] == 10001
    assert not container["securityContext"]["allowPrivilegeEscalation"]


def write(path, text):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)


def is_taken(name, all_objects, node):
    """The pod's own command writes the name of the node; what it then starts is myna check here."""
    root = f"{folder}/{name}"
    os.makedirs(f"{root}/etc", mode=0o700)
    os.makedirs(f"{root}/state", mode=0o700)

    def here(text):
        return text.replace("/etc/myna", f"{root}/etc").replace("/var/lib/myna", f"{root}/state")

    write(f"{root}/etc/myna.conf", here(of_kind(all_objects, "ConfigMap")["data"]["myna.conf"]))
    write(f"{root}/etc/telegram.token", "4242424242:AAEhelmTokenOfTheHelmTests0123456789\n")
    for secret in ("model.key", "database.password"):
        write(f"{root}/etc/{secret}", "a-secret-for-tests\n")
    container = of_kind(all_objects, "StatefulSet")["spec"]["template"]["spec"]["containers"][0]
    command = container["command"] + [here(text).replace("exec myna run", "exec myna check") for text in container["args"]]
    done = subprocess.run(command, env={"PATH": f"{build}:{os.environ['PATH']}", "NODE": node, "MYNA_CONFIG": f"{root}/etc/myna.conf"},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "OK, 1 channel" in done.stdout, done.stdout + done.stderr
    return done.stdout


default, other = objects("default"), objects("other")
for rendered in (default, other):
    belong_together(rendered)
is_taken("default", default, "bots-0")
is_taken("other", other, "bots-1")
spec = of_kind(other, "StatefulSet")["spec"]
assert spec["replicas"] == 3 and spec["volumeClaimTemplates"][0]["spec"]["storageClassName"] == "fast"
assert spec["template"]["spec"]["containers"][0]["image"] == "myna:v1"
assert "storageClassName" not in of_kind(default, "StatefulSet")["spec"]["volumeClaimTemplates"][0]["spec"]
assert "password_file" not in of_kind(other, "ConfigMap")["data"]["myna.conf"]
changed = [of_kind(o, "StatefulSet")["spec"]["template"]["metadata"]["annotations"] for o in (default, other)]
assert changed[0] != changed[1], "a changed configuration must start the nodes again"
if os.path.exists(f"{folder}/helm.yaml"):
    assert sorted(map(str, objects("helm"))) == sorted(map(str, default))
