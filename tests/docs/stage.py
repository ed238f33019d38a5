"""A playground and a gateway in a folder of their own, for the commands that the pages show: with three platforms, or as a page says."""
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

TELEGRAM = "4242424242:AAEdocsTokenOfTheDocsTests0123456789"
SLACK_BOT = "xoxb-1-2-docs"
SLACK_APP = "xapp-1-A1-2-docs"
DISCORD = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.docsTokenOfTheDocsTests0123456789"
HTTP_TOKEN = "a-token-of-the-docs-tests"
DEADLINE = 30

CONF = """state = "/var/lib/myna";
control = "/var/lib/myna/control.sock";
channels: {
  telegram: { type = "telegram"; token = "file:/etc/myna/telegram.token"; api_base = "http://127.0.0.1:8090/telegram";
    allow = ["*"]; admins = ["77"]; poll_timeout = "2 s"; };
  slack: { type = "slack"; bot_token = "file:/etc/myna/slack-bot.token"; app_token = "file:/etc/myna/slack-app.token";
    api_base = "http://127.0.0.1:8090/slack/api"; allow = ["*"]; };
  discord: { type = "discord"; token = "file:/etc/myna/discord.token"; api_base = "http://127.0.0.1:8090/discord/api/v10"; allow = ["*"]; };
};
targets: { ops = ["telegram:77"]; };
http: { listen = "127.0.0.1:8080"; token = "file:/etc/myna/http.token"; };
llm: { default = "main"; providers: { main: { api = "openai-chat"; base_url = "http://127.0.0.1:8090/v1"; model = "scripted";
  key = "file:/etc/myna/llm.key"; }; }; };
"""


class Stage:
    def __init__(self, build, root, conf=CONF, script=None, point=None, names=()):
        """script: what the model says, as JSON. point(conf, address): puts the playground's address into a configuration.
        names: pairs of what the pages write and what it is here."""
        self.root = root
        self.conf, self.script, self.point, self.names = conf, script, point, list(names)
        self.dir = tempfile.mkdtemp(prefix="myna-docs-")
        os.chmod(self.dir, 0o755)  # commands run as somebody else when we are root
        self.build = build
        self.children = []
        for name in ("etc/myna", "state", "home", "work"):
            os.makedirs(f"{self.dir}/{name}", mode=0o700)
        # The bots that docs/playground-testing.md shows.
        shutil.copytree(f"{root}/tests/third-party/examples", f"{self.dir}/work", dirs_exist_ok=True)
        self.log = open(f"{self.dir}/log", "wb")
        try:
            self.start_playground()
            self.control("settings", telegram={"limits": False}, slack={"limits": False}, discord={"limits": False})
            self.start_gateway()
            if conf == CONF:
                self.say_something()
        except Exception:
            self.kill()
            raise

    # What the pages write, and what it is here.
    def places(self):
        return [("127.0.0.1:8090", self.playground), ("127.0.0.1:8080", self.http),
                ("/etc/myna", f"{self.dir}/etc/myna"), ("/var/lib/myna", f"{self.dir}/state"), *self.names]

    def here(self, text):
        for shown, real in self.places():
            text = text.replace(shown, real)
        return text

    def shown(self, text):
        for shown, real in self.places():
            text = text.replace(real, shown)
        return text

    def environment(self):
        return {"PATH": f"{self.build}:{os.environ['PATH']}", "HOME": f"{self.dir}/home", "LANG": "C.UTF-8", "LOGNAME": "ann",
                "USER": "ann", "MYNA_CONFIG": f"{self.dir}/etc/myna/myna.conf", "TOKEN": HTTP_TOKEN,
                **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}}

    def spawn(self, *argv, **more):
        child = subprocess.Popen(argv, env=self.environment(), cwd=f"{self.dir}/work", stdin=subprocess.DEVNULL,
                                 stderr=self.log, **more)
        self.children.append(child)
        return child

    def start_playground(self):
        script = ["--script", self.write("script.json", self.script)] if self.script else []
        child = self.spawn(f"{self.build}/myna-playground", "--listen", "127.0.0.1:0", *script, stdout=subprocess.PIPE)
        line = child.stdout.readline().decode()
        self.playground = line.strip().rpartition("http://")[2]
        if not self.playground:
            raise RuntimeError("the playground did not start")

    # Writes a file of the configuration, as only its owner may read it.
    def write(self, name, text):
        path = f"{self.dir}/etc/myna/{name}"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            out.write(text)
        return path

    # Port 0 is any free one; the gateway's log says which.
    def start_gateway(self):
        self.http = "127.0.0.1:0"
        for name, value in (("telegram.token", TELEGRAM), ("slack-bot.token", SLACK_BOT), ("slack-app.token", SLACK_APP),
                            ("discord.token", DISCORD), ("http.token", HTTP_TOKEN), ("llm.key", "a-key-for-tests"),
                            ("anthropic.key", "a-key-for-tests")):
            self.write(name, value + "\n")
        conf = self.here(self.conf)
        self.write("myna.conf", self.point(conf, self.playground) if self.point else conf)
        self.spawn(f"{self.build}/myna", "run")
        self.until(lambda: self.status().get("ready"), "the gateway is ready")
        if "http:" in conf:
            self.http = self.find_http()

    # Something that commands can ask for.
    def say_something(self):
        self.control("say", platform="telegram", chat="77", user="77", text="hello")
        self.control("wait", platform="telegram", chat="77", bot_messages=1, timeout_ms=DEADLINE * 1000)

    def log_end(self):
        return open(f"{self.dir}/log", errors="replace").read()[-3000:]

    def status(self):
        done = subprocess.run([f"{self.build}/myna", "status", "--json"], env=self.environment(), capture_output=True)
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def find_http(self):
        for line in open(f"{self.dir}/log", errors="replace"):
            if "listening on 127.0.0.1:0 port=" in line:
                return "127.0.0.1:" + line.split("port=")[1].split()[0]
        raise RuntimeError("the gateway did not say where it listens")

    def control(self, verb, **body):
        request = urllib.request.Request(f"http://{self.playground}/control/{verb}", json.dumps(body).encode())
        try:
            return json.load(urllib.request.urlopen(request, timeout=DEADLINE))
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{verb} {body}: {error.read().decode()}") from error

    def look(self, what, **query):
        url = f"http://{self.playground}/control/{what}?{urllib.parse.urlencode(query)}"
        return json.load(urllib.request.urlopen(url, timeout=DEADLINE))

    def until(self, condition, what):
        end = time.monotonic() + DEADLINE
        while not condition():
            if time.monotonic() > end or any(child.poll() is not None for child in self.children):
                raise RuntimeError(f"it never came to this: {what}\n" + self.log_end())
            time.sleep(0.05)

    # Runs a script as the pages show it: status, and what it said in the pages' words.
    def run(self, script, folder="work"):
        done = subprocess.run(["bash", "-ec", self.here(script)], env=self.environment(), cwd=f"{self.dir}/{folder}",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=DEADLINE * 2)
        # What AddressSanitizer says of coroutines.
        lines = [line for line in done.stdout.decode(errors="replace").splitlines(True) if "WARNING: ASan doesn't" not in line]
        return done.returncode, self.shown("".join(lines))

    def runs_on(self, script):
        child = subprocess.Popen(["bash", "-ec", "exec " + self.here(script)], env=self.environment(), cwd=f"{self.dir}/work",
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(1)
            return False
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            return True

    def kill(self):
        for child in self.children:
            child.kill()

    def stop(self):
        statuses = []
        for child in reversed(self.children):
            child.terminate()
            statuses.append(child.wait(DEADLINE))
        self.log.close()
        said = self.log_end()
        shutil.rmtree(self.dir, ignore_errors=True)
        if any(statuses):
            raise RuntimeError(f"the programs ended with {statuses}\n{said}")
