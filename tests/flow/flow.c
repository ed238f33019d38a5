#include "flow/flow.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

/* How long until the next look: short at first. Looking is most of what a long wait computes. */
#define LOOK_MS     5
#define LOOK_MAX_MS 40

uint64_t flow_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static char *read_whole(const char *path)
{
	struct buf b = BUF_INIT;
	char chunk[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&b, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	return buf_take(&b);
}

char *flow_log(struct flow *f)
{
	char *path = xasprintf("%s/gateway.log", f->dir), *text = read_whole(path);

	free(path);
	return text;
}

static struct json_object *request(const char *url, const char *socket, const char *body);

/* Prints what was said in all chats. */
static void print_chats(struct flow *f)
{
	char *url = xasprintf("%s/control/chats", f->url);
	struct json_object *o = request(url, NULL, NULL), *chats = json_get_array(o, "chats");

	for (size_t i = 0; chats && i < json_object_array_length(chats); i++) {
		struct json_object *chat = json_object_array_get_idx(chats, i), *t;
		free(url);
		url = xasprintf("%s/control/transcript?platform=%s&chat=%s", f->url,
		    json_get_str(chat, "platform"), json_get_str(chat, "chat"));
		t = request(url, NULL, NULL);
		fprintf(stderr, "--- %s %s\n%s\n", json_get_str(chat, "platform"), json_get_str(chat, "chat"),
		    t ? json_object_to_json_string(t) : "");
		json_object_put(t);
	}
	json_object_put(o);
	free(url);
}

/* Says what did not work, with the chats and the end of the gateway's log. */
static void print_log(struct flow *f, const char *why)
{
	char *log = flow_log(f);
	size_t len = strlen(log);

	fprintf(stderr, "--- gateway log\n%s--- %s\n", len > 8000 ? log + len - 8000 : log, why);
	free(log);
}

__attribute__((format(printf, 2, 0), noreturn)) static void give_up_args(
    struct flow *f, const char *fmt, va_list ap)
{
	char what[512];

	vsnprintf(what, sizeof(what), fmt, ap);
	print_chats(f);
	print_log(f, what);
	flow_stop(f);
	fail_msg("%s", what);
	abort();
}

__attribute__((format(printf, 2, 3), noreturn)) static void give_up(struct flow *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	give_up_args(f, fmt, ap);
}

uint64_t flow_deadline(void)
{
	return flow_now_ms() + FLOW_WAIT_MS;
}

/* Between two looks at what is due then. */
static void pause_until(uint64_t deadline)
{
	uint64_t ms = (flow_now_ms() + FLOW_WAIT_MS - deadline) / 8;

	usleep((useconds_t)(ms < LOOK_MS ? LOOK_MS : ms > LOOK_MAX_MS ? LOOK_MAX_MS : ms) * 1000);
}

void flow_look(struct flow *f, uint64_t deadline, const char *fmt, ...)
{
	va_list ap;

	if (flow_now_ms() > deadline) {
		va_start(ap, fmt);
		give_up_args(f, fmt, ap);
	}
	pause_until(deadline);
}

static const char *program(const char *name)
{
	static char path[2][512];
	static int at;
	const char *build = getenv("MYNA_BUILD");

	at = !at;
	snprintf(path[at], sizeof(path[at]), "%s/%s", build ? build : ".", name);
	return path[at];
}

void flow_preload(const char *name)
{
	/* A build with AddressSanitizer wants to be first. */
	static const char first[] = "verify_asan_link_order=0";
	const char *set = getenv("ASAN_OPTIONS");
	char *options;

	if (!name) {
		unsetenv("LD_PRELOAD");
		return;
	}
	setenv("LD_PRELOAD", program(name), 1);
	if (set && strstr(set, first))
		return;
	options = xasprintf("%s:%s", set ? set : "", first);
	setenv("ASAN_OPTIONS", options, 1);
	free(options);
}

/* Starts a program with stdout and stderr into files of the folder. */
static pid_t start(struct flow *f, const char *out, const char *err, char *const argv[])
{
	char *out_path = xasprintf("%s/%s", f->dir, out), *err_path = xasprintf("%s/%s", f->dir, err);
	pid_t pid = fork();

	if (pid == 0) {
		int o = open(out_path, O_WRONLY | O_CREAT | O_APPEND, 0600),
		    e = open(err_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
		dup2(o, 1);
		dup2(e, 2);
		execv(argv[0], argv);
		_exit(127);
	}
	free(out_path);
	free(err_path);
	return pid;
}

static char *arg(const char *s)
{
	return (char *)(uintptr_t)s;
}

/* The journal of what models are asked, in the folder. */
static char *journal(const struct flow *f)
{
	return xasprintf("%s/model.journal", f->dir);
}

/* script: a file; NULL: the playground's own. */
static void start_playground(struct flow *f, char *script)
{
	char *data = xasprintf("%s/platforms", f->dir);
	char *argv[] = {arg(program("myna-playground")), arg("--listen"), arg("127.0.0.1:0"),
	    arg("--journal"), journal(f), NULL, NULL, NULL, NULL, NULL, NULL};
	size_t n = 5;

	if (script) {
		argv[n++] = arg("--script");
		argv[n++] = script;
	}
	/* What an older one has kept may lack something. */
	if (access(data, F_OK) == 0) {
		argv[n++] = arg("--data");
		argv[n++] = data;
	} else {
		argv[n++] = arg("--strict-answers");
	}

	f->playground = start(f, "playground.out", "playground.log", argv);
	char *path = xasprintf("%s/playground.out", f->dir);
	for (uint64_t due = flow_deadline(); !*f->url;) {
		char *out = read_whole(path), *at = strstr(out, "listening on http://");
		if (at && strchr(at, '\n'))
			str_copy(f->url, sizeof(f->url), strtok_r(at + strlen("listening on "), "\n", &at));
		free(out);
		if (!*f->url)
			flow_look(f, due, "the playground did not start");
	}
	free(path);
	free(argv[4]);
	free(data);
}

void flow_make(struct flow *f)
{
	*f = (struct flow){0};
	str_copy(f->dir, sizeof(f->dir), "/tmp/myna-flow-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
}

void flow_start(struct flow *f)
{
	flow_make(f);
	start_playground(f, NULL);
}

void flow_start_script(struct flow *f, const char *script)
{
	flow_make(f);
	flow_playground(f, script);
}

void flow_playground(struct flow *f, const char *script)
{
	char *path = xasprintf("%s/script.json", f->dir);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(script, out);
	fclose(out);
	start_playground(f, path);
	free(path);
}

void flow_config(struct flow *f, const char *top, const char *channel)
{
	flow_config_channels(f, top, channel, NULL, NULL);
}

void flow_config_channels(
    struct flow *f, const char *top, const char *telegram, const char *slack, const char *discord)
{
	char *path = xasprintf("%s/myna.conf", f->dir);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fprintf(out,
	    "state = \"%s/state\";\n"
	    "log_level = \"debug\";\n"
	    "%s\n"
	    "channels: { telegram: { type = \"telegram\"; token = "
	    "\"4242424242:AAEflowTestTokenOfTheFlowTests0123456\"; api_base = \"%s/telegram\"; poll_timeout "
	    "= \"2 s\"; %s };\n",
	    f->dir, top, f->url, telegram);
	if (slack)
		fprintf(out,
		    "slack: { type = \"slack\"; bot_token = \"xoxb-1-2-flow\"; app_token = "
		    "\"xapp-1-A1-2-flow\"; api_base = \"%s/slack/api\"; %s };\n",
		    f->url, slack);
	if (discord)
		fprintf(out,
		    "discord: { type = \"discord\"; token = "
		    "\"MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.flowTestTokenOfTheFlowTests0123456\"; api_base = "
		    "\"%s/discord/api/v10\"; %s };\n",
		    f->url, discord);
	fputs("};\n", out);
	if (!strstr(top, "llm:"))
		fprintf(out,
		    "llm: { default = \"script\"; providers: { script: { api = \"openai-chat\"; base_url = "
		    "\"%s/v1\"; key = \"a-key-for-tests\"; model = \"scripted\"; }; }; transcribe: { "
		    "base_url "
		    "= \"%s/v1\"; key = \"a-key-for-tests\"; model = \"whisper-1\"; }; };\n",
		    f->url, f->url);
	fclose(out);
	chmod(path, 0600);
	free(path);
}

char *flow_file(const struct flow *f, const char *chat, const char *name)
{
	const char *colon = strchr(chat, ':');
	return xasprintf(
	    "%s/state/workspace/chat/%.*s%%3A%s/%s", f->dir, (int)(colon - chat), chat, colon + 1, name);
}

void flow_put_tool(const struct flow *f, const char *name, const char *properties, const char *body)
{
	char *folder = xasprintf("%s/ext", f->dir), *path = xasprintf("%s/%s", folder, name);
	FILE *out;

	assert_int_equal(mkdir(folder, 0755), 0);
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out,
	    "#!/bin/sh\nif [ \"$1\" = --schema ]; then echo '{\"name\":\"%s\",\"description\":\"Runs.\","
	    "\"parameters\":{\"type\":\"object\",\"properties\":%s}}'; exit; fi\n%s",
	    name, properties, body);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(path, 0755), 0);
	free(folder);
	free(path);
}

/* With the folders above it, which are below that of the flow. */
static void write_file(const struct flow *f, char *path, const void *data, size_t len)
{
	for (char *at = path + strlen(f->dir) + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		mkdir(path, 0755);
	}
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

void flow_put(const struct flow *f, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", f->dir, name);

	write_file(f, path, text, strlen(text));
	free(path);
}

void flow_put_file(const struct flow *f, const char *chat, const char *name, const void *data, size_t len)
{
	char *path = flow_file(f, chat, name);

	write_file(f, path, data, len);
	free(path);
}

void flow_run(struct flow *f)
{
	char *conf = xasprintf("%s/myna.conf", f->dir);
	char *argv[] = {arg(program("myna")), arg("run"), arg("-c"), conf, NULL};

	f->gateway = start(f, "gateway.out", "gateway.log", argv);
	free(conf);
}

void flow_gateway_await(struct flow *f, bool ready)
{
	for (uint64_t due = flow_deadline();; flow_look(f, due, "the gateway did not start")) {
		struct json_object *status = flow_status(f);
		bool up = status && (!ready || json_get_bool(status, "ready", false));
		json_object_put(status);
		if (up)
			return;
		if (waitpid(f->gateway, NULL, WNOHANG) != 0)
			give_up(f, "the gateway ended");
	}
}

void flow_gateway(struct flow *f, bool ready)
{
	flow_run(f);
	flow_gateway_await(f, ready);
}

int flow_gateway_wait(struct flow *f)
{
	int status = 0;

	for (uint64_t due = flow_deadline(); waitpid(f->gateway, &status, WNOHANG) == 0; pause_until(due))
		if (flow_now_ms() > due) {
			kill(f->gateway, SIGKILL);
			waitpid(f->gateway, &status, 0);
			break;
		}
	f->gateway = 0;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int flow_gateway_end(struct flow *f, int signo)
{
	if (f->gateway <= 0)
		return 0;
	kill(f->gateway, signo);
	int status = flow_gateway_wait(f);
	/* No test wants that: whichever it is, its log says why. */
	if (status > 0 || (status == -SIGKILL && signo != SIGKILL))
		print_log(f, status > 0 ? "the gateway ended with an error" : "the gateway did not end");
	return status;
}

void flow_gateway_kill(struct flow *f)
{
	for (uint64_t due = flow_deadline();; flow_look(f, due, "what the gateway says never arrived")) {
		struct json_object *status = flow_status(f);
		bool said = json_get_int(json_get_object(status, "queue"), "outbox_queued", -1) == 0;
		json_object_put(status);
		if (said)
			break;
	}
	if (flow_gateway_end(f, SIGKILL) != -SIGKILL)
		give_up(f, "the gateway had ended before");
}

/* 401 and 404 are about keys and names, which tests get wrong on purpose. */
static bool is_invalid(struct json_object *request)
{
	int64_t status = json_get_int(request, "status", 0);
	bool refused = strcmp(json_get_str(request, "verdict"), "refused") == 0;

	return json_object_array_length(json_get_array(request, "problems")) > 0 &&
	    !(refused && (status == 401 || status == 404));
}

/* The first request that no model may be sent, malloc'd; NULL when all were good. Who collects journals gets
 * this one. */
static char *find_invalid(struct flow *f)
{
	char *path = journal(f), *text = read_whole(path), *found = NULL, *save = NULL;
	int all = getenv("MYNA_MODEL_JOURNAL") ?
	    open(getenv("MYNA_MODEL_JOURNAL"), O_WRONLY | O_CREAT | O_APPEND, 0600) :
	    -1;

	/* In one piece: others write there, too. */
	if (all >= 0 && write(all, text, strlen(text)) < 0)
		fprintf(stderr, "a journal is not collected: %s\n", strerror(errno));
	close(all);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct json_object *request = json_parse(line, strlen(line), NULL);
		if (!found && is_invalid(request))
			found = xstrdup(line);
		json_object_put(request);
	}
	free(text);
	free(path);
	return found;
}

/* Ends the playground. Returns what it sent that no platform sends, malloc'd; NULL: nothing. */
static char *end_playground(struct flow *f)
{
	char *path = xasprintf("%s/playground.log", f->dir), *text = NULL;
	int status = 0;

	kill(f->playground, SIGTERM);
	waitpid(f->playground, &status, 0);
	f->playground = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
		text = read_whole(path);
	free(path);
	return text;
}

void flow_stop(struct flow *f)
{
	char *rm = xasprintf("rm -rf '%s'", f->dir), *invalid, *untrue = NULL;

	flow_gateway_end(f, SIGTERM);
	if (f->playground > 0)
		untrue = end_playground(f);
	invalid = find_invalid(f);
	if (strncmp(f->dir, "/tmp/myna-flow-", 15) == 0 && system(rm) != 0)
		fprintf(stderr, "%s is left behind\n", f->dir);
	free(rm);
	if (invalid)
		fail_msg("a model was sent what it may not be sent: %s", invalid);
	if (untrue)
		fail_msg("the playground sent what no platform sends: %s", untrue);
}

int flow_begin(void **state)
{
	flow_start(*state);
	return 0;
}

int flow_end(void **state)
{
	flow_stop(*state);
	return 0;
}

int flow_myna(struct flow *f, char **out, ...)
{
	char *conf = xasprintf("%s/myna.conf", f->dir), *path = xasprintf("%s/command.out", f->dir);
	char *argv[16] = {arg(program("myna")), arg("-c"), conf};
	size_t n = 3;
	va_list ap;
	int status;

	va_start(ap, out);
	while (n + 1 < ARRAY_LEN(argv) && (argv[n] = va_arg(ap, char *)))
		n++;
	va_end(ap);
	unlink(path);
	pid_t pid = start(f, "command.out", "command.out", argv);
	waitpid(pid, &status, 0);
	if (out)
		*out = read_whole(path);
	free(conf);
	free(path);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static size_t collect(char *data, size_t size, size_t count, void *into)
{
	buf_add(into, data, size * count);
	return size * count;
}

/* A request; the answer as JSON, NULL when there is none. One handle, so that the connection to the
   playground is kept: thousands of looks are most of what a test computes. */
static struct json_object *request(const char *url, const char *socket, const char *body)
{
	static CURL *easy;
	struct curl_slist *headers = NULL;
	struct buf answer = BUF_INIT;
	struct json_object *o = NULL;

	if (!easy)
		easy = curl_easy_init();
	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, &answer);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)FLOW_WAIT_MS);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	if (socket)
		curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, socket);
	if (body) {
		headers = curl_slist_append(NULL, "Content-Type: application/json");
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
		curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
	}
	if (curl_easy_perform(easy) == CURLE_OK)
		o = json_parse(answer.data, answer.len, NULL);
	curl_easy_reset(easy);
	curl_slist_free_all(headers);
	buf_clear(&answer);
	return o;
}

struct json_object *flow_status(struct flow *f)
{
	char *socket = xasprintf("%s/state/control.sock", f->dir);
	struct json_object *o = request("http://localhost/v1/status", socket, NULL);

	free(socket);
	return o;
}

struct json_object *flow_daemon(struct flow *f, const char *path, const char *body)
{
	char *socket = xasprintf("%s/state/control.sock", f->dir),
	     *url = xasprintf("http://localhost%s", path);
	struct json_object *o = request(url, socket, body);

	free(socket);
	free(url);
	return o;
}

struct json_object *flow_get(struct flow *f, const char *path)
{
	char *url = xasprintf("%s%s", f->url, path);
	struct json_object *o = request(url, NULL, NULL);

	if (!o)
		give_up(f, "GET %s gave nothing", path);
	free(url);
	return o;
}

struct json_object *flow_control(struct flow *f, const char *verb, const char *fmt, ...)
{
	char *url = xasprintf("%s/control/%s", f->url, verb);
	struct buf body = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	struct json_object *o = request(url, NULL, body.data);
	if (!o || !json_get_bool(o, "ok", false))
		give_up(f, "control %s %s: %s", verb, body.data, o ? json_object_get_string(o) : "no answer");
	buf_clear(&body);
	free(url);
	return o;
}

void flow_say(struct flow *f, const char *chat, const char *user, const char *text, const char *kind)
{
	flow_say_on(f, "telegram", chat, user, text, kind);
}

void flow_say_on(struct flow *f, const char *platform, const char *chat, const char *user, const char *text,
    const char *kind)
{
	struct buf quoted = BUF_INIT;

	json_quote(&quoted, text, strlen(text));
	json_object_put(flow_control(f, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"text\":%s,\"kind\":\"%s\"}", platform,
	    chat, user, quoted.data, kind));
	buf_clear(&quoted);
}

void flow_press(struct flow *f, const char *platform, const char *chat, const char *user, const char *id,
    const char *button)
{
	json_object_put(flow_control(f, "press",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"message_id\":\"%s\",\"button\":\"%s\"}",
	    platform, chat, user, id, button));
}

struct json_object *flow_transcript(struct flow *f, const char *platform, const char *chat)
{
	char *path = xasprintf("/control/transcript?platform=%s&chat=%s", platform, chat);
	struct json_object *o = flow_get(f, path);

	free(path);
	return o;
}

/* The bot's message number i, and how many there are. */
static size_t bot_message(struct json_object *t, size_t i, struct json_object **found)
{
	struct json_object *messages = json_get_array(t, "messages");
	size_t n = 0;

	for (size_t k = 0; messages && k < json_object_array_length(messages); k++) {
		struct json_object *m = json_object_array_get_idx(messages, k);
		if (!json_get_bool(m, "bot", false))
			continue;
		if (n++ == i && found)
			*found = m;
	}
	return n;
}

static bool has_said(struct json_object *m, const char *text)
{
	return json_get_bool(m, "bot", false) && !json_get_bool(m, "deleted", false) &&
	    strstr(json_get_str(m, "text"), text);
}

size_t flow_count_said(struct json_object *messages, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; messages && i < json_object_array_length(messages); i++)
		n += has_said(json_object_array_get_idx(messages, i), text);
	return n;
}

struct json_object *flow_said(struct flow *f, const char *platform, const char *chat, const char *text)
{
	struct json_object *t = flow_transcript(f, platform, chat), *messages = json_get_array(t, "messages");
	struct json_object *said = json_object_new_array();

	for (size_t i = 0; messages && i < json_object_array_length(messages); i++) {
		struct json_object *m = json_object_array_get_idx(messages, i);
		if (has_said(m, text))
			json_object_array_add(said, json_object_get(m));
	}
	json_object_put(t);
	return said;
}

size_t flow_count_said_on(struct flow *f, const char *platform, const char *chat, const char *text)
{
	struct json_object *said = flow_said(f, platform, chat, text);
	size_t n = json_object_array_length(said);

	json_object_put(said);
	return n;
}

size_t flow_bot_messages(struct flow *f, const char *chat)
{
	struct json_object *t = flow_transcript(f, "telegram", chat);
	size_t n = bot_message(t, 0, NULL);

	json_object_put(t);
	return n;
}

char *flow_bot_text(struct flow *f, const char *chat, size_t i)
{
	struct json_object *t = flow_transcript(f, "telegram", chat), *m = NULL;

	bot_message(t, i, &m);
	char *text = xstrdup(json_get_str(m, "text"));
	json_object_put(t);
	return text;
}

void flow_await(struct flow *f, const char *chat, size_t count)
{
	size_t n;

	for (uint64_t due = flow_deadline(); (n = flow_bot_messages(f, chat)) < count;)
		flow_look(f, due, "chat %s has %zu messages of the bot, not %zu", chat, n, count);
}

void flow_expect(struct flow *f, const char *chat, size_t i, const char *text)
{
	flow_await(f, chat, i + 1);
	char *got = flow_bot_text(f, chat, i);

	if (!strstr(got, text))
		give_up(f, "chat %s: message %zu is \"%s\", which lacks \"%s\"", chat, i, got, text);
	free(got);
}

size_t flow_model_requests(struct flow *f)
{
	struct json_object *o = flow_get(f, "/control/model");
	size_t n = json_object_array_length(json_get_array(o, "requests"));

	json_object_put(o);
	return n;
}

void flow_await_log(struct flow *f, const char *text)
{
	for (uint64_t due = flow_deadline();; flow_look(f, due, "the log never said: %s", text)) {
		char *log = flow_log(f);
		bool found = strstr(log, text);
		free(log);
		if (found)
			return;
	}
}

bool flow_turn_runs(struct flow *f)
{
	struct json_object *status = flow_status(f);
	bool runs = json_get_int(json_get_object(status, "queue"), "turns_open", 0) > 0;

	json_object_put(status);
	return runs;
}
