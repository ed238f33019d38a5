#ifndef TESTS_CHANNELS_DISCORD_DISCORD_STAGE_H
#define TESTS_CHANNELS_DISCORD_DISCORD_STAGE_H
/* The Discord channel on a real bus with a journal in memory, and the playground as a process. Every test is
 * a task. Rate limits are lifted and delays are short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "channels/discord/discord.h"
#include "channels/discord/settings.h"
#include "lib/journal_memory.h"
#include "tests/lib/until.h"

#define STAGE_RECEIVED 64

struct discord_stage {
	struct journal_memory *memory;
	struct bus *bus;
	struct channel *channel; /* NULL: stopped */
	struct discord_settings settings;
	struct discord_limits limits;
	struct message *received[STAGE_RECEIVED];
	size_t received_count;
	struct buf ends; /* "state: reason" of each finished outbound message, one per line */
};

/* The only instance. */
extern struct discord_stage the_stage;

/* Runs the body with everything started except the channel; settings and limits can still change. */
void discord_stage_run(void (*body)(struct task *t));

#define STAGE_TEST(name)                         \
	static void name##_body(struct task *t); \
	static void name(void **state)           \
	{                                        \
		(void)state;                     \
		discord_stage_run(name##_body);  \
	}                                        \
	static void name##_body(struct task *t)

#define discord_stage_until(condition) \
	task_until_or(t, condition, the_stage.channel ? the_stage.channel->status_text : "stopped")

/* Starts the channel on the journal; ready: waits until it is. */
void discord_stage_start(struct task *t);
void discord_stage_start_ready(struct task *t);
void discord_stage_stop(struct task *t);

/* Returns how often a method was called; of the gateway: "gateway" (the opening), "gateway IDENTIFY". */
size_t discord_stage_calls(const char *method);
/* Does something to every connection, as members of JSON, "" for nothing. Returns how many there are. */
size_t discord_stage_sockets(const char *members);
/* Changes settings of the playground's Discord, as members of JSON. */
void discord_stage_set(const char *members);
/* Adds a fault: members of POST /control/fault. */
void discord_stage_fault(const char *method, const char *members);
/* Ann writes; kind is group or private. */
void discord_stage_say(const char *chat, const char *kind, const char *text);
/* Returns how many messages with this text were received. */
size_t discord_stage_heard(const char *text);
/* Ann's next private message is received exactly once. */
void discord_stage_expect(struct task *t, const char *text);
/* Returns the bot's messages in the chat or its thread (may be NULL), one per line, an answer with "> " in
 * front; the caller frees it. */
char *discord_stage_said(const char *chat, const char *thread);

#endif
