#ifndef TESTS_CHANNELS_TELEGRAM_TELEGRAM_STAGE_H
#define TESTS_CHANNELS_TELEGRAM_TELEGRAM_STAGE_H
/* The Telegram channel between the double of the bus and a scripted Bot API server. Every test is a task,
 * and has a server of its own. Delays are short, and rates unlimited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "channels/telegram/settings.h"
#include "channels/telegram/telegram.h"
#include "tests/channels/channel_double.h"
#include "tests/channels/telegram/bot_api_server.h"

extern struct bot_server *server;
extern struct telegram_settings settings;
extern struct telegram_limits limits;

/* Rows of tests: fn takes the task. STARTED_TEST: the channel is started before, and stopped after it. */
#define STAGE_TEST(name, fn)                                                        \
	{                                                                           \
#name, telegram_stage_run_test, NULL, NULL, (void *)(uintptr_t)(fn) \
	}
#define STARTED_TEST(name, fn)                                                         \
	{                                                                              \
#name, telegram_stage_run_started, NULL, NULL, (void *)(uintptr_t)(fn) \
	}
void telegram_stage_run_test(void **state);
void telegram_stage_run_started(void **state);
/* Runs all of them. begin: changes settings and limits before each; NULL: nothing does. */
#define telegram_stage_run(tests, begin) telegram_stage_run_tests(tests, ARRAY_LEN(tests), begin)
int telegram_stage_run_tests(const struct CMUnitTest *tests, size_t count, void (*begin)(void));

/* Starts the channel; its first poll ends at once, and it is ready. */
void telegram_stage_start(struct task *t);
/* Starts it, and waits for nothing. */
void telegram_stage_start_only(void);
void telegram_stage_stop(struct task *t);

/* Waits until there were this many calls of the method. */
void telegram_stage_await_calls(struct task *t, const char *method, size_t calls);
/* The parameters of the nth call, from 0; the caller puts them. */
struct json_object *telegram_stage_params(const char *method, size_t n);

#endif
