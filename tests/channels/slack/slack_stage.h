#ifndef TESTS_CHANNELS_SLACK_SLACK_STAGE_H
#define TESTS_CHANNELS_SLACK_SLACK_STAGE_H
/* The Slack channel on a real bus with a journal in memory, and the playground as a process. Every test is
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
#include "bus/buttons.h"
#include "tests/lib/until.h"
#include "lib/journal_memory.h"
#include "channels/slack/settings.h"

#define STAGE_RECEIVED 512

struct slack_stage {
	struct journal_memory *memory;
	struct bus *bus;
	struct channel *channel;
	struct slack_settings settings;
	struct slack_limits limits;
	struct message *received[STAGE_RECEIVED];
	size_t count;
	struct buf ends; /* "state ID: reason" of each finished outbound message, one per line */
};

/* Runs the body with everything started except the channel; settings and limits can still change. */
void slack_stage_run(void (*body)(struct task *t, struct slack_stage *st));
/* Starts the channel and waits until it is ready or has failed. */
void stage_start(struct task *t, struct slack_stage *st);
void stage_start_only(struct task *t, struct slack_stage *st);
/* Stops bus and channel cleanly and restarts both on the same journal. */
void stage_restart(struct task *t, struct slack_stage *st);

#define STAGE_TEST(name)                                                 \
	static void name##_body(struct task *t, struct slack_stage *st); \
	static void name(void **state)                                   \
	{                                                                \
		(void)state;                                             \
		slack_stage_run(name##_body);                            \
	}                                                                \
	static void name##_body(struct task *t, struct slack_stage *st)

#define stage_until(t, condition) task_until_or(t, condition, st->ends.data)

/* Calls a verb of the playground's control interface; fmt gives members as JSON without braces. Returns
 * the string at key of the answer, freed by the caller, or NULL. */
char *stage_act(struct slack_stage *st, const char *verb, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Changes settings of the playground's Slack. */
void stage_set(struct slack_stage *st, const char *json);
/* Adds a fault; members of POST /control/fault. */
void stage_fault(struct slack_stage *st, const char *members);
/* Returns the bot's messages in the chat, "TEXT" or "[THREAD] TEXT" per line; the caller frees it. */
char *stage_said(struct slack_stage *st, const char *chat);
/* Returns the number of calls of a method; refused: only the invalid ones. */
size_t stage_calls(struct slack_stage *st, const char *method, bool refused);
/* Returns the number of log lines that contain part. */
size_t stage_logged(const char *part);
/* Returns the number of open connections. */
size_t stage_sockets(struct slack_stage *st);
/* Returns the number of events that Slack still tries to deliver. */
size_t stage_unacknowledged(struct slack_stage *st);
/* Returns the number of unused faults. */
size_t stage_faults(struct slack_stage *st);

/* Adds an outbound message. Returns its id. */
int64_t stage_send(
    struct task *t, struct slack_stage *st, const char *chat, const char *thread, const char *text);
int64_t stage_put(struct task *t, struct slack_stage *st, struct outbound *row);
size_t stage_ended(const struct slack_stage *st);

#endif
