#ifndef TESTS_FAULT_RIG_H
#define TESTS_FAULT_RIG_H
/* The real Telegram adapter on the real bus, and the playground as a process, with the fault proxy between
 * them. Time is real; the adapter's limits are short and its rate limit is off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/task.h"
#include "bus/bus.h"
#include "channels/telegram/settings.h"
#include "tests/fault/proxy.h"
#include "tests/lib/client.h"

#define RIG_CHAT "77"
/* Maximum wait for an expected event, also on a busy machine. */
#define RIG_PATIENCE_MS 60000

struct rig {
	struct client_program playground;
	struct proxy *proxy;
	struct telegram_settings settings;
	struct telegram_limits limits;
	char dir[64];                  /* of the store, "" if none */
	struct store *store;           /* either this */
	struct journal_memory *memory; /* or this */
	struct bus *bus;
	struct channel *channel;
	struct address chat;
	/* Received messages, one per line. */
	struct buf received;
	size_t received_count;
	struct task *waiting; /* woken by each message */
};

enum rig_journal { RIG_MEMORY, RIG_SQLITE };

/* Runs the body in a task with everything started except the channel. */
void rig_run(enum rig_journal journal, void (*body)(struct task *t, struct rig *r));
/* Starts the channel; rig_meet also waits until a message of RIG_CHAT's person was received. */
void rig_start(struct rig *r);
void rig_meet(struct task *t, struct rig *r);
/* Stops and frees the channel with its connections; keeps the journal. */
void rig_stop(struct task *t, struct rig *r);
/* The person presses button "y" of a new message of the bot. */
void rig_press(struct rig *r);
/* The person sends a message. */
void rig_say(struct rig *r, const char *text);
/* Waits until count messages were received. */
void rig_await(struct task *t, struct rig *r, size_t count);
/* Waits until the server holds an idle poll. */
void rig_await_poll(struct task *t, struct rig *r);
/* Adds a text to the outbox; '|' separates parts. Returns count ids. */
void rig_send(
    struct task *t, struct rig *r, enum outbound_kind kind, const char *text, int64_t *ids, size_t count);
/* Waits for the end of an outbound message and returns it; the caller owns it. */
struct outbound *rig_end_of(struct task *t, struct rig *r, int64_t id);
/* Calls the Bot API as the bot, past the proxy; the caller puts the answer. */
struct json_object *rig_call(struct rig *r, const char *method, const char *params);
/* GET of the playground's control, e.g. "transcript?platform=telegram&chat=77"; put it. */
struct json_object *rig_get(struct rig *r, const char *what);

#endif
