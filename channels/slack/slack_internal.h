#ifndef CHANNELS_SLACK_SLACK_INTERNAL_H
#define CHANNELS_SLACK_SLACK_INTERNAL_H
/* State of a running Slack app. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "channels/shared/rate_limit.h"
#include "channels/slack/event.h"
#include "channels/slack/recent_map.h"
#include "channels/slack/settings.h"
#include "channels/slack/stream.h"
#include "channels/slack/sync_state.h"
#include "channels/slack/users.h"
#include "net/backoff.h"

struct address;
struct buf;
struct channel;
struct error;
struct json_object;
struct message;
struct outbound;
struct preview;
struct slack_socket;
struct task;

struct slack {
	struct channel *ch;
	const struct slack_settings *settings;
	const struct slack_limits *limits;
	char *base; /* api_base without a trailing slash */
	char *host; /* of api_base, for logs and errors */
	struct slack_self self;
	struct rate_limiter rate_limiter; /* per conversation */
	struct rate_limiter methods;      /* per method: Slack's tiers */
	int64_t clock_skew_ms;            /* local wall clock minus Slack's, from its last response */
	struct task_group tasks;
	bool stopping;
	bool refused; /* a token was refused: make no calls */

	/* Sockets: socket.c. */
	struct task *keeper; /* opens sockets; NULL: ended */
	struct list sockets;
	bool refresh;            /* the socket in use is to be replaced */
	uint64_t retry_delay_ms; /* delay before the keeper's next attempt */
	struct backoff retry;
	struct slack_sync_state sync;

	struct slack_users people;
	struct slack_recent_map threads;   /* in which the bot wrote: C1:1790000000.000100 */
	bool threads_changed;              /* since stored */
	struct task *threads_keeper;       /* stores them; NULL: nothing to store */
	struct slack_recent_map authors;   /* author by message, C1:TS */
	struct slack_recent_map statuses;  /* time of the last status by thread, C1:TS */
	struct slack_recent_map reactions; /* the bot's reaction by message, C1:TS */
	struct slack_recent_map
	    response_urls;               /* expiry and response_url of the last command by conversation */
	struct slack_recent_map uploads; /* file ids by outbound message */
	struct slack_stream streams[SLACK_STREAMS_MAX];
	unsigned presses;                         /* running press answers */
	bool no_streams, no_status, no_reactions; /* permanently refused */
};

/* receive.c: Commits envelopes to the journal in batches, then acknowledges each on its own socket. */

/* Handles the message that was read, and all that wait behind it. Returns -1 when the socket has to end;
 * Slack repeats what was not acknowledged. */
int slack_receive(struct task *t, struct slack_socket *link, struct buf *message, struct error *err);

/* Returns the message in an envelope's payload, owned by the caller; NULL when it holds none. Records its
 * author, and fetches names that are unknown. */
struct message *slack_receive_read(struct slack *sk, const char *type, struct json_object *payload);

/* backfill.c: Fetches missed messages from the conversations that the app is in (users.conversations,
 * conversations.history, conversations.replies). The journal drops one that came over a socket as well, by
 * its key. */

/* Starts a task, if none runs, that fetches what sync_state.h says is missing, and repeats while that
 * grows. */
void slack_backfill_start(struct slack *sk);

/* send.c: Sends deliveries. Implements channel_ops' admit, send and reconcile. */
int slack_send_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
int slack_send_delivery(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);
/* Looks in the conversation for a message that carries the delivery's id. */
int slack_send_reconcile(struct task *t, struct channel *ch, const struct outbound *delivery,
    char **platform_id, struct error *err);

/* response_url.c: People can give slash commands where the app is no member and cannot write. There it
 * answers by the command's response_url (docs.slack.dev, "Handling user interaction": five uses within 30
 * minutes), once; it never stores it. */

/* Notes the response_url in a slash command's payload. */
void slack_response_url_note(struct slack *sk, struct json_object *payload);
/* Tells whoever gave the last command that the app may not write there. Best effort. */
void slack_response_url_send(struct task *t, struct slack *sk, const char *chat);

/* channel_ops.answer_press: sends text, if any, as a message that only that person sees (chat.postEphemeral).
 * The acknowledgement of the envelope has ended the wait itself. Best effort, in a task of its own. */
void slack_press_answer(struct channel *ch, const struct message *m, const char *text);

/* typing.c and preview.c: channel_ops' typing, preview and react. All best effort. */

/* assistant.threads.setStatus, in threads. */
int slack_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);
/* Shows a stream in threads, where Slack allows it; elsewhere a message that it edits. */
int slack_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);
void slack_find_preview(struct task *t, struct channel *ch, struct preview *p);
int slack_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err);

#endif
