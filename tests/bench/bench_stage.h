#ifndef TESTS_BENCH_BENCH_STAGE_H
#define TESTS_BENCH_BENCH_STAGE_H
/*
 * What a measurement is made on: the playground with its scripted model, and a bot that talks
 * to it, both child processes that end with this one. The bot is Myna, or another program that
 * gets BOT_TOKEN, BOT_API (the root of the Bot API) and BOT_MODEL (the root of the model's).
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/bench.h"

struct platform;

struct stage {
	const struct bench_options *o;
	const struct platform *platform; /* where people talk */
	char *conf, *socket;             /* Myna's configuration file and control socket */
	char url[64];                    /* of the playground */
	pid_t playground, bot;
	int64_t next_chat; /* chats that nobody has used */
	int64_t seen,
	    asked; /* numbers of the newest records that were read, of the platform and of the model */
};

/* Empties the folder, starts the playground and writes the configuration. limits: the platform's
 * own limits hold, and Myna keeps to them; else neither. */
void stage_open(struct stage *s, const struct bench_options *o, bool limits);
void stage_close(struct stage *s);
/* The same, without waiting for what the bot is about. */
void stage_abandon(struct stage *s);

/* Starts the bot; returns as soon as it runs. */
void stage_exec(struct stage *s);
/* Waits until Myna says that it is ready, looking every half millisecond. */
void stage_await_ready(struct stage *s);
/* Starts it and waits until it has answered a message. */
void stage_start(struct stage *s);
void stage_stop(struct stage *s);
/* GET /v1/status of Myna, new; NULL when it does not answer. */
struct json_object *stage_status(struct stage *s);
/* How many turns it says that run; -1 when it does not answer. */
int64_t stage_turns(struct stage *s);

/* A person writes; when that became visible, in microseconds of the wall clock. */
int64_t stage_say(struct stage *s, int64_t chat, const char *text);
/* The wall clock of the records. */
int64_t stage_now_us(void);
/* Of the control interface; POST when there is a body, which must succeed. The answer, new. */
struct json_object *stage_ask(struct stage *s, const char *verb, const char *body);
/* The same, when the answer says nothing. */
void stage_post(struct stage *s, const char *verb, const char *body);
/* How many messages of the bot a chat shows. */
size_t stage_answers(struct stage *s, int64_t chat);
/* Marks all records so far as seen. */
void stage_mark(struct stage *s);
/* The records of a method that came after the mark, new: an array in "requests". */
struct json_object *stage_sent(struct stage *s, const char *method);
/* The newest request to the model, new; there must be one that was not read yet. */
struct json_object *stage_last_asked(struct stage *s);

/* What the bot sent since the mark, once there are count messages. */
struct json_object *stage_await_sent(struct stage *s, size_t count, double every_ms, double max_ms);

#endif
