#include "bench/bench_stage.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bench/platform.h"
#include "bench/slowclock.h"

#define WELCOME  "Hello, I am Myna, an " /* assistant, or AI agent */
#define START_MS 120000
#define SLOWER   20 /* so much, under a program that counts */
#define ARGS_MAX 24
#define PROOF_MS 200
/* Under a program that counts, the bot's clock. */
#define CLOCK_SLOWER 100
#define STOP_MS      120000
#define QUIET_MS     200
#define QUIET_SHARE  0.01 /* of the time; a bot in Node.js is never quite still */
#define UNQUIET_MS   10000
#define LOOK_MS      0.5
#define FIRST_CHAT   100000
#define OTHER_FILES  1024

static double patience_ms(const struct stage *s, double ms)
{
	return s->o->under ? ms * SLOWER : ms;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static char *program(const char *name)
{
	const char *build = getenv("MYNA_BUILD");

	return xasprintf("%s/%s", build ? build : ".", name);
}

/* In the child: stdout to out, stderr to log in the folder; ends when this process does. */
static void become_child(const char *dir, const char *out)
{
	char *path = xasprintf("%s/%s", dir, out), *log = xasprintf("%s/log", dir);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
	dup2(open(log, O_WRONLY | O_CREAT | O_APPEND, 0600), 2);
	free(path);
	free(log);
}

/* In the child: no more files than two for a chat, because the playground's table of sockets is as large. */
static void limit_files(const struct bench_options *o)
{
	struct rlimit files;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = 2 * o->chats + OTHER_FILES;
	if (files.rlim_cur > files.rlim_max)
		files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

static void start_playground(struct stage *s, bool limits)
{
	char *playground = program("myna-playground"), *out = xasprintf("%s/playground.out", s->o->dir),
	     line[96];
	double until = bench_now_ms() + START_MS;

	s->playground = fork();
	if (s->playground == 0) {
		become_child(s->o->dir, "playground.out");
		limit_files(s->o);
		execl(playground, playground, "--listen", "127.0.0.1:0", "--script", s->o->script,
		    limits ? (char *)NULL : "--no-limits", (char *)NULL);
		_exit(127);
	}
	while (s->url[0] == '\0') {
		FILE *f = fopen(out, "re");

		if (f && fgets(line, sizeof(line), f) && strchr(line, '\n'))
			sscanf(line, "listening on %63s", s->url);
		if (f)
			fclose(f);
		if (bench_now_ms() > until)
			bench_die("%s did not start: see %s/log", playground, s->o->dir);
		bench_sleep_ms(5);
	}
	free(playground);
	free(out);
}

static void write_config(struct stage *s, bool limits)
{
	FILE *f = fopen(s->conf, "we");
	struct buf text = BUF_INIT;

	if (!f)
		bench_die("cannot write %s: %s", s->conf, strerror(errno));
	buf_addf(&text, "state = \"%s/state\";\nlog_level = \"warn\";\nturns_at_once = 20000;\nchannels: {\n",
	    s->o->dir);
	for (size_t i = 0; platforms[i]; i++)
		if (s->o->everywhere || platforms[i] == s->platform)
			platform_write(platforms[i], &text, s->url, s->o->poll_s, limits);
	buf_addf(&text,
	    "};\nllm: { default = \"script\"; providers: { script: { api = \"openai-chat\"; base_url = "
	    "\"%s/v1\"; key = \"a-key-for-measurements\"; model = \"scripted\"; }; }; };\n"
	    "tools: { workspace = \"%s/workspace\"; };\n",
	    s->url, s->o->dir);
	fputs(text.data, f);
	fclose(f);
	chmod(s->conf, 0600);
	buf_clear(&text);
}

void stage_open(struct stage *s, const struct bench_options *o, bool limits)
{
	*s = (struct stage){.o = o, .platform = platform_find(o->platform), .next_chat = FIRST_CHAT};
	nftw(o->dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	if (mkdir(o->dir, 0700) != 0)
		bench_die("cannot make %s: %s", o->dir, strerror(errno));
	s->conf = xasprintf("%s/workspace", o->dir);
	if (mkdir(s->conf, 0700) != 0)
		bench_die("cannot make %s: %s", s->conf, strerror(errno));
	free(s->conf);
	s->conf = xasprintf("%s/myna.conf", o->dir);
	s->socket = xasprintf("%s/state/control.sock", o->dir);
	start_playground(s, limits);
	write_config(s, limits);
}

static void end_child(const struct stage *s, pid_t *pid, const char *what)
{
	double until = bench_now_ms() + patience_ms(s, STOP_MS);

	if (*pid <= 0)
		return;
	kill(*pid, SIGTERM);
	while (waitpid(*pid, NULL, WNOHANG) == 0) {
		if (bench_now_ms() > until) {
			kill(*pid, SIGKILL);
			bench_die("%s did not end after SIGTERM", what);
		}
		bench_sleep_ms(5);
	}
	*pid = 0;
}

void stage_close(struct stage *s)
{
	stage_stop(s);
	end_child(s, &s->playground, "the playground");
	free(s->conf);
	free(s->socket);
}

void stage_abandon(struct stage *s)
{
	kill(s->bot, SIGKILL);
	waitpid(s->bot, NULL, 0);
	s->bot = 0;
	stage_close(s);
}

/* Appends the words of a command. */
static void add_words(char **args, size_t *count, char *words)
{
	char *save = NULL;

	for (char *w = strtok_r(words, " ", &save); w && *count < ARGS_MAX; w = strtok_r(NULL, " ", &save))
		args[(*count)++] = w;
}

static void open_clock(struct stage *s)
{
	char *path = xasprintf("%s/clock", s->o->dir);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, sizeof(*s->clock)) != 0)
		bench_die("cannot write %s: %s", path, strerror(errno));
	s->clock = mmap(NULL, sizeof(*s->clock), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	setenv("BENCH_CLOCK", path, 1);
	free(path);
}

void stage_slow_down(struct stage *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (s->clock->factor > 0)
		return;
	s->clock->since_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	s->clock->factor = CLOCK_SLOWER;
}

void stage_exec(struct stage *s)
{
	char *myna = program("myna"), *api = xasprintf("%s/telegram", s->url),
	     *model = xasprintf("%s/v1", s->url);
	char *under = xstrdup(s->o->under ? s->o->under : ""), *bot = xstrdup(s->o->bot),
	     *clock = program("tests/bench/slowclock.so");
	char run[] = "run", option[] = "-c", *own[] = {myna, run, option, s->conf},
	     *args[ARGS_MAX + ARRAY_LEN(own) + 1] = {NULL};
	size_t count = 0;

	if (s->o->under)
		open_clock(s);
	add_words(args, &count, under);
	if (bot)
		add_words(args, &count, bot);
	for (size_t i = 0; !bot && i < ARRAY_LEN(own); i++)
		args[count++] = own[i];
	setenv("BOT_DIR", s->o->dir, 1);
	setenv("BOT_TOKEN", PLATFORM_TELEGRAM_TOKEN, 1);
	setenv("BOT_API", api, 1);
	setenv("BOT_MODEL", model, 1);
	s->bot = fork();
	if (s->bot == 0) {
		become_child(s->o->dir, "bot.out");
		if (s->o->preload)
			setenv("LD_PRELOAD", s->o->preload, 1);
		if (s->clock)
			setenv("LD_PRELOAD", clock, 1);
		execvp(args[0], args);
		_exit(127);
	}
	free(under);
	free(clock);
	free(myna);
	free(api);
	free(model);
	free(bot);
}

static size_t collect(char *data, size_t size, size_t count, void *into)
{
	buf_add(into, data, size * count);
	return size * count;
}

/* The answer; NULL when there is none. A connection to the playground is kept for the next one; Myna would
 * wake up to close an idle one. */
static struct json_object *request(const char *url, const char *unix_socket, const char *body)
{
	static struct curl_slist *json;
	static CURL *easy;
	struct buf answer = BUF_INIT;
	struct json_object *o = NULL;

	if (!easy) {
		easy = curl_easy_init();
		json = curl_slist_append(NULL, "Content-Type: application/json");
	}
	curl_easy_reset(easy);
	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, &answer);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)START_MS);
	curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, unix_socket);
	curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, unix_socket ? 1L : 0L);
	if (body) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
		curl_easy_setopt(easy, CURLOPT_HTTPHEADER, json);
	}
	if (curl_easy_perform(easy) == CURLE_OK)
		o = json_parse(answer.data, answer.len, NULL);
	buf_clear(&answer);
	return o;
}

struct json_object *stage_status(struct stage *s)
{
	return access(s->socket, F_OK) == 0 ? request("http://localhost/v1/status", s->socket, NULL) : NULL;
}

int64_t stage_turns(struct stage *s)
{
	struct json_object *status = stage_status(s);
	int64_t n = json_get_int(status, "turns_running", -1);

	json_object_put(status);
	return n;
}

void stage_await_ready(struct stage *s)
{
	double until = bench_now_ms() + patience_ms(s, START_MS);
	bool ready = false;

	while (!ready) {
		struct json_object *status = stage_status(s);

		ready = json_get_bool(status, "ready", false);
		json_object_put(status);
		if (bench_now_ms() > until || waitpid(s->bot, NULL, WNOHANG) != 0)
			bench_die("Myna did not become ready: see %s/log", s->o->dir);
		if (!ready)
			bench_sleep_ms(LOOK_MS);
	}
}

static bool is_proved(struct json_object *status)
{
	const char *level = json_get_str(json_get_object(status, "sandbox"), "level");

	return level && strcmp(level, "unproved") != 0;
}

void stage_await_proof(struct stage *s)
{
	double until = bench_now_ms() + patience_ms(s, START_MS);
	bool proved = false;

	while (!proved) {
		struct json_object *status = stage_status(s);

		proved = is_proved(status);
		json_object_put(status);
		if (bench_now_ms() > until)
			bench_die("Myna does not finish the test of its sandbox: see %s/log", s->o->dir);
		if (!proved)
			bench_sleep_ms(PROOF_MS);
	}
}

void stage_start(struct stage *s)
{
	stage_exec(s);
	if (!s->o->bot) {
		stage_await_ready(s);
		stage_await_proof(s);
	}
	stage_mark(s);
	stage_say(s, s->next_chat++, "Are you there?");
	json_object_put(stage_await_sent(s, 1, 20, patience_ms(s, START_MS)));
	stage_mark(s);
}

void stage_stop(struct stage *s)
{
	if (s->clock)
		s->clock->factor = 0;
	end_child(s, &s->bot, "the bot");
}

struct json_object *stage_ask(struct stage *s, const char *verb, const char *body)
{
	char *url = xasprintf("%s/control/%s", s->url, verb);
	struct json_object *o = request(url, NULL, body);

	if (!o || (body && !json_get_bool(o, "ok", false)))
		bench_die("the playground does not take %s %s", verb, body ? body : "");
	free(url);
	return o;
}

void stage_post(struct stage *s, const char *verb, const char *body)
{
	json_object_put(stage_ask(s, verb, body));
}

static char *chat_name(const struct stage *s, int64_t chat)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return xasprintf(s->platform->chat, chat);
#pragma GCC diagnostic pop
}

/* Groups have negative ids. */
int64_t stage_say(struct stage *s, int64_t chat, const char *text)
{
	char *name = chat_name(s, chat), *user = chat < 0 ? chat_name(s, FIRST_CHAT - 1) : xstrdup(name);
	struct json_object *answer;
	struct buf body = BUF_INIT;
	int64_t when;

	buf_addf(&body, "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"kind\":\"%s\",\"text\":",
	    s->platform->name, name, user, chat < 0 ? "group" : "private");
	json_quote(&body, text, strlen(text));
	buf_addch(&body, '}');
	answer = stage_ask(s, "say", body.data);
	when = json_get_int(answer, "time_us", 0);
	json_object_put(answer);
	buf_clear(&body);
	free(name);
	free(user);
	return when;
}

size_t stage_answers(struct stage *s, int64_t chat)
{
	char *name = chat_name(s, chat),
	     *verb = xasprintf("transcript?platform=%s&chat=%s", s->platform->name, name);
	struct json_object *o = stage_ask(s, verb, NULL), *messages = json_get_array(o, "messages");
	size_t count = 0;

	for (size_t i = 0; messages && i < json_object_array_length(messages); i++) {
		struct json_object *m = json_object_array_get_idx(messages, i);
		const char *text = json_get_str(m, "text");

		count += json_get_bool(m, "bot", false) && !(text && strstr(text, WELCOME));
	}
	json_object_put(o);
	free(name);
	free(verb);
	return count;
}

int64_t stage_now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static struct json_object *newest(struct json_object *records)
{
	struct json_object *array = json_get_array(records, "requests");
	size_t n = array ? json_object_array_length(array) : 0;

	return n > 0 ? json_object_array_get_idx(array, n - 1) : NULL;
}

/* A method may have blanks in it. */
static char *requests_since(const struct stage *s, const char *method)
{
	struct buf verb = BUF_INIT;

	buf_addf(&verb, "requests?platform=%s&after=%" PRId64, s->platform->name, s->seen);
	if (method)
		buf_addstr(&verb, "&method=");
	for (; method && *method != '\0'; method++)
		buf_addch(&verb, *method == ' ' ? '+' : *method);
	return buf_take(&verb);
}

/* The welcome of a new private chat is no answer. */
static void leave_out_welcomes(struct json_object *records)
{
	struct json_object *list = json_get_array(records, "requests");

	for (size_t i = list ? json_object_array_length(list) : 0; i-- > 0;)
		if (strstr(json_object_to_json_string(json_object_array_get_idx(list, i)), WELCOME))
			json_object_array_del_idx(list, i, 1);
}

struct json_object *stage_sent(struct stage *s, const char *method)
{
	char *verb = requests_since(s, method);
	struct json_object *records = stage_ask(s, verb, NULL);

	free(verb);
	leave_out_welcomes(records);
	return records;
}

void stage_mark(struct stage *s)
{
	char *verb = requests_since(s, NULL);
	struct json_object *records = stage_ask(s, verb, NULL);

	s->seen = json_get_int(newest(records), "n", s->seen);
	json_object_put(records);
	free(verb);
}

struct json_object *stage_last_asked(struct stage *s)
{
	char *verb = xasprintf("model?after=%" PRId64, s->asked);
	struct json_object *records = stage_ask(s, verb, NULL), *last = json_object_get(newest(records));

	if (!last)
		bench_die("the bot did not ask the model: see %s/log", s->o->dir);
	s->asked = json_get_int(last, "n", 0);
	json_object_put(records);
	free(verb);
	return last;
}

struct json_object *stage_await_sent(struct stage *s, size_t count, double every_ms, double max_ms)
{
	double until = bench_now_ms() + max_ms;

	for (;;) {
		struct json_object *records = stage_sent(s, s->platform->send),
				   *array = json_get_array(records, "requests");
		size_t n = json_object_array_length(array);

		if (n == count)
			return records;
		if (n > count)
			bench_die("the bot sent %zu messages, not %zu", n, count);
		if (bench_now_ms() > until)
			bench_die("the bot sent %zu of %zu messages within %.0f ms: see %s/log", n, count,
			    max_ms, s->o->dir);
		json_object_put(records);
		bench_sleep_ms(every_ms);
	}
}

void stage_await_quiet(const struct stage *s)
{
	double until = bench_now_ms() + UNQUIET_MS, before, now = 0;

	do {
		before = now;
		bench_sleep_ms(QUIET_MS);
		now = bench_cpu_ms(s->playground) + bench_cpu_ms(s->bot);
	} while (now > before + QUIET_MS * QUIET_SHARE && bench_now_ms() < until);
}

pid_t stage_start_libraries(const struct bench_options *o)
{
	char *path = program("tests/bench/libraries"), byte;
	int out[2];
	pid_t pid;

	if (pipe(out) != 0 || (pid = fork()) < 0)
		bench_die("cannot start %s", path);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], 1);
		execl(path, path, o->dir, (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	if (read(out[0], &byte, 1) != 1)
		bench_die("%s did not start", path);
	close(out[0]);
	free(path);
	return pid;
}

void stage_end_libraries(pid_t pid)
{
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}
