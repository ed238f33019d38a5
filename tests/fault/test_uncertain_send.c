/*
 * Slack and Discord tell what became of a send that was cut off: Slack by our id in a message's metadata,
 * Discord by taking a nonce once. Wherever the connection breaks, a text is there exactly once in the end,
 * known to be sent, and not marked. A sample of all bytes; MYNA_FAULT_STEP=1: every one.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/journal_memory.h"
#include "channels/discord/discord.h"
#include "channels/discord/settings.h"
#include "channels/slack/settings.h"
#include "channels/slack/slack.h"
#include "flow/time_skip.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "tests/fault/proxy.h"
#include "tests/lib/sample.h"
#include "tests/lib/client.h"

/* By a clock that runs some 60 times as fast while nothing happens here: the playground is a process of its
 * own, and works by the real one. */
#define PATIENCE_MS (3600 * 1000)
#define PACE_MS     60
#define AHEAD_MS    (2 * 3600 * 1000)
/* Bytes between two points of a sample. */
#define SAMPLE_STEP 41

struct side {
	const char *name, *path, *user;
	const char *method; /* the last part of the path of a send */
	const struct channel_ops *ops;
	int (*start)(struct channel *ch, const void *settings, struct error *err);
	void *settings;
	char **api_base; /* in settings */
};

static char no_command[1];
static struct slack_settings slack = {
    .bot_token = "xoxb-1-2-fault", .app_token = "xapp-1-A1-2-fault", .command = no_command};
static struct discord_settings discord = {
    .token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.faultTestTokenOfTheFaultTest0123456", .rate_global = 1000};
static struct slack_limits slack_quick;
static struct discord_limits discord_quick;

static int start_slack(struct channel *ch, const void *settings, struct error *err)
{
	slack_quick = slack_limits;
	slack_quick.retry_ms = 1;
	slack_quick.retry_max_ms = 20;
	slack_quick.settle_ms = 10;
	return slack_start_with(ch, settings, &slack_quick, err);
}

static int start_discord(struct channel *ch, const void *settings, struct error *err)
{
	discord_quick = discord_limits;
	discord_quick.retry_ms = 1;
	discord_quick.retry_max_ms = 20;
	return discord_start_with(ch, settings, &discord_quick, err);
}

static const struct side slack_side = {.name = "slack",
    .path = "/slack/api",
    .user = "U0ANN00001",
    .method = "chat.postMessage",
    .ops = &slack_ops,
    .start = start_slack,
    .settings = &slack,
    .api_base = &slack.api_base};
static const struct side discord_side = {.name = "discord",
    .path = "/discord/api/v10",
    .user = "77",
    .method = "messages",
    .ops = &discord_ops,
    .start = start_discord,
    .settings = &discord,
    .api_base = &discord.api_base};

/* One text, and what became of it. */
struct point {
	char what[80];
	enum outbound_kind kind;
	enum outbound_state state;
	bool marked, confirmed;
	unsigned attempts;
	size_t copies;
	char platform_id[32];
};

static struct rig {
	const struct side *side;
	struct client_program playground;
	struct proxy *proxy;
	struct bus *bus;
	struct channel *channel;
	struct address chat; /* where the person wrote from */
	size_t received;
	struct point *points;
	size_t count, seen; /* up to which they were looked for */
	char chat_id[32];
	size_t wrong;
} r;

#define until(t, condition)                                                        \
	do {                                                                       \
		for (uint64_t due = clock_now() + PATIENCE_MS; !(condition);) {    \
			must(clock_now() < due, "%s never came true", #condition); \
			task_sleep(t, 1, NULL);                                    \
		}                                                                  \
	} while (0)

/* In a task no assertion of cmocka's may fail: it would jump out of the task's stack. */
#define must(condition, ...)                      \
	do {                                      \
		if (!(condition)) {               \
			printf("# " __VA_ARGS__); \
			printf("\n");             \
			fflush(stdout);           \
			_exit(1);                 \
		}                                 \
	} while (0)

static void on_received(void *arg, struct message *m)
{
	(void)arg;
	r.chat = m->from;
	r.received++;
	message_free(m);
}

static void say_hello(void)
{
	char *url = xasprintf("%s/control/say", r.playground.url);
	struct json_object *o = client_post(url, 200,
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"kind\":\"private\",\"text\":\"hello\"}",
	    r.side->name, strcmp(r.side->name, "slack") == 0 ? "D0ANN00001" : r.side->user, r.side->user);

	str_copy(r.chat_id, sizeof(r.chat_id), json_get_str(o, "chat_id"));
	json_object_put(o);
	free(url);
}

static void note_end(struct point *p, const struct outbound *row)
{
	p->state = row->state;
	p->marked = row->repeat;
	p->attempts = row->attempts;
	if (row->platform_id)
		str_copy(p->platform_id, sizeof(p->platform_id), row->platform_id);
}

/* Sends a text, with a fault or without, and waits for its end. */
static void send_one(
    struct task *t, enum outbound_kind kind, const struct proxy_fault *fault, const char *what)
{
	struct point p = {.kind = kind};
	struct proxy_fault own;
	struct outbound **rows, *row;
	struct error err = {0};
	char text[16];
	size_t parts;

	/* Our wall clock is wrong, but does not run away from the platform's, by which Slack's messages are
	 * looked for. */
	clock_fake((int64_t)time(NULL) * 1000 + AHEAD_MS, r.count);
	snprintf(text, sizeof(text), "P%05zu.", r.count);
	str_copy(p.what, sizeof(p.what), what);
	if (fault) {
		own = *fault;
		own.holds = text;
		proxy_add(r.proxy, &own);
	}
	rows = bus_rows(r.bus, &r.chat, kind, text, NULL, NULL, 0, &parts, &err);
	must(rows && parts == 1 && bus_send(t, r.bus, rows, parts, &err) == 0, "%s", err.text);
	row = bus_await(t, r.bus, rows[0]->id, PATIENCE_MS, &err);
	must(row, "%s: %s", what, err.text);
	note_end(&p, row);
	outbound_free(row);
	bus_rows_free(rows, parts);
	proxy_forget_faults(r.proxy);
	r.points = xrealloc(r.points, (r.count + 1) * sizeof(p));
	r.points[r.count++] = p;
}

/* A cut at each byte, until the exchange ends before it. first: where a sample begins. */
static void sweep(
    struct task *t, enum outbound_kind kind, enum proxy_side side, bool reset, bool used, size_t first)
{
	size_t step = sample_step(1, SAMPLE_STEP), at = first % step, struck;
	char what[80];

	do {
		struct proxy_fault cut = {.method = r.side->method, .side = side, .at = at, .reset = reset};

		snprintf(what, sizeof(what), "%s in the %s on %s connection after %zu bytes",
		    reset ? "RST" : "FIN", side == PROXY_REQUEST ? "request" : "answer",
		    used ? "a used" : "a new", at);
		proxy_drop_idle(r.proxy, false);
		if (used)
			send_one(t, kind, NULL, "nothing");
		struck = proxy_struck(r.proxy);
		send_one(t, kind, &cut, what);
		at += step;
	} while (proxy_struck(r.proxy) > struck);
	must(at > 200, "even the shortest request or answer has more than %zu bytes", at);
}

static void count_copy(struct json_object *m)
{
	const char *text = json_get_str(m, "text"), *found = strstr(text, "P0");
	struct point *p;
	size_t n;

	if (!json_get_bool(m, "bot", false) || !found || sscanf(found, "P%5zu.", &n) != 1)
		return;
	must(n < r.count, "%s was never sent", text);
	if (n < r.seen)
		return;
	p = &r.points[n];
	p->copies++;
	p->marked |= strstr(text, "repeat") != NULL;
	p->confirmed |= strcmp(json_get_str(m, "id"), p->platform_id) == 0;
}

/* After each sweep: the platform does not keep the messages of all. */
static void read_transcript(void)
{
	char *url =
	    xasprintf("%s/control/transcript?platform=%s&chat=%s", r.playground.url, r.side->name, r.chat_id);
	struct json_object *o = client_get(url, 200), *messages = json_get_array(o, "messages");

	for (size_t i = 0; i < json_object_array_length(messages); i++)
		count_copy(json_object_array_get_idx(messages, i));
	json_object_put(o);
	free(url);
	r.seen = r.count;
}

static void judge(void)
{
	size_t doubled = 0, lost = 0, marked = 0, untrue = 0, attempts = 0;

	for (size_t i = 0; i < r.count; i++) {
		const struct point *p = &r.points[i];
		bool wrong = p->copies != 1 || p->marked || p->state != OUTBOUND_SENT || !p->confirmed;

		doubled += p->copies > 1;
		lost += p->copies == 0;
		marked += p->marked;
		untrue += p->state != OUTBOUND_SENT || !p->confirmed;
		attempts += p->attempts;
		r.wrong += wrong;
		if (wrong && r.wrong <= 10)
			printf("# wrong: %s: %s after %u attempts, %zu copies%s\n", p->what,
			    outbound_state_name(p->state), p->attempts, p->copies,
			    p->marked ? ", marked" : "");
	}
	printf("# %s: points %zu, faults %zu, attempts %zu, wrong retries %zu (sent twice %zu, lost %zu, "
	       "marked %zu, ledger untrue %zu)\n",
	    r.side->name, r.count, proxy_struck(r.proxy), attempts, r.wrong, doubled, lost, marked, untrue);
}

static void body(struct task *t, void *arg)
{
	struct journal_memory *memory = journal_memory_new();
	struct bus_handler handler = {.received = on_received};
	struct journal journal = journal_memory_face(memory);
	struct error err = {0};

	(void)arg;
	r.bus = bus_new(&journal, &handler);
	r.channel = bus_add_channel(r.bus, "main", r.side->ops, r.side->settings);
	must(r.side->start(r.channel, r.side->settings, &err) == 0, "%s", err.text);
	until(t, r.channel->status == CHANNEL_READY);
	say_hello();
	until(t, r.received > 0);
	for (size_t i = 0; i < 16; i++) {
		sweep(t, i & 1 ? OUTBOUND_NOTIFICATION : OUTBOUND_REPLY, i & 2 ? PROXY_ANSWER : PROXY_REQUEST,
		    i & 4, i & 8, i * SAMPLE_STEP / 16);
		read_transcript();
	}
	judge();
	bus_free(t, r.bus);
	journal_memory_free(memory);
	proxy_free(t, r.proxy);
}

static void run(const struct side *side)
{
	static char path[512];
	const char *build = getenv("MYNA_BUILD");

	r = (struct rig){.side = side};
	loop_init();
	time_skip_start(clock_wall() + AHEAD_MS, 1, PACE_MS);
	log_setup(getenv("MYNA_FAULT_LOG") ? LOG_LEVEL_DEBUG : LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	snprintf(path, sizeof(path), "%s/myna-playground", build ? build : ".");
	client_start(
	    &r.playground, (const char *const[]){path, "--listen", "127.0.0.1:0", "--no-limits", NULL});
	r.proxy = proxy_new(r.playground.url);
	*side->api_base = xasprintf("%s%s", proxy_url(r.proxy), side->path);
	task_run("rig", body, NULL);
	http_finish();
	time_skip_stop();
	secret_forget_all();
	loop_finish();
	assert_int_equal(client_stop(&r.playground, SIGTERM), 0);
	free(*side->api_base);
	free(r.points);
	assert_int_equal(task_count(), 0);
	assert_int_equal(r.wrong, 0);
}

static void a_text_to_slack_is_there_once_wherever_it_was_cut(void **state)
{
	(void)state;
	run(&slack_side);
}

static void a_text_to_discord_is_there_once_wherever_it_was_cut(void **state)
{
	(void)state;
	run(&discord_side);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_to_discord_is_there_once_wherever_it_was_cut),
	    cmocka_unit_test(a_text_to_slack_is_there_once_wherever_it_was_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
