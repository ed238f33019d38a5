#include "tools/mcp/peer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "config.h"
#include "net/http/http.h"
#include "tools/mcp/json_repair.h"

/* JSON-RPC 2.0, "Error object". */
#define METHOD_NOT_FOUND (-32601)
#define INVALID_PARAMS   (-32602)
/* Bytes of a message in the log. */
#define SHOWN_MAX 200
/* Questions of a server that wait for one another. */
#define QUESTIONS_MAX 5

/* A task that waits for an answer; on its own stack. */
struct waiting {
	struct list link;
	struct task *task;
	int64_t id;
	uint64_t due, hard_due, timeout_ms;
	struct mcp_answer *out;
	const struct mcp_request *req;
	struct list questions;
	unsigned question_count;
	bool done;
};

/* A question of the server, for the task that waits for the answer to its call. */
struct question {
	struct list link;
	struct json_object *id, *params;
	bool over; /* the server no longer waits */
};

void mcp_peer_init(struct mcp_peer *p, const char *log)
{
	*p = (struct mcp_peer){.log = log};
	list_init(&p->waiting);
}

void mcp_answer_clear(struct mcp_answer *a)
{
	json_object_put(a->result);
	json_object_put(a->data);
	free(a->message);
	*a = (struct mcp_answer){0};
}

static struct waiting *find(const struct mcp_peer *p, int64_t id)
{
	for (const struct list *l = p->waiting.next; l != &p->waiting; l = l->next) {
		struct waiting *w = list_entry(l, struct waiting, link);
		if (w->id == id)
			return w;
	}
	return NULL;
}

bool mcp_peer_waits(const struct mcp_peer *p, int64_t id)
{
	return find(p, id);
}

static void finish(struct waiting *w, enum mcp_outcome outcome)
{
	list_remove(&w->link);
	w->out->outcome = outcome;
	w->done = true;
	list_each(&w->questions, link, next)
		list_entry(link, struct question, link)->over = true;
	task_wake(w->task);
}

void mcp_peer_failed(struct mcp_peer *p, int64_t id, enum mcp_outcome outcome, const struct error *err)
{
	struct waiting *w = find(p, id);

	if (!w)
		return;
	w->out->err = *err;
	finish(w, outcome);
}

void mcp_peer_lost(struct mcp_peer *p, const struct error *err)
{
	if (p->lost)
		return;
	p->lost = true;
	p->why = *err;
	p->why.uncertain = false;
	list_each(&p->waiting, link, next)
		mcp_peer_failed(p, list_entry(link, struct waiting, link)->id, MCP_LOST, err);
	if (p->on_lost)
		p->on_lost(p->arg);
}

static void send_object(struct mcp_peer *p, struct json_object *message, struct mcp_outgoing *out)
{
	struct buf text = BUF_INIT;

	json_write(&text, message);
	json_object_put(message);
	out->len = text.len;
	out->text = buf_take(&text);
	if (p->lost || !p->link)
		free(out->text);
	else
		p->sender->send(p->link, out);
	out->text = NULL;
}

static struct json_object *message_new(const char *method, struct json_object *params)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "jsonrpc", "2.0");
	json_set_str(o, "method", method);
	if (params)
		json_set(o, "params", params);
	return o;
}

void mcp_peer_notify(struct mcp_peer *p, const char *method, struct json_object *params)
{
	struct mcp_outgoing out = {.method = method};

	send_object(p, message_new(method, params), &out);
}

struct json_object *mcp_capabilities(const struct mcp_peer *p, bool person)
{
	struct json_object *o = json_object_new_object(), *modes;

	if (p->root)
		json_set(o, "roots", json_object_new_object());
	if (person) {
		modes = json_object_new_object();
		json_set(modes, "form", json_object_new_object());
		json_set(modes, "url", json_object_new_object());
		json_set(o, "elicitation", modes);
	}
	return o;
}

/* Adds what every modern request says about the client (MCP 2026-07-28, "Request metadata"). */
static void add_meta(const struct mcp_peer *p, struct json_object *meta, bool person)
{
	struct json_object *info = json_object_new_object();

	json_set_str(info, "name", "myna");
	json_set_str(info, "version", PACKAGE_VERSION);
	json_set_str(meta, "io.modelcontextprotocol/protocolVersion", MCP_MODERN);
	json_set(meta, "io.modelcontextprotocol/clientCapabilities", mcp_capabilities(p, person));
	json_set(meta, "io.modelcontextprotocol/clientInfo", info);
}

static void send_request(struct mcp_peer *p, struct mcp_request *req, int64_t id)
{
	struct json_object *params = req->params ? req->params : json_object_new_object();
	struct json_object *meta = json_object_new_object();
	struct json_object *message = message_new(req->method, params);
	struct mcp_outgoing out = {.id = id,
	    .method = req->method,
	    .name = req->name,
	    .headers = req->headers,
	    .elicit_ms = req->elicit_ms};

	req->params = NULL;
	if (p->modern || req->modern)
		add_meta(p, meta, !req->no_person);
	if (req->progress)
		json_set_int(meta, "progressToken", id);
	if (json_object_object_length(meta) > 0)
		json_set(params, "_meta", meta);
	else
		json_object_put(meta);
	json_set_int(message, "id", id);
	send_object(p, message, &out);
}

/* Cancels a request that no task waits for any more. Notifies the server, unless closing the connection
 * does. */
static void give_up(struct mcp_peer *p, const struct mcp_request *req, int64_t id, const char *reason)
{
	struct json_object *params;

	if (p->lost)
		return;
	if (!req->no_cancel && !((p->modern || req->modern) && p->sender->closing_cancels)) {
		params = json_object_new_object();
		json_set_int(params, "requestId", id);
		json_set_str(params, "reason", reason);
		mcp_peer_notify(p, "notifications/cancelled", params);
	}
	p->sender->forget(p->link, id);
}

/* error: its code; result NULL. */
static void reply(
    struct mcp_peer *p, struct json_object *id, struct json_object *result, int error, const char *refusal)
{
	struct json_object *o = json_object_new_object(), *object;
	struct mcp_outgoing out = {0};

	json_set_str(o, "jsonrpc", "2.0");
	json_set(o, "id", json_object_get(id));
	if (result) {
		json_set(o, "result", result);
	} else {
		object = json_object_new_object();
		json_set_int(object, "code", error);
		json_set_str(object, "message", refusal);
		json_set(o, "error", object);
	}
	send_object(p, o, &out);
}

static void question_free(struct question *q)
{
	list_remove(&q->link);
	json_object_put(q->id);
	json_object_put(q->params);
	free(q);
}

/* Answers the server's first question. The time limit of its call does not run meanwhile. */
static void answer_question(struct task *t, struct mcp_peer *p, struct waiting *w)
{
	struct question *q = list_entry(w->questions.next, struct question, link);
	uint64_t began = clock_now(), spent;

	if (!q->over) {
		struct json_object *result = w->req->elicit(t, w->req->arg, q->params, &q->over);
		if (q->over)
			json_object_put(result);
		else
			reply(p, q->id, result, INVALID_PARAMS, "Invalid params");
	}
	spent = clock_now() - began;
	w->due += spent;
	w->hard_due += spent;
	question_free(q);
	w->question_count--;
}

static void await_answer(struct task *t, struct mcp_peer *p, const struct mcp_request *req, struct waiting *w)
{
	while (!w->done) {
		if (!list_is_empty(&w->questions)) {
			answer_question(t, p, w);
			continue;
		}
		int rc = task_wait_until(t, w->due, &w->out->err);
		if (w->done || rc == 0 || !list_is_empty(&w->questions))
			continue;
		list_remove(&w->link);
		w->out->outcome = rc < 0 ? MCP_STOPPED : MCP_TIMED_OUT;
		if (rc > 0)
			error_set(&w->out->err, ERROR_NETWORK, "no answer to %s for %" PRIu64 " s",
			    req->method, w->timeout_ms / 1000);
		give_up(p, req, w->id, rc < 0 ? "stopped" : "timeout");
		return;
	}
}

static uint64_t due_in(uint64_t ms)
{
	return ms == MCP_NO_TIMEOUT ? UINT64_MAX : clock_now() + ms;
}

void mcp_peer_ask(struct task *t, struct mcp_peer *p, struct mcp_request *req, struct mcp_answer *out)
{
	struct waiting w = {.task = t,
	    .id = ++p->last_id,
	    .due = due_in(req->timeout_ms),
	    .timeout_ms = req->timeout_ms,
	    .hard_due = due_in(req->timeout_ms < MCP_CALL_MAX_MS ? MCP_CALL_MAX_MS : req->timeout_ms),
	    .out = out,
	    .req = req};

	*out = (struct mcp_answer){0};
	if (p->lost || task_check(t, &out->err) < 0) {
		out->outcome = p->lost ? MCP_LOST : MCP_STOPPED;
		if (p->lost)
			out->err = p->why;
		json_object_put(req->params);
		req->params = NULL;
		return;
	}
	list_init(&w.questions);
	list_append(&p->waiting, &w.link);
	send_request(p, req, w.id);
	await_answer(t, p, req, &w);
	list_each(&w.questions, link, next)
		question_free(list_entry(link, struct question, link));
}

static struct json_object *answer_ping(const struct mcp_peer *p)
{
	(void)p;
	return json_object_new_object();
}

/* The folder as a URI of a file. */
static struct json_object *root_new(const char *folder)
{
	struct json_object *o = json_object_new_object();
	struct buf uri = BUF_INIT;

	buf_addstr(&uri, "file://");
	for (size_t len; *folder; folder += len) {
		len = strspn(folder, "/");
		buf_add(&uri, folder, len);
		folder += len;
		len = strcspn(folder, "/");
		http_url_encode(&uri, folder, len);
	}
	json_set_str(o, "uri", uri.data);
	json_set_str(o, "name", "files");
	buf_clear(&uri);
	return o;
}

struct json_object *mcp_peer_roots(const struct mcp_peer *p)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	if (p->root)
		json_object_array_add(list, root_new(p->root));
	json_set(o, "roots", list);
	return o;
}

/* Requests that a server may send besides elicitation/create. */
static const struct {
	const char *method;
	struct json_object *(*answer)(const struct mcp_peer *p);
} served[] = {
    {"ping", answer_ping},
    {"roots/list", mcp_peer_roots},
};

/* The call that a question belongs to: that of its stream, else the only one that runs. NULL with *many: it
 * is not known which, and the wrong person must not be asked. */
static struct waiting *asker(const struct mcp_peer *p, int64_t about, bool *many)
{
	struct waiting *found = about != 0 ? find(p, about) : NULL;
	size_t n = 0;

	if (about == 0) {
		for (const struct list *l = p->waiting.next; l != &p->waiting; l = l->next) {
			struct waiting *w = list_entry(l, struct waiting, link);
			if (w->req->elicit) {
				found = w;
				n++;
			}
		}
	}
	*many = n > 1;
	return n > 1 || !found || !found->req->elicit ? NULL : found;
}

static void take_question(
    struct mcp_peer *p, int64_t about, struct json_object *id, struct json_object *params)
{
	struct json_object *refusal;
	struct question *q;
	bool many;
	struct waiting *w = asker(p, about, &many);

	if (w && w->question_count < QUESTIONS_MAX) {
		w->question_count++;
		q = xcalloc(1, sizeof(*q));
		q->id = json_object_get(id);
		q->params = json_object_get(params);
		list_append(&w->questions, &q->link);
		task_wake(w->task);
		return;
	}
	if (many)
		log_warn(
		    p->log, "asks a person while several calls run, and does not say for which: cancelled");
	refusal = json_object_new_object();
	json_set_str(refusal, "action", many || w ? "cancel" : "decline");
	reply(p, id, refusal, 0, NULL);
}

static void take_request(
    struct mcp_peer *p, int64_t about, const char *method, struct json_object *id, struct json_object *params)
{
	struct json_object *result = NULL;

	/* A modern client never answers (MCP 2026-07-28, "Base protocol"). */
	if (p->modern)
		return;
	if (strcmp(method, "elicitation/create") == 0) {
		take_question(p, about, id, params);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(served); i++)
		if (strcmp(served[i].method, method) == 0)
			result = served[i].answer(p);
	reply(p, id, result, METHOD_NOT_FOUND, "Method not found");
}

static void take_progress(struct mcp_peer *p, struct json_object *params)
{
	struct waiting *w = find(p, json_get_int(params, "progressToken", 0));

	if (!w || w->timeout_ms == MCP_NO_TIMEOUT)
		return;
	w->due = clock_now() + w->timeout_ms;
	if (w->due > w->hard_due)
		w->due = w->hard_due;
	task_wake(w->task);
}

/* The server withdraws a question. */
static void take_cancelled(struct mcp_peer *p, struct json_object *id)
{
	list_each(&p->waiting, link, next) {
		struct waiting *w = list_entry(link, struct waiting, link);
		list_each(&w->questions, it, tmp) {
			struct question *q = list_entry(it, struct question, link);
			if (!id || !json_object_equal(q->id, id))
				continue;
			q->over = true;
			task_wake(w->task);
		}
	}
}

static void take_notification(struct mcp_peer *p, const char *method, struct json_object *params)
{
	if (strcmp(method, "notifications/tools/list_changed") == 0 && p->tools_changed)
		p->tools_changed(p->arg);
	else if (strcmp(method, "notifications/progress") == 0)
		take_progress(p, params);
	else if (strcmp(method, "notifications/cancelled") == 0)
		take_cancelled(p, json_get(params, "requestId"));
}

static void take_error(struct waiting *w, struct json_object *error)
{
	const char *message = json_get_str(error, "message");

	w->out->number = json_get_int(error, "code", 0);
	w->out->message = xstrdup(message ? message : "without a word");
	w->out->data = json_object_get(json_get(error, "data"));
	finish(w, MCP_ERROR);
}

static int take_answer(struct mcp_peer *p, struct json_object *message)
{
	struct json_object *result = json_get_object(message, "result"),
			   *error = json_get_object(message, "error");
	struct waiting *w = find(p, json_get_int(message, "id", 0));

	if (!result && !error)
		return -1;
	/* The answer is late, duplicate or invented. */
	if (!w)
		return 0;
	if (error) {
		take_error(w, error);
		return 0;
	}
	w->out->result = json_object_get(result);
	finish(w, MCP_ANSWERED);
	return 0;
}

static int take_message(struct mcp_peer *p, int64_t about, struct json_object *message)
{
	const char *method = json_get_str(message, "method");
	struct json_object *id = json_get(message, "id");

	if (!method)
		return take_answer(p, message);
	if (id)
		take_request(p, about, method, id, json_get_object(message, "params"));
	else
		take_notification(p, method, json_get_object(message, "params"));
	return 0;
}

static struct json_object *parse(const char *text, size_t len, struct error *err)
{
	struct json_object *message = json_parse_foreign(text, len, err);
	struct buf mended = BUF_INIT;

	if (message || len == 0 || *text != '{')
		return message;
	mcp_json_repair(&mended, text, len);
	message = json_parse_foreign(mended.data, mended.len, err);
	buf_clear(&mended);
	return message;
}

int mcp_peer_take(struct mcp_peer *p, int64_t id, const char *text, size_t len)
{
	struct error err = {0};
	struct json_object *message = parse(text, len, &err);
	int rc = message ? take_message(p, id, message) : -1;

	json_object_put(message);
	if (rc < 0 && p->invalid_count++ < 10)
		log_warn(p->log, "sent what is no message (%s): \"%.*s\"",
		    message ? "neither result nor error" : err.text, (int)(len < SHOWN_MAX ? len : SHOWN_MAX),
		    text);
	return rc;
}

bool mcp_peer_take_error(struct mcp_peer *p, int64_t id, const char *text, size_t len)
{
	struct json_object *message = json_parse_foreign(text, len, NULL),
			   *error = json_get_object(message, "error");
	struct waiting *w = find(p, id);
	bool is_error = error && json_get(error, "code");

	if (is_error && w)
		take_error(w, error);
	json_object_put(message);
	return is_error;
}
