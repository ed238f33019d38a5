#ifndef TESTS_FAULT_RIG_H
#define TESTS_FAULT_RIG_H
/*
 * The real Telegram adapter on the real bus, and the playground's Telegram as a process of its own, with the
 * fault proxy between them. Time is real; the adapter's limits are short, and it has no rate limit.
 */
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
/* How long a test waits for what must come, however busy the machine is. */
#define RIG_PATIENCE_MS 60000

struct rig {
	struct client_program playground;
	struct proxy *proxy;
	struct telegram_settings settings;
	struct telegram_limits limits;
	char dir[64];                  /* of the store, "" while there is none */
	struct store *store;           /* either this */
	struct journal_memory *memory; /* or this */
	struct bus *bus;
	struct channel *channel;
	struct address chat;
	/* What came in, a message a line. */
	struct buf received;
	size_t received_count;
	struct task *waiting; /* woken by each */
};

enum rig_journal { RIG_MEMORY, RIG_SQLITE };

/* Runs the body in a task with everything but the channel started. */
void rig_run(enum rig_journal journal, void (*body)(struct task *t, struct rig *r));
/* Starts the channel; rig_meet also waits until the person of RIG_CHAT has written and was heard. */
void rig_start(struct rig *r);
void rig_meet(struct task *t, struct rig *r);
/* Stops the channel and forgets it, with all connections; the journal stays. */
void rig_stop(struct task *t, struct rig *r);
/* The person presses the button "y" of a message of the bot, which this makes. */
void rig_press(struct rig *r);
/* The person writes. */
void rig_say(struct rig *r, const char *text);
/* Waits until as many messages have come in. */
void rig_await(struct task *t, struct rig *r, size_t count);
/* Waits until the server has a poll with nothing to give. */
void rig_await_poll(struct task *t, struct rig *r);
/* Puts the text into the outbox; each '|' begins a part. count ids. */
void rig_send(
    struct task *t, struct rig *r, enum outbound_kind kind, const char *text, int64_t *ids, size_t count);
/* The row when it has reached its end; the caller's. */
struct outbound *rig_end_of(struct task *t, struct rig *r, int64_t id);
/* A call of the bot's from elsewhere, past the proxy; put the answer. */
struct json_object *rig_call(struct rig *r, const char *method, const char *params);
/* GET of the playground's control, e.g. "transcript?platform=telegram&chat=77"; put it. */
struct json_object *rig_get(struct rig *r, const char *what);

#endif
