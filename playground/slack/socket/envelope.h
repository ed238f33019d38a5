#ifndef PLAYGROUND_SLACK_SOCKET_ENVELOPE_H
#define PLAYGROUND_SLACK_SOCKET_ENVELOPE_H
/*
 * What goes to an app through Socket Mode: each envelope to one of its connections, which must acknowledge it
 * within 3 seconds. An event that was not acknowledged, or found no connection, is sent again under the same
 * event_id: nearly at once, after a minute and after five minutes (Events API, "Failure Conditions").
 * Commands and presses are not repeated.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "base/list.h"

struct json_object;
struct slk_app;
struct slk_response_url;
struct slk_socket;

enum slk_envelope_type { SLK_EVENTS_API, SLK_SLASH_COMMANDS, SLK_INTERACTIVE };

struct slk_envelope {
	struct list link;
	struct slk_app *app;
	char id[37];
	enum slk_envelope_type type;
	struct json_object *payload;
	struct slk_socket *socket;     /* where it waits for its acknowledgement; NULL: nowhere */
	struct slk_response_url *hook; /* where an answer in the acknowledgement goes; NULL: none is taken */
	int attempt;
	int64_t sent_us;    /* of the wall clock, when this attempt went out */
	const char *reason; /* why it is sent again */
	struct clock_timer timer;
};

/* payload is taken. */
void slk_envelope_send(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload);
/* The same for what a person did: false, and nothing is kept, when the app is not connected. */
bool slk_envelope_ask(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload,
    struct slk_response_url *hook);
/* What a client said on a socket: an acknowledgement. NULL, or what is wrong with it; text must be free()d.
 * *sent_us becomes the time when the envelope went out; it stays as it is when none is meant. */
char *slk_envelope_acknowledge(struct slk_socket *s, const char *text, size_t len, int64_t *sent_us);
/* How many are not acknowledged yet, also of those that wait for the next attempt. */
size_t slk_envelope_count(const struct slk_app *a);
/* What waits to be sent again goes at once. */
void slk_envelopes_retry(struct slk_app *a);
/* The socket is gone: what waits there will be sent again. */
void slk_envelopes_lost(struct slk_app *a, const struct slk_socket *s);
void slk_envelopes_clear(struct slk_app *a);
/* A hook goes: no answer is taken for it any more. */
void slk_envelopes_forget_response_url(struct slk_app *a, const struct slk_response_url *hook);

#endif
