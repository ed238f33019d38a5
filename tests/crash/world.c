#include "config.h"
#include "crash/world.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "crash/scenario.h"

#define WAIT_MS        30000
#define TELEGRAM_TOKEN "4242424242:AAEcrashTestTokenOfTheCrashTests012345"
#define DISCORD_TOKEN  "NDI0MjQyNDI0MjQyNDI0MjQy.GcrAsh.crashTestTokenOfTheCrashTests012345678"

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("Bail out! ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	exit(99);
}

uint64_t world_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static char *read_whole(const char *path)
{
	struct buf b = BUF_INIT;
	char chunk[16384];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&b, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	return b.len ? buf_take(&b) : xstrdup("");
}

static int copy_one(const char *from, const char *to)
{
	char chunk[65536];
	int in = open(from, O_RDONLY | O_CLOEXEC),
	    out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ssize_t n = -1;

	while (in >= 0 && out >= 0 && (n = read(in, chunk, sizeof(chunk))) > 0)
		if (write(out, chunk, (size_t)n) != n)
			break;
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return n == 0 ? 0 : -1;
}

/* nftw gives its callback no argument of ours. */
static struct {
	size_t from_len;
	const char *to;
} copying;

static int copy_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	char *to = xasprintf("%s%s", copying.to, path + copying.from_len);
	int rc = 0;

	(void)at;
	if (type != FTW_D && !S_ISREG(st->st_mode)) {
		free(to);
		return 0;
	}
	if (type == FTW_D)
		rc = mkdir(to, 0700) == 0 || errno == EEXIST ? 0 : -1;
	else
		rc = copy_one(path, to);
	/* Commands run as somebody else when we are root. */
	if (rc == 0 && (chmod(to, st->st_mode & 0777) != 0 || lchown(to, st->st_uid, st->st_gid) != 0))
		rc = -1;
	if (rc != 0)
		give_up("cannot copy %s to %s: %s", path, to, strerror(errno));
	free(to);
	return 0;
}

void world_copy(const char *from, const char *to)
{
	copying.from_len = strlen(from);
	copying.to = to;
	nftw(from, copy_entry, 8, FTW_PHYS);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

void world_remove(const char *path)
{
	nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void make_dir(const char *path)
{
	if (mkdir(path, 0700) != 0)
		give_up("cannot make %s: %s", path, strerror(errno));
}

static char *program(const char *name)
{
	const char *build = getenv("MYNA_BUILD");

	return xasprintf("%s/%s", build ? build : ".", name);
}

/* A child that does not outlive us; env is NAME=value, NULL at the end. */
static pid_t spawn(char *const argv[], const char *out, const char *err, char *const env[])
{
	pid_t parent = getpid(), pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
	dup2(open(err, O_WRONLY | O_CREAT | O_APPEND, 0600), 2);
	for (size_t i = 0; env && env[i]; i++)
		putenv(env[i]);
	execv(argv[0], argv);
	fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static void start_playground(struct world *w)
{
	char *name = program("myna-playground"), *out = xasprintf("%s/playground.out", w->dir);
	char *err = xasprintf("%s/playground.log", w->dir),
	     *script = xstrdup(SOURCE_DIR "/tests/crash/script.json");
	char *argv[] = {name, xstrdup("--listen"), xstrdup("127.0.0.1:0"), xstrdup("--no-limits"),
	    xstrdup("--script"), script, NULL, NULL, NULL};
	uint64_t until = world_now_ms() + WAIT_MS;

	if (getenv("MYNA_MODEL_JOURNAL")) {
		argv[6] = xstrdup("--journal");
		argv[7] = xstrdup(getenv("MYNA_MODEL_JOURNAL"));
	}
	w->playground = spawn(argv, out, err, NULL);
	while (!*w->url) {
		char *text = read_whole(out), *at = strstr(text, "http://"),
		     *end = at ? strchr(at, '\n') : NULL;
		if (end) {
			*end = '\0';
			str_copy(w->url, sizeof(w->url), at);
		}
		free(text);
		if (world_now_ms() > until || waitpid(w->playground, NULL, WNOHANG) != 0)
			give_up("the playground did not start; see %s", err);
		usleep(1000);
	}
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	free(out);
	free(err);
}

static const char telegram[] =
    "telegram: { type = \"telegram\"; token = \"" TELEGRAM_TOKEN
    "\"; api_base = \"%s/telegram\"; poll_timeout = \"5 s\"; rate_private = 0; rate_group = 0; rate_global = "
    "0; preview_after = \"0 ms\"; allow = [\"77\", \"78\"]; admins = [\"76\"]; };\n";
/* What was said is kept by its envelope alone: fetching it later would hide one that was acknowledged too
 * early. */
static const char slack[] = "slack: { type = \"slack\"; bot_token = \"xoxb-1-2-crash\"; app_token = "
			    "\"xapp-1-A2-3-crash\"; api_base = \"%s/slack/api\"; backfill = \"0 s\"; "
			    "rate_chat = 0; rate_global = 0; preview_after = \"0 ms\"; allow = [\"*\"]; };\n";
static const char discord[] = "discord: { type = \"discord\"; token = \"" DISCORD_TOKEN
			      "\"; api_base = \"%s/discord/api/v10\"; rate_channel = 0; rate_global = 0; "
			      "preview_after = \"0 ms\"; allow = [\"*\"]; };\n";

static char *config_path(const struct world *w)
{
	return xasprintf("%s/myna.conf", w->dir);
}

static void write_config(struct world *w, bool everywhere, const char *queue)
{
	char *path = config_path(w);
	struct buf text = BUF_INIT;
	FILE *out = fopen(path, "w");

	if (!out)
		give_up("cannot write %s: %s", path, strerror(errno));
	buf_addf(&text, "state = \"%s\"; reports = \"\"; sessions: { queue = \"%s\"; };\nchannels: {\n",
	    w->state, queue ? queue : "queue");
	buf_addf(&text, telegram, w->url);
	if (everywhere) {
		buf_addf(&text, slack, w->url);
		buf_addf(&text, discord, w->url);
	}
	buf_addf(&text,
	    "};\nllm: { default = \"script\"; providers: { script: { api = \"openai-chat\"; base_url = "
	    "\"%s/v1\"; key = \"a-key-for-tests\"; model = \"scripted\"; }; }; };\n"
	    "targets: { ops = [\"telegram:-1001\"]; %s};\n",
	    w->url, everywhere ? "server = [\"" TALK_SERVER "\"]; team = [\"" TALK_TEAM "\"]; " : "");
	fputs(text.data, out);
	fclose(out);
	chmod(path, 0600);
	buf_clear(&text);
	free(path);
}

/* Slack tries again as often as it does, but sooner. */
static void set_platforms(struct world *w)
{
	json_object_put(world_ask(w, "/control/settings", "{\"slack\":{\"retry_ms\":[4000,4000,4000]}}"));
}

void world_open(struct world *w)
{
	*w = (struct world){0};
	str_copy(w->dir, sizeof(w->dir), "/tmp/myna-crash-XXXXXX");
	if (!mkdtemp(w->dir))
		give_up("cannot make a folder in /tmp: %s", strerror(errno));
	if (chmod(w->dir, 0755) != 0)
		give_up("cannot open %s to others: %s", w->dir, strerror(errno));
	snprintf(w->state, sizeof(w->state), "%s/state", w->dir);
	snprintf(w->side, sizeof(w->side), "%s/side", w->dir);
	snprintf(w->template, sizeof(w->template), "%s/template", w->dir);
	make_dir(w->state);
	make_dir(w->side);
	w->platform = curl_easy_init();
	w->control = curl_easy_init();
	start_playground(w);
	set_platforms(w);
}

void world_close(struct world *w, bool keep)
{
	world_end(w, SIGKILL);
	if (w->playground > 0) {
		kill(w->playground, SIGTERM);
		waitpid(w->playground, NULL, 0);
	}
	curl_easy_cleanup(w->platform);
	curl_easy_cleanup(w->control);
	if (keep)
		printf("# kept in %s\n", w->dir);
	else
		world_remove(w->dir);
}

void world_reset(struct world *w, bool empty, bool everywhere, const char *queue)
{
	char *log = xasprintf("%s/gateway.log", w->dir);

	w->everywhere = everywhere;
	write_config(w, everywhere, queue);
	json_object_put(world_ask(w, "/control/reset", "{}"));
	world_remove(w->state);
	make_dir(w->state);
	if (!empty)
		world_copy(w->template, w->state);
	unlink(log);
	free(log);
}

void world_start(struct world *w, uint64_t at, enum shim_mode mode)
{
	static const char *const modes[] = SHIM_MODE_NAMES;
	char *name = program("myna"), *shim = program("tests/crash/shim.so"), *conf = config_path(w);
	char *log = xasprintf("%s/gateway.log", w->dir), *events = xasprintf("%s/events", w->side);
	char *argv[] = {name, xstrdup("run"), xstrdup("-c"), conf, NULL};
	char *env[] = {
	    xasprintf("LD_PRELOAD=%s", shim),
	    xasprintf(SHIM_STATE "=%s", w->state),
	    xasprintf(SHIM_SIDE "=%s", w->side),
	    /* A build with AddressSanitizer wants to be first. */
	    xstrdup("ASAN_OPTIONS=verify_asan_link_order=0"),
	    at ? xasprintf(SHIM_AT "=%llu", (unsigned long long)at) : NULL,
	    xasprintf(SHIM_MODE "=%s", modes[mode]),
	    NULL,
	};

	unlink(events);
	w->gateway = spawn(argv, "/dev/null", log, env);
	for (size_t i = 0; i < ARRAY_LEN(env); i++)
		free(env[i]);
	for (size_t i = 0; i < ARRAY_LEN(argv); i++)
		free(argv[i]);
	free(shim);
	free(log);
	free(events);
}

bool world_ended(struct world *w, int ms)
{
	struct pollfd end = {.events = POLLIN};
	int status;

	if (w->gateway <= 0)
		return true;
	end.fd = (int)syscall(SYS_pidfd_open, w->gateway, 0);
	if (end.fd >= 0) {
		poll(&end, 1, ms);
		close(end.fd);
	}
	if (waitpid(w->gateway, &status, WNOHANG) == 0)
		return false;
	w->gateway = 0;
	w->status = status;
	return true;
}

int world_end(struct world *w, int signo)
{
	int status = 0;

	if (w->gateway <= 0)
		return 0;
	kill(w->gateway, signo);
	waitpid(w->gateway, &status, 0);
	w->gateway = 0;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static size_t collect(char *data, size_t size, size_t count, void *into)
{
	buf_add(into, data, size * count);
	return size * count;
}

static struct json_object *request(CURL *easy, const char *url, const char *socket, const char *body)
{
	struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
	struct buf answer = BUF_INIT;
	struct json_object *o = NULL;

	curl_easy_reset(easy);
	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, &answer);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)WAIT_MS);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, socket);
	if (body) {
		/* A POST on a connection that is being closed would be sent again. */
		curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
		curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
	}
	if (curl_easy_perform(easy) == CURLE_OK)
		o = json_parse(answer.data, answer.len, NULL);
	curl_slist_free_all(headers);
	buf_clear(&answer);
	return o;
}

struct json_object *world_ask(struct world *w, const char *path, const char *body)
{
	char *url = xasprintf("%s%s", w->url, path);
	struct json_object *o = request(w->platform, url, NULL, body);

	if (!o)
		give_up("the playground does not answer %s", path);
	if (body && !json_get_bool(o, "ok", false))
		give_up("the playground refuses %s %s: %s", path, body, json_object_to_json_string(o));
	free(url);
	return o;
}

struct json_object *world_status(struct world *w)
{
	char *socket = xasprintf("%s/control.sock", w->state);
	struct json_object *o = request(w->control, "http://localhost/v1/status", socket, NULL);

	free(socket);
	return o;
}

struct json_object *world_send(struct world *w, const char *chat, const char *text, const char *key)
{
	char *socket = xasprintf("%s/control.sock", w->state);
	char *body = xasprintf("{\"to\":[\"%s\"],\"text\":\"%s\",\"key\":\"%s\"}", chat, text, key);
	struct json_object *o = request(w->control, "http://localhost/v1/messages", socket, body);

	free(socket);
	free(body);
	return o;
}

static void add_file(struct json_object *say, const char *text)
{
	struct json_object *files = json_object_new_array(), *file = json_object_new_object();
	struct buf base64 = BUF_INIT;

	base64_encode(&base64, text, strlen(text));
	json_set_str(file, "name", "plan.txt");
	json_set_str(file, "base64", base64.data);
	json_object_array_add(files, file);
	json_set(say, "files", files);
	buf_clear(&base64);
}

struct place world_place(const char *address)
{
	struct place p = {.chat = strchr(address, ':')};

	if (!p.chat)
		give_up("\"%s\" is not PLATFORM:CHAT", address);
	snprintf(p.platform, sizeof(p.platform), "%.*s", (int)(p.chat - address), address);
	p.chat++;
	return p;
}

/* Groups of Telegram have negative ids; ids of channels, where people have names, begin with C or are
 * numbers. */
static const char *kind_of(const struct place *p)
{
	if (strcmp(p->platform, "telegram") == 0)
		return p->chat[0] == '-' ? "group" : "private";
	if (strcmp(p->platform, "slack") == 0)
		return p->chat[0] == 'C' ? "channel" : "private";
	return p->chat[0] >= '0' && p->chat[0] <= '9' ? "group" : "private";
}

void world_say(struct world *w, const char *chat, const char *user, const char *text, const char *file)
{
	struct json_object *o = json_object_new_object();
	struct place p = world_place(chat);
	char *body;

	json_set_str(o, "platform", p.platform);
	json_set_str(o, "chat", p.chat);
	json_set_str(o, "user", user);
	json_set_str(o, "text", text);
	json_set_str(o, "kind", kind_of(&p));
	if (file)
		add_file(o, file);
	body = json_text(o);
	json_object_put(o);
	json_object_put(world_ask(w, "/control/say", body));
	free(body);
}

struct json_object *world_transcript(struct world *w, const char *chat)
{
	struct place p = world_place(chat);
	char *path = xasprintf("/control/transcript?platform=%s&chat=%s", p.platform, p.chat);
	struct json_object *o = world_ask(w, path, NULL);

	free(path);
	return o;
}

int64_t world_unconfirmed(struct world *w)
{
	struct json_object *o = world_ask(w, "/telegram/bot" TELEGRAM_TOKEN "/getWebhookInfo", NULL);
	int64_t n = json_get_int(json_get_object(o, "result"), "pending_update_count", -1);

	json_object_put(o);
	if (n == 0 && w->everywhere) {
		/* Nobody wants to wait for Slack's next try. */
		o = world_ask(w, "/control/socket", "{\"platform\":\"slack\",\"action\":\"retry\"}");
		n = json_get_int(o, "unacknowledged", -1);
		json_object_put(o);
	}
	return n;
}

char *world_log(struct world *w)
{
	char *path = xasprintf("%s/gateway.log", w->dir), *text = read_whole(path);

	free(path);
	return text;
}
