#ifndef PLAYGROUND_SLACK_SOCKET_SOCKET_H
#define PLAYGROUND_SLACK_SOCKET_SOCKET_H
/* How events reach an app: envelopes, Socket Mode, and the request URL. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/list.h"
#include "base/mem.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/slack/world/world.h"
#include "playground/world/timer.h"

struct exchange;
struct slk_app;
struct slk_socket;

/*
 * What an app gets: events, slash commands and interactions. Each goes to one of the app's Socket Mode
 * connections or, if it has no app-level token, to the request URL. The app must acknowledge it within 3
 * seconds. An event that fails is sent again with the same event_id: at once, after one minute and after five
 * (Events API, "Failure Conditions"). Commands and interactions are not repeated.
 */

enum slk_envelope_type { SLK_EVENTS_API, SLK_SLASH_COMMANDS, SLK_INTERACTIVE };

enum slk_outcome { SLK_ACKNOWLEDGED, SLK_TIMED_OUT };

/* Gets what the app answers with its acknowledgement; answer is NULL without one. key: as in struct slk_ask.
 * Returns NULL, or what is wrong with the answer, which must be free()d. */
typedef char *slk_answer_fn(
    struct slk_app *a, const char *key, enum slk_outcome outcome, struct json_object *answer);

struct slk_envelope {
	struct list link;
	struct slk_app *app;
	char id[37];
	enum slk_envelope_type type;
	struct json_object *payload;
	struct slk_socket *socket;     /* waits for the acknowledgement; NULL: not sent on one */
	struct slk_delivery *delivery; /* the same for a request URL */
	slk_answer_fn *answer;         /* NULL: takes no answer */
	char *key;
	int attempt;
	int64_t sent_us;    /* wall clock of this attempt */
	const char *reason; /* of the repetition */
	struct world_timer timer;
};

/* A person's action. */
struct slk_ask {
	enum slk_envelope_type type;
	struct json_object *payload; /* taken */
	slk_answer_fn *answer;
	const char *key; /* what is asked about; copied */
};

/* Takes payload. */
void slk_envelope_send(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload);
/* Returns false and keeps nothing when the app cannot be reached. */
bool slk_envelope_ask(struct slk_app *a, const struct slk_ask *ask);
/* The request URL has answered. error: a reason of the platform, a literal; NULL: none. body: what the app
 * said, may be NULL. again: whether it may be sent again. Returns what is wrong with the answer, to be
 * free()d. */
char *slk_envelope_delivered(struct slk_envelope *e, const char *error, struct json_object *body, bool again);
/* Handles what a client said on a socket, which must be an acknowledgement. Returns NULL, or what is wrong
 * with it, to be free()d. Sets *sent_us to when the envelope went out, if it is one of s. */
char *slk_envelope_acknowledge(struct slk_socket *s, const char *text, size_t len, int64_t *sent_us);
/* Returns the number of unacknowledged envelopes, including those that wait for the next attempt. */
size_t slk_envelope_count(const struct slk_app *a);
/* Sends all waiting envelopes again at once. */
void slk_envelopes_retry(struct slk_app *a);
/* The socket has closed: its envelopes will be sent again. */
void slk_envelopes_lost(struct slk_app *a, const struct slk_socket *s);
/* As unanswered of struct platform. */
void slk_envelopes_unanswered(void *self, platform_unanswered_fn *add, void *arg);
void slk_envelopes_clear(struct slk_app *a);
/* The events that are still to be delivered, for the state file; the caller's. */
struct json_object *slk_envelopes_save(const struct slk_app *a);
void slk_envelopes_load(struct slk_app *a, struct json_object *saved);

/* Socket Mode: tickets and connections. */

/* A ticket of apps.connections.open: valid for one connection within 30 seconds. */
struct slk_ticket {
	struct list link;
	struct slk_app *app;
	char secret[33];
	uint64_t until_ms;
};

struct slk_ticket *slk_ticket_new(struct slk_app *a);
void slk_tickets_clear(struct slk_world *w);

/* Serves a connection until it ends, and ends the exchange. Suspends. */
void slk_socket_serve(struct task *t, struct slk_world *w, struct exchange *ex);
/* Returns the next connection in turn, or NULL when the app is not connected. */
struct slk_socket *slk_socket_choose(struct slk_app *a);
/* event: a fault of the next event applies. */
void slk_socket_post(struct slk_socket *s, const char *text, size_t len, bool event);
struct slk_app *slk_socket_app(const struct slk_socket *s);
size_t slk_socket_count(const struct slk_app *a);
/* Resets all connections without a close frame. self is the world. */
void slk_sockets_abort(void *self);

/* POST /control/socket: acts on connections. */
int slk_control_socket(void *self, struct json_object *in, struct json_object *out, struct error *err);

/*
 * Events, commands and interactions over HTTP, for apps without an app-level token: POST to the request URL
 * of the settings, signed with the signing secret
 * (docs.slack.dev/authentication/verifying-requests-from-slack). A new URL must first answer a challenge.
 */

enum slk_url_state { SLK_URL_NONE, SLK_URL_PENDING, SLK_URL_VERIFIED, SLK_URL_FAILED };

/* The settings have a URL, other than before or "": verifies it. */
void slk_request_url_set(struct slk_world *w);
/* Sets request_url_state, as in settings. */
void slk_request_url_write(const struct slk_world *w, struct json_object *out);
/* Does the app get its envelopes there? */
bool slk_request_url_serves(const struct slk_app *a);
/* Is the URL being verified? Envelopes wait until then. */
bool slk_request_url_waits(const struct slk_world *w);
/* Sends the envelope, and calls slk_envelope_delivered later. Leaves e->delivery NULL when it cannot. */
void slk_request_url_post(struct slk_envelope *e);
/* Cancels the delivery of an envelope. late: it has timed out. */
void slk_request_url_forget(struct slk_envelope *e, bool late);
/* Called when the playground stops: envelopes under way are sent again after the next start. self is the
 * world. */
void slk_request_urls_stop(void *self);

#endif
