#ifndef TESTS_CHANNELS_SLACK_SLACK_STAGE_H
#define TESTS_CHANNELS_SLACK_SLACK_STAGE_H
/*
 * The Slack channel on a real bus with a journal in memory, and the playground, a process of its own. Every
 * test is a task. Rates are lifted and waits are short.
 */
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
#include "bus/journal_memory.h"
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
	struct buf ends; /* "state ID: reason" of each row that has its end, a line each */
};

/* Runs the body with everything up; settings and limits can be changed before stage_start. */
void slack_stage_run(void (*body)(struct task *t, struct slack_stage *st));
/* Starts the channel, and waits until it is ready, or not. */
void stage_start(struct task *t, struct slack_stage *st);
void stage_start_only(struct task *t, struct slack_stage *st);
/* Stops the bus and the channel as a stop in good order does, and starts both again on the same journal. */
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

/* What people do: a verb of the playground's control, with members as JSON without the braces. The answer's
 * text at key, malloc'd, NULL if none. */
char *stage_act(struct slack_stage *st, const char *verb, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Settings of the playground's Slack. */
void stage_set(struct slack_stage *st, const char *json);
/* The next calls of a method fail: members of POST /control/fault. */
void stage_fault(struct slack_stage *st, const char *members);
/* Messages of the bot in the chat, "TEXT" or "[THREAD] TEXT" a line; malloc'd. */
char *stage_said(struct slack_stage *st, const char *chat);
/* How often a method was called; refused: only those that the playground found fault with. */
size_t stage_calls(struct slack_stage *st, const char *method, bool refused);
/* How many lines of the log have that in them. */
size_t stage_logged(const char *part);
/* Connections that are open now. */
size_t stage_sockets(struct slack_stage *st);
/* How many events Slack has not given up to deliver. */
size_t stage_unacknowledged(struct slack_stage *st);
/* How many ordered faults no request has met yet. */
size_t stage_faults(struct slack_stage *st);

/* A row of the outbox, handed to the bus; its id. */
int64_t stage_send(
    struct task *t, struct slack_stage *st, const char *chat, const char *thread, const char *text);
int64_t stage_put(struct task *t, struct slack_stage *st, struct outbound *row);
size_t stage_ended(const struct slack_stage *st);

#endif
