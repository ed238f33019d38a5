#ifndef TESTS_BENCH_BENCH_STAGE_H
#define TESTS_BENCH_BENCH_STAGE_H
/*
 * The setup of a benchmark: the playground with its scripted model and a bot, both child processes that end
 * with this one. The bot is Myna, or another program that gets BOT_TOKEN, BOT_API (base URL of the Bot API),
 * BOT_MODEL (base URL of the model) and BOT_DIR (a folder for its files).
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/bench.h"

struct platform;
struct slow_clock;

struct stage {
	const struct bench_options *o;
	const struct platform *platform; /* where people write */
	char *conf, *socket;             /* Myna's configuration file and control socket */
	char url[64];                    /* of the playground */
	pid_t playground, bot;
	struct slow_clock *clock; /* of a bot that a program counts; else NULL */
	int64_t next_chat;        /* next unused chat */
	int64_t seen, asked;      /* number of the newest record read, of the platform and of the model */
};

/* Empties the folder, starts the playground and writes the configuration. limits: both the platform and
 * Myna apply rate limits; else neither. */
void stage_open(struct stage *s, const struct bench_options *o, bool limits);
void stage_close(struct stage *s);
/* The same without waiting for pending work of the bot. */
void stage_abandon(struct stage *s);

/* Starts the bot and returns once it runs. */
void stage_exec(struct stage *s);
/* Waits until Myna is ready; polls every half millisecond. */
void stage_await_ready(struct stage *s);
/* Starts it and waits until it has answered a message. */
void stage_start(struct stage *s);
void stage_stop(struct stage *s);
/* Waits until the gateway has tested its sandbox, which it does after its start and in the workspace: that is
 * no part of what is measured. */
void stage_await_proof(struct stage *s);
/* While the bot is stopped: its clock goes slower from now on, so that the program that counts is no cause of
 * signs of life, timeouts and retries. */
void stage_slow_down(struct stage *s);
/* GET /v1/status of Myna, owned by the caller; NULL: no answer. */
struct json_object *stage_status(struct stage *s);
/* Returns the number of running turns; -1: no answer. */
int64_t stage_turns(struct stage *s);

/* Sends a message of a person. Returns when it became visible, in microseconds of the wall clock. */
int64_t stage_say(struct stage *s, int64_t chat, const char *text);
/* The wall clock of the records, in microseconds. */
int64_t stage_now_us(void);
/* Calls the control interface, by POST if there is a body; the call must succeed. The caller owns the
 * answer. */
struct json_object *stage_ask(struct stage *s, const char *verb, const char *body);
/* The same, without the answer. */
void stage_post(struct stage *s, const char *verb, const char *body);
/* Returns the number of the bot's messages in a chat, without its welcome. */
size_t stage_answers(struct stage *s, int64_t chat);
/* Marks all records so far as seen. */
void stage_mark(struct stage *s);
/* Returns the records of a method since the mark as an array in "requests"; the caller owns it. */
struct json_object *stage_sent(struct stage *s, const char *method);
/* Returns the newest unread request to the model, owned by the caller; there must be one. */
struct json_object *stage_last_asked(struct stage *s);

/* Starts libraries.c, the bare libraries, and returns when it is ready. */
pid_t stage_start_libraries(const struct bench_options *o);
void stage_end_libraries(pid_t pid);

/* Waits until neither the bot nor the playground works; to ask them would be work. */
void stage_await_quiet(const struct stage *s);
/* Waits for count messages of the bot since the mark, and returns them. */
struct json_object *stage_await_sent(struct stage *s, size_t count, double every_ms, double max_ms);

#endif
