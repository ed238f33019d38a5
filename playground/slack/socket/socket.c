#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "net/server/server.h"
#include "playground/server/exchange.h"
#include "playground/server/request_log.h"
#include "playground/server/websocket.h"
#include "playground/slack/socket/socket.h"
#include "playground/slack/world/app.h"
#include "playground/world/json_members.h"

#define TICKET_MS   30000 /* Undocumented: chosen here; "once, at once" */
#define MESSAGE_MAX (1024 * 1024)
#define NEVER       UINT64_MAX
#define WARNING_MS  10000 /* a warning comes this long before a connection expires */
#define BAD_TICKET  408   /* Undocumented: what clients report for used or expired tickets */

struct slk_socket {
	struct list link;
	struct slk_app *app;
	struct websocket_peer *peer;
	bool ready;   /* its hello was sent */
	bool leaving; /* its disconnect was announced */
	uint64_t hello_due, ping_due, warning_due, end_due, close_due;
};

struct slk_ticket *slk_ticket_new(struct slk_app *a)
{
	struct slk_ticket *ticket = xcalloc(1, sizeof(*ticket));

	clock_random_hex(ticket->secret, 16);
	ticket->app = a;
	ticket->until_ms = clock_now() + TICKET_MS;
	list_append(&a->world->tickets, &ticket->link);
	return ticket;
}

static void drop_ticket(struct slk_ticket *ticket)
{
	list_remove(&ticket->link);
	free(ticket);
}

void slk_tickets_clear(struct slk_world *w)
{
	list_each_entry(&w->tickets, struct slk_ticket, entry, link)
		drop_ticket(entry);
}

/* Returns the app of the ticket, which is now used up; NULL when it is invalid. */
static struct slk_app *redeem(struct slk_world *w, const char *secret)
{
	struct slk_app *a = NULL;

	list_each_entry(&w->tickets, struct slk_ticket, ticket, link) {
		bool good = ticket->until_ms > clock_now(), same = strcmp(ticket->secret, secret) == 0;

		if (good && same)
			a = ticket->app;
		if (!good || same)
			drop_ticket(ticket);
	}
	return a;
}

struct slk_app *slk_socket_app(const struct slk_socket *s)
{
	return s->app;
}

size_t slk_socket_count(const struct slk_app *a)
{
	size_t n = 0;

	for (const struct list *it = a->sockets.next; it != &a->sockets; it = it->next)
		n++;
	return n;
}

/* Connections that are about to end are used only when there is no other. */
static size_t candidates(struct slk_app *a, bool leaving, struct slk_socket **out)
{
	size_t n = 0;

	list_each_entry(&a->sockets, struct slk_socket, s, link)
		if (s->ready && s->leaving == leaving && websocket_peer_is_open(s->peer) &&
		    n < SLK_SOCKETS_MAX)
			out[n++] = s;
	return n;
}

struct slk_socket *slk_socket_choose(struct slk_app *a)
{
	struct slk_socket *all[SLK_SOCKETS_MAX];
	size_t n = candidates(a, false, all);

	if (n == 0)
		n = candidates(a, true, all);
	return n > 0 ? all[a->turn++ % n] : NULL;
}

void slk_socket_post(struct slk_socket *s, const char *text, size_t len, bool event)
{
	struct slk_world *w = s->app->world;
	size_t frames = (size_t)w->set.fragments;

	/* If a connection has just ended, the acknowledgement will be missing. */
	if (event && websocket_peer_fault(s->peer, w->pg, "slack", &text, &len))
		return;
	if (frames > 1)
		websocket_peer_post_fragments(s->peer, text, len, frames, NULL);
	else
		websocket_peer_post(s->peer, text, len, NULL);
}

static void post_hello(struct slk_socket *s)
{
	struct buf out = BUF_INIT;

	buf_addf(&out,
	    "{\"type\":\"hello\",\"num_connections\":%zu,\"debug_info\":{\"host\":\"applink-playground\","
	    "\"build_number\":10,\"approximate_connection_time\":%" PRId64
	    "},\"connection_info\":{\"app_id\":\"%s\"}}",
	    slk_socket_count(s->app), s->app->world->set.connection_s, s->app->app_id);
	strict_judge_message(&s->app->world->pg->strict, "slack", "hello", out.data, out.len);
	slk_socket_post(s, out.data, out.len, false);
	s->ready = true;
	buf_clear(&out);
}

static void post_disconnect(struct slk_socket *s, const char *reason)
{
	struct buf out = BUF_INIT;

	buf_addf(&out,
	    "{\"type\":\"disconnect\",\"reason\":\"%s\",\"debug_info\":{\"host\":\"applink-playground\"}}",
	    reason);
	strict_judge_message(&s->app->world->pg->strict, "slack", "disconnect", out.data, out.len);
	slk_socket_post(s, out.data, out.len, false);
	s->leaving = true;
	buf_clear(&out);
}

static void close_in(struct slk_socket *s, int64_t ms)
{
	s->close_due = clock_now() + (uint64_t)ms;
	websocket_peer_wake(s->peer);
}

/* A client's message is recorded like a request; an acknowledgement began when its envelope was sent. */
static void hear(struct slk_socket *s, const struct buf *message)
{
	struct slk_world *w = s->app->world;
	int64_t now = clock_wall_us(), began = now;
	char *problem = slk_envelope_acknowledge(s, message->data, message->len, &began);
	struct buf body = BUF_INIT, problems = BUF_INIT;
	struct json_object *o = json_parse(message->data, message->len, NULL);

	if (o)
		json_write(&body, o);
	else
		json_quote(&body, message->data, message->len);
	if (problem)
		json_quote(&problems, problem, strlen(problem));
	record_log_add(w->log,
	    &(struct record){.began_us = began,
		.time_us = now,
		.platform = "slack",
		.method = xstrdup("socket.message"),
		.body = buf_take(&body),
		.problems = buf_take(&problems),
		.status = 101,
		.refused = problem});
	json_object_put(o);
	free(problem);
}

static uint64_t min_due(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t next_due(const struct slk_socket *s)
{
	uint64_t due = min_due(s->hello_due, s->ping_due);

	return min_due(due, min_due(s->warning_due, min_due(s->end_due, s->close_due)));
}

/* Is it due? If so, resets it. */
static bool take_due(uint64_t *due, uint64_t now)
{
	if (*due > now)
		return false;
	*due = NEVER;
	return true;
}

static void do_due(struct slk_socket *s)
{
	const struct slk_settings *set = &s->app->world->set;
	uint64_t now = clock_now();

	if (take_due(&s->hello_due, now))
		post_hello(s);
	if (take_due(&s->warning_due, now))
		post_disconnect(s, "warning");
	if (take_due(&s->end_due, now)) {
		post_disconnect(s, "refresh_requested");
		close_in(s, set->close_ms);
	}
	if (take_due(&s->close_due, now))
		websocket_peer_shut(s->peer, 1000, "");
	if (take_due(&s->ping_due, now)) {
		s->ping_due = now + (uint64_t)set->ping_ms;
		if (now - websocket_peer_last_ms(s->peer) > (uint64_t)set->pong_ms)
			websocket_peer_abort(s->peer);
		else
			websocket_peer_ping(s->peer, "Ping from applink-playground",
			    strlen("Ping from applink-playground"), NULL);
	}
}

static void begin(struct slk_socket *s)
{
	const struct slk_settings *set = &s->app->world->set;
	uint64_t now = clock_now(), life = (uint64_t)set->connection_s * 1000;

	s->ping_due = now + (uint64_t)set->ping_ms;
	s->hello_due = now + (uint64_t)set->hello_ms;
	s->end_due = now + life;
	s->warning_due = life > 2 * WARNING_MS ? s->end_due - WARNING_MS : NEVER;
	s->close_due = NEVER;
	if (s->app->next_action[0] != '\0' || slk_socket_count(s->app) > SLK_SOCKETS_MAX) {
		post_disconnect(
		    s, s->app->next_action[0] != '\0' ? s->app->next_action : "too_many_websockets");
		s->app->next_action[0] = '\0';
		s->hello_due = NEVER;
		s->close_due = now;
	}
}

static void run(struct task *t, struct slk_socket *s)
{
	struct buf message = BUF_INIT;
	uint64_t now, due;
	int got;

	begin(s);
	for (;;) {
		now = clock_now();
		due = next_due(s);
		got = due <= now ? 0 : websocket_peer_receive(t, s->peer, &message, due - now, NULL);
		if (got < 0)
			break;
		if (got > 0)
			hear(s, &message);
		do_due(s);
	}
	buf_clear(&message);
}

static void refuse(struct exchange *ex, int status)
{
	struct buf out = BUF_INIT;

	exchange_problem(ex, "the ticket is unknown, used or too old");
	exchange_answer(ex, status, "text/plain; charset=utf-8", NULL, &out);
	exchange_end(ex);
}

void slk_socket_serve(struct task *t, struct slk_world *w, struct exchange *ex)
{
	struct buf secret = BUF_INIT;
	struct slk_app *a =
	    server_param(server_query(ex->req), "ticket", &secret) ? redeem(w, secret.data) : NULL;
	struct slk_socket s = {.app = a};
	struct error err = {0};

	buf_clear(&secret);
	if (!a) {
		refuse(ex, BAD_TICKET);
		return;
	}
	s.peer = websocket_accept(ex->req, MESSAGE_MAX, &err);
	ex->status = s.peer ? 101 : 400;
	if (!s.peer)
		exchange_problem(ex, "%s", err.text);
	exchange_end(ex);
	if (!s.peer)
		return;
	list_append(&a->sockets, &s.link);
	run(t, &s);
	list_remove(&s.link);
	slk_envelopes_lost(a, &s);
	websocket_peer_close(t, s.peer, 1000, "");
}

/* Applies an action to one connection; in has further members. */
static int act_disconnect(struct slk_socket *s, struct json_object *in, struct error *err)
{
	int64_t ms = json_get_int(in, "close_ms", s->app->world->set.close_ms);
	const char *action = json_get_str(in, "action");

	(void)err;
	post_disconnect(s, strcmp(action, "refresh") == 0 ? "refresh_requested" : action);
	if (ms >= 0)
		close_in(s, ms);
	return 0;
}

static int act_close(struct slk_socket *s, struct json_object *in, struct error *err)
{
	const char *reason = json_get_str(in, "reason");
	int64_t code = json_get_int(in, "code", 1000);

	if (code != 0 && (code < 1000 || code > 4999))
		return error_set(err, ERROR_OURS, "code must be from 1000 to 4999, or 0 for none");
	websocket_peer_shut(s->peer, (unsigned)code, reason ? reason : "");
	websocket_peer_wake(s->peer);
	return 0;
}

static int act_abort(struct slk_socket *s, struct json_object *in, struct error *err)
{
	(void)in;
	(void)err;
	websocket_peer_abort(s->peer);
	return 0;
}

static int act_silence(struct slk_socket *s, struct json_object *in, struct error *err)
{
	(void)err;
	websocket_peer_silence(s->peer, strcmp(json_get_str(in, "action"), "silence") == 0);
	return 0;
}

static int act_post(struct slk_socket *s, struct json_object *in, struct error *err)
{
	const char *text = json_get_str(in, "text");

	if (!text)
		return error_set(err, ERROR_OURS, "say what to post: \"text\"");
	return websocket_peer_post(s->peer, text, strlen(text), err);
}

static int act_retry(struct slk_socket *s, struct json_object *in, struct error *err)
{
	(void)in;
	(void)err;
	slk_envelopes_retry(s->app);
	return 0;
}

static const struct {
	const char *name;
	int (*act)(struct slk_socket *s, struct json_object *in, struct error *err);
} actions[] = {
    {"abort", act_abort},
    {"close", act_close},
    {"link_disabled", act_disconnect},
    {"post", act_post},
    {"refresh", act_disconnect},
    {"retry", act_retry},
    {"silence", act_silence},
    {"speak", act_silence},
    {"too_many_websockets", act_disconnect},
    {"warning", act_disconnect},
};

static int order_next(struct slk_app *a, const char *name, struct error *err)
{
	if (strcmp(name, "refresh") == 0)
		name = "refresh_requested";
	else if (strcmp(name, "link_disabled") != 0 && strcmp(name, "too_many_websockets") != 0 &&
	    strcmp(name, "warning") != 0)
		return error_set(err, ERROR_OURS, "the next connection can hear only a disconnect message");
	str_copy(a->next_action, sizeof(a->next_action), name);
	return 0;
}

/* which: all (the default), oldest or newest. */
static bool is_meant(const struct slk_app *a, const struct list *it, const char *which)
{
	return !which || strcmp(which, "all") == 0 ||
	    (strcmp(which, "oldest") == 0 && it == a->sockets.next) ||
	    (strcmp(which, "newest") == 0 && it == a->sockets.prev);
}

int slk_control_socket(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *name = json_get_str(in, "action"), *which = json_get_str(in, "which");
	struct slk_app *a = slk_app_choose(self, members_string(in, "bot"), err);
	int64_t count = 0;
	size_t i = 0;

	if (!a)
		return -1;
	while (name && i < ARRAY_LEN(actions) && strcmp(actions[i].name, name) != 0)
		i++;
	if (name && json_get_bool(in, "next", false))
		return order_next(a, name, err);
	if (!name ? json_get(in, "action") != NULL : i == ARRAY_LEN(actions))
		return error_set(err, ERROR_OURS, "there is no such action");
	list_each(&a->sockets, it, tmp) {
		if (!is_meant(a, it, which))
			continue;
		if (name && actions[i].act(list_entry(it, struct slk_socket, link), in, err) != 0)
			return -1;
		count++;
	}
	json_setf(out, "connections: %jd, unacknowledged: %jd, app_id: %s", count,
	    (int64_t)slk_envelope_count(a), a->app_id);
	return 0;
}

void slk_sockets_abort(void *self)
{
	struct slk_world *w = self;

	list_each_entry(&w->apps, struct slk_app, a, link)
		list_each_entry(&a->sockets, struct slk_socket, entry, link)
			websocket_peer_abort(entry->peer);
}
