#include "playground/control/events.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/task.h"
#include "net/server/server.h"
#include "playground/control/verbs.h"
#include "playground/gateway/daemon.h"
#include "playground/server/feed.h"
#include "playground/model/model.h"
#include "playground/platform.h"
#include "playground/playground.h"

#define BATCH_BYTES  (64 * 1024)
#define KEEPALIVE_MS 15000 /* proxies and browsers close silent connections */

static void add_place(const struct feed_mark *m, struct buf *out)
{
	if (m->platform)
		buf_addf(out, ",\"platform\":\"%s\"", m->platform);
	if (m->what)
		buf_addf(out, ",\"what\":\"%s\"", m->what);
}

static void add_chat(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	struct platform_instance *platform_instance = playground_platform(pg, m->platform);

	add_place(m, out);
	if (m->chat[0] != '\0') /* consists of digits, letters and punctuation that needs no escape */
		buf_addf(out, ",\"chat\":\"%s\"", m->chat);
	else
		buf_addstr(out, ",\"chat\":null");
	if (m->id[0] != '\0')
		buf_addf(out, ",\"id\":\"%s\"", m->id);
	if (m->chat[0] != '\0')
		platform_instance->platform->show(platform_instance->self, m, out);
}

static void add_model_request(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	(void)pg;
	add_place(m, out);
	buf_addf(out, ",\"method\":\"%s\"", m->id);
}

static void add_faults(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	add_place(m, out);
	buf_addch(out, ',');
	faults_write(&pg->faults, out);
}

static void add_request(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	const struct platform_instance *platform_instance = playground_platform(pg, m->platform);

	add_place(m, out);
	buf_addstr(out, ",\"request\":");
	if (record_log_write_one(platform_instance ? &platform_instance->log : model_log(pg->model), out,
		(uint64_t)m->number, true) != 0)
		buf_addstr(out, "null");
}

static void add_settings(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	(void)m;
	buf_addstr(out, ",\"settings\":");
	control_write_settings(pg, out);
}

static void add_text(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	(void)pg;
	buf_addf(out, ",\"%s\":%s", m->type == FEED_TRACE ? "trace" : "gateway", m->text);
}

static void add_nothing(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	(void)pg;
	add_place(m, out);
}

static const struct {
	const char *name;
	void (*add)(struct playground *pg, const struct feed_mark *m, struct buf *out);
} kinds[] = {
    [FEED_MODEL_REQUEST] = {"asked", add_model_request},
    [FEED_CHAT] = {"chat", add_chat},
    [FEED_DRAFT] = {"draft", add_chat},
    [FEED_FAULT] = {"fault", add_faults},
    [FEED_GATEWAY] = {"gateway", add_text},
    [FEED_MESSAGE] = {"message", add_chat},
    [FEED_REQUEST] = {"request", add_request},
    [FEED_RESET] = {"reset", add_nothing},
    [FEED_SETTINGS] = {"settings", add_settings},
    [FEED_TRACE] = {"trace", add_text},
    [FEED_TYPING] = {"typing", add_chat},
};

/* An event is one line of data: line ends between JSON tokens are only white space. */
static void end_event(struct buf *out, size_t from)
{
	for (size_t i = from; i < out->len; i++)
		if (out->data[i] == '\n' || out->data[i] == '\r')
			out->data[i] = ' ';
	buf_addstr(out, "\n\n");
}

static void add_event(struct playground *pg, const struct feed_mark *m, struct buf *out)
{
	size_t data;

	buf_addf(out, "id: %s.%" PRIu64 "\n", pg->feed.run, m->n);
	data = out->len;
	buf_addf(out, "data: {\"type\":\"%s\"", kinds[m->type].name);
	kinds[m->type].add(pg, m, out);
	buf_addch(out, '}');
	end_event(out, data);
}

/* Adds hello or reload, with the position at which the stream continues. */
static void add_sign(const struct feed *f, const char *type, const struct feed_reader *r, struct buf *out)
{
	buf_addf(out, "id: %s.%" PRIu64 "\ndata: {\"type\":\"%s\",\"id\":\"%s.%" PRIu64 "\"}\n\n", f->run,
	    r->next - 1, type, f->run, r->next - 1);
}

static bool is_of_gateway(const struct feed_mark *m)
{
	return m->type == FEED_GATEWAY || m->type == FEED_TRACE;
}

/* Collects the available events, up to one batch. */
static void collect(struct playground *pg, struct feed_reader *r, bool gateway, struct buf *out)
{
	const struct feed_mark *m;
	bool lost;

	while (out->len < BATCH_BYTES) {
		m = feed_take(&pg->feed, r, &lost);
		if (lost)
			add_sign(&pg->feed, "reload", r, out);
		if (!m)
			return;
		if ((!gateway || is_of_gateway(m)) && !feed_is_old(&pg->feed, m))
			add_event(pg, m, out);
	}
}

static void begin(struct playground *pg, struct server_request *req, struct feed_reader *r, struct buf *out)
{
	const char *after = server_header(req, "last-event-id");
	struct buf param = BUF_INIT;
	bool resumed = true;

	if (server_param(server_query(req), "after", &param))
		after = param.data;
	if (after && after[0] != '\0')
		resumed = feed_resume(&pg->feed, r, after);
	buf_addstr(out, "retry: 1000\n");
	add_sign(&pg->feed, "hello", r, out);
	if (!resumed)
		add_sign(&pg->feed, "reload", r, out);
	buf_clear(&param);
}

static void stream(
    struct task *t, struct playground *pg, struct server_request *req, struct feed_reader *r, bool gateway)
{
	struct buf out = BUF_INIT;
	int ret = 0;

	begin(pg, req, r, &out);
	while (ret >= 0) {
		collect(pg, r, gateway, &out);
		if (out.len == 0 && ret == 1)
			buf_addstr(&out, ": \n\n");
		ret = out.len > 0 ? server_stream_write(t, req, out.data, out.len, NULL) :
				    task_wait_until(t, clock_now() + KEEPALIVE_MS, NULL);
		buf_reset(&out);
	}
	buf_clear(&out);
}

void events_serve(struct task *t, struct playground *pg, struct server_request *req, int gateway)
{
	static const char full[] = "{\"ok\":false,\"error\":\"too many pages listen\"}";
	struct feed_reader reader;

	if (pg->feed.reader_count >= EVENTS_READERS_MAX) {
		server_respond(req, 503, "application/json", NULL, full, sizeof(full) - 1);
		return;
	}
	server_stream_begin(req, 200, "text/event-stream; charset=utf-8",
	    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n");
	feed_join(&pg->feed, &reader, t);
	daemon_watch(pg->daemon, true);
	stream(t, pg, req, &reader, gateway != 0);
	feed_leave(&pg->feed, &reader);
	daemon_watch(pg->daemon, pg->feed.reader_count > 0);
	server_stream_end(req);
}
