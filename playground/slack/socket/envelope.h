#ifndef PLAYGROUND_SLACK_SOCKET_ENVELOPE_H
#define PLAYGROUND_SLACK_SOCKET_ENVELOPE_H
/*
 * Socket Mode envelopes. Each goes to one connection of the app, which must acknowledge it within 3 seconds.
 * An event without acknowledgement or connection is sent again with the same event_id: at once, after one
 * minute and after five (Events API, "Failure Conditions"). Commands and presses are not repeated.
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
	struct slk_socket *socket;     /* waits for the acknowledgement; NULL: not sent */
	struct slk_response_url *hook; /* receives the response in the acknowledgement; NULL: none allowed */
	int attempt;
	int64_t sent_us;    /* wall clock of this attempt */
	const char *reason; /* of the repetition */
	struct clock_timer timer;
};

/* Takes payload. */
void slk_envelope_send(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload);
/* The same for a person's action. Returns false and keeps nothing when the app is not connected. */
bool slk_envelope_ask(struct slk_app *a, enum slk_envelope_type type, struct json_object *payload,
    struct slk_response_url *hook);
/* What a client said on a socket: an acknowledgement. NULL, or what is wrong with it; text must be free()d.
 * *sent_us becomes the time when the envelope went out; it stays as it is when none is meant. */
char *slk_envelope_acknowledge(struct slk_socket *s, const char *text, size_t len, int64_t *sent_us);
/* Returns the number of unacknowledged envelopes, including those that wait for the next attempt. */
size_t slk_envelope_count(const struct slk_app *a);
/* Sends all waiting envelopes again at once. */
void slk_envelopes_retry(struct slk_app *a);
/* The socket has closed: its envelopes will be sent again. */
void slk_envelopes_lost(struct slk_app *a, const struct slk_socket *s);
void slk_envelopes_clear(struct slk_app *a);
/* The events that are still to be delivered, for the state file; the caller's. */
struct json_object *slk_envelopes_save(const struct slk_app *a);
void slk_envelopes_load(struct slk_app *a, struct json_object *saved);
/* The response_url goes away: envelopes must not use it. */
void slk_envelopes_forget_response_url(struct slk_app *a, const struct slk_response_url *hook);

#endif
