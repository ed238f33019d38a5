#ifndef CHANNELS_SLACK_BACKFILL_FETCH_H
#define CHANNELS_SLACK_BACKFILL_FETCH_H
/* What was said in one conversation since a time: its history, and the threads that have newer replies. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;
struct slack;
struct slack_answer;
struct task;

/* An event that was not acknowledged is sent again at once, after a minute and after five more
 * (docs.slack.dev, Events API, "Retries"). */
#define SLACK_REDELIVERY_MS (6 * 60 * 1000)

struct slack_backfill_chat {
	const char *chat;
	int64_t since_ms; /* by Slack's clock */
	/* What came of it, the oldest first: payloads as of the Events API. */
	struct json_object **items;
	size_t count;
	bool more; /* was said than the limit allows; the oldest of it is left out */
	/* Roots of threads with newer replies. */
	char **threads;
	size_t thread_count;
};

/* 0; 1: it may be had later, err says why; -1: cancelled, or the channel has stopped. A conversation that we
 * may not read has nothing. */
int slack_backfill_fetch(struct task *t, struct slack *sk, struct slack_backfill_chat *m, struct error *err);
void slack_backfill_fetch_clear(struct slack_backfill_chat *m);

/* Calls a method in its turn, some times if need be. The same result; where the app may not, a is empty.
 * params stay the caller's. */
int slack_backfill_call(struct task *t, struct slack *sk, const char *method, struct json_object *params,
    struct slack_answer *a, struct error *err);
/* Is there another page? params ask for it then. */
bool slack_backfill_next_page(const struct slack_answer *a, struct json_object *params);

#endif
