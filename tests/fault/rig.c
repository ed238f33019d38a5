#include "tests/fault/rig.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "lib/fake_channel.h"
#include "lib/journal_memory.h"
#include "channels/telegram/telegram.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "store/store.h"
#include "tests/lib/until.h"

#define PERSON "\"platform\":\"telegram\",\"chat\":\"" RIG_CHAT "\",\"user\":\"" RIG_CHAT "\""
#define TOKEN  "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

/* The one that runs: channel_ops.start has no argument for it. */
static struct rig *rig;
static struct channel_ops ops;

static char **split(const char *text)
{
	return strchr(text, '|') ? fake_channel_split(text) : telegram_ops.split(text);
}

static int start(struct channel *ch, const void *settings, struct error *err)
{
	return telegram_start_with(ch, settings, &rig->limits, err);
}

static void on_received(void *arg, struct message *m)
{
	struct rig *r = arg;

	buf_addf(&r->received, "%s\n", m->text);
	r->received_count++;
	if (m->kind == MESSAGE_PRESS)
		r->channel->ops->answer_press(r->channel, m, NULL);
	message_free(m);
	if (r->waiting)
		task_wake(r->waiting);
}

static struct journal open_journal(struct task *t, struct rig *r, enum rig_journal journal)
{
	struct error err = {0};

	if (journal == RIG_MEMORY) {
		r->memory = journal_memory_new();
		return journal_memory_face(r->memory);
	}
	str_copy(r->dir, sizeof(r->dir), "/tmp/myna-fault-XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	r->store = store_open(t, &(struct store_options){.dir = r->dir}, &err);
	if (!r->store)
		fail_msg("%s", err.text);
	return store_journal(r->store);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status, (void)kind, (void)where;
	return remove(path);
}

static void close_journal(struct task *t, struct rig *r)
{
	journal_memory_free(r->memory);
	if (!r->store)
		return;
	store_close(t, r->store);
	nftw(r->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void rig_init(struct rig *r)
{
	static char path[512];
	const char *build = getenv("MYNA_BUILD");
	struct error err = {0};

	snprintf(path, sizeof(path), "%s/myna-playground", build ? build : ".");
	client_start(
	    &r->playground, (const char *const[]){path, "--listen", "127.0.0.1:0", "--no-limits", NULL});
	r->proxy = proxy_new(r->playground.url);
	r->settings = (struct telegram_settings){.token = TOKEN,
	    .poll_timeout_ms = 50000,
	    .api_base = xasprintf("%s/telegram", proxy_url(r->proxy))};
	r->limits = telegram_limits;
	r->limits.retry_ms = 1;
	r->limits.retry_max_ms = 20;
	r->limits.conflict_ms = r->limits.conflict_max_ms = 20;
	assert_int_equal(address_set(&r->chat, "main", RIG_CHAT, NULL, &err), 0);
	buf_init(&r->received);
	ops = telegram_ops;
	ops.start = start;
	ops.split = split;
}

struct run {
	struct rig *rig;
	enum rig_journal journal;
	void (*body)(struct task *t, struct rig *r);
};

static void run_task(struct task *t, void *arg)
{
	struct run *run = arg;
	struct rig *r = run->rig;
	struct bus_handler handler = {.received = on_received, .arg = r};
	struct journal journal = open_journal(t, r, run->journal);

	r->bus = bus_new(&journal, &handler);
	bus_set_repeat(r->bus, 0);
	r->channel = bus_add_channel(r->bus, "main", &ops, &r->settings);
	run->body(t, r);
	bus_free(t, r->bus);
	close_journal(t, r);
	proxy_free(t, r->proxy);
}

void rig_run(enum rig_journal journal, void (*body)(struct task *t, struct rig *r))
{
	static struct rig one;
	struct run run = {.rig = &one, .journal = journal, .body = body};

	one = (struct rig){.received = BUF_INIT};
	rig = &one;
	loop_init();
	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	rig_init(rig);
	task_run("rig", run_task, &run);
	http_finish();
	secret_forget_all();
	loop_finish();
	assert_int_equal(client_stop(&rig->playground, SIGTERM), 0);
	free(rig->settings.api_base);
	buf_clear(&rig->received);
	assert_int_equal(task_count(), 0);
}

void rig_start(struct rig *r)
{
	struct error err = {0};

	if (ops.start(r->channel, &r->settings, &err) < 0)
		fail_msg("%s", err.text);
}

void rig_stop(struct task *t, struct rig *r)
{
	ops.stop(t, r->channel);
	channel_set_status(r->channel, CHANNEL_STARTING, "stopped by the test");
	http_finish();
}

void rig_say(struct rig *r, const char *text)
{
	char *url = xasprintf("%s/control/say", r->playground.url);

	json_object_put(client_post(url, 200, "{" PERSON ",\"text\":\"%s\"}", text));
	free(url);
}

void rig_press(struct rig *r)
{
	char *url = xasprintf("%s/control/press", r->playground.url);
	struct json_object *o = rig_call(r, "sendMessage",
	    "{\"chat_id\":" RIG_CHAT ",\"text\":\"Sure?\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":"
	    "\"Yes\",\"callback_data\":\"y\"}]]}}");

	json_object_put(client_post(url, 200, "{" PERSON ",\"message_id\":\"%s\",\"button\":\"y\"}",
	    client_at(o, "result.message_id")));
	json_object_put(o);
	free(url);
}

void rig_await(struct task *t, struct rig *r, size_t count)
{
	uint64_t due = clock_now() + RIG_PATIENCE_MS;

	r->waiting = t;
	while (r->received_count < count) {
		if (task_wait_until(t, due, NULL) == 1)
			fail_msg("%zu messages came in, and not %zu:\n%s", r->received_count, count,
			    r->received.data);
	}
	r->waiting = NULL;
}

static bool has_poll(const struct rig *r)
{
	const struct proxy_exchange *x = proxy_last(r->proxy, "getUpdates");

	return x && x->passed == x->request_len && x->answered == 0 && r->channel->status == CHANNEL_READY;
}

void rig_await_poll(struct task *t, struct rig *r)
{
	task_until(t, has_poll(r));
}

void rig_meet(struct task *t, struct rig *r)
{
	rig_start(r);
	rig_await_poll(t, r);
	rig_say(r, "hello");
	rig_await(t, r, r->received_count + 1);
	rig_await_poll(t, r);
}

void rig_send(
    struct task *t, struct rig *r, enum outbound_kind kind, const char *text, int64_t *ids, size_t count)
{
	struct error err = {0};
	size_t parts;
	struct outbound **rows = bus_rows(r->bus, &r->chat, kind, text, NULL, NULL, 0, &parts, &err);

	assert_non_null(rows);
	assert_int_equal(parts, count);
	if (bus_send(t, r->bus, rows, parts, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < count; i++)
		ids[i] = rows[i]->id;
	bus_rows_free(rows, parts);
}

struct outbound *rig_end_of(struct task *t, struct rig *r, int64_t id)
{
	struct error err = {0};
	struct outbound *row = bus_await(t, r->bus, id, RIG_PATIENCE_MS, &err);

	if (!row)
		fail_msg("%s", err.text);
	return row;
}

struct json_object *rig_call(struct rig *r, const char *method, const char *params)
{
	char *url = xasprintf("%s/telegram/bot" TOKEN "/%s", r->playground.url, method);
	struct json_object *o = client_post(url, 200, "%s", params);

	free(url);
	return o;
}

struct json_object *rig_get(struct rig *r, const char *what)
{
	char *url = xasprintf("%s/control/%s", r->playground.url, what);
	struct json_object *o = client_get(url, 200);

	free(url);
	return o;
}
