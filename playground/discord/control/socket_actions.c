#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "base/time/clock_skip.h"
#include "playground/discord/control/control.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/server/websocket.h"

/* How long a client may take to disconnect after RECONNECT. Undocumented: a choice. */
#define GRACE_MS 5000

/* Each plays the action on one connection. */
static void play_reconnect(struct cord_socket *s, struct json_object *in)
{
	(void)in;
	cord_socket_op(s, CORD_OP_RECONNECT, "null");
	s->end_ms = clock_machine() + GRACE_MS;
	websocket_peer_wake(s->peer);
}

static void play_invalid_session(struct cord_socket *s, struct json_object *in)
{
	bool resumable = json_get_bool(in, "resumable", false);

	cord_socket_op(s, CORD_OP_INVALID_SESSION, resumable ? "true" : "false");
	if (resumable && s->session) {
		struct cord_session *session = s->session;

		s->session = NULL; /* waits for a RESUME, on this connection or another */
		cord_session_lose(session);
	} else {
		cord_session_free(s->session);
	}
}

static void play_close(struct cord_socket *s, struct json_object *in)
{
	unsigned code = (unsigned)json_get_int(in, "code", CORD_CLOSE_UNKNOWN);

	if (json_get(in, "resumable"))
		cord_socket_end(s, code, json_get_bool(in, "resumable", true));
	else
		cord_socket_close(s, code);
	websocket_peer_wake(s->peer);
}

static void play_abort(struct cord_socket *s, struct json_object *in)
{
	if (!json_get_bool(in, "resumable", true))
		cord_session_free(s->session);
	s->closing = true;
	websocket_peer_abort(s->peer);
}

static void play_silence(struct cord_socket *s, struct json_object *in)
{
	websocket_peer_silence(s->peer, json_get_bool(in, "on", true));
}

static void play_drop_acks(struct cord_socket *s, struct json_object *in)
{
	s->no_acks = json_get_bool(in, "on", true);
}

/* Sends any text, to simulate a server that violates the protocol. */
static void play_post(struct cord_socket *s, struct json_object *in)
{
	const char *text = json_get_str(in, "text");

	if (text)
		cord_socket_post(s, text, strlen(text));
}

static void play_heartbeat(struct cord_socket *s, struct json_object *in)
{
	(void)in;
	cord_socket_op(s, CORD_OP_HEARTBEAT, "null");
}

static const struct {
	const char *action;
	void (*play)(struct cord_socket *s, struct json_object *in);
} actions[] = {
    {"abort", play_abort},
    {"close", play_close},
    {"drop_acks", play_drop_acks},
    {"heartbeat", play_heartbeat},
    {"invalid_session", play_invalid_session},
    {"post", play_post},
    {"reconnect", play_reconnect},
    {"silence", play_silence},
};

/* Without an action it only counts connections. */
int cord_control_socket(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *action = json_get_str(in, "action"), *id = members_string(in, "bot");
	struct cord_world *w = self;
	int64_t shard = json_get_int(in, "shard", -1);
	int64_t connections = 0, sessions = 0, heartbeats = 0;
	size_t a = 0;

	while (action && a < ARRAY_LEN(actions) && strcmp(actions[a].action, action) != 0)
		a++;
	if (a == ARRAY_LEN(actions))
		return error_set(err, ERROR_OURS,
		    "action is abort, close, drop_acks, heartbeat, invalid_session, post, reconnect or "
		    "silence");
	list_each_entry(&w->sockets, struct cord_socket, s, link) {
		if (s->closing || (shard >= 0 && (!s->session || s->session->shard != shard)) ||
		    (id && (!s->bot || s->bot != cord_bot_choose(w, id))))
			continue;
		connections++;
		sessions += s->session != NULL;
		heartbeats += s->heartbeats;
		if (action)
			actions[a].play(s, in);
	}
	json_setf(out, "connections: %jd, sessions: %jd, heartbeats: %jd", connections, sessions, heartbeats);
	return 0;
}
