#ifndef CHANNELS_SLACK_BACKFILL_FETCH_H
#define CHANNELS_SLACK_BACKFILL_FETCH_H
/* Fetches the messages of one conversation since a time: its history, and threads with newer replies. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;
struct slack;
struct slack_answer;
struct task;

/* Slack sends an unacknowledged event again at once, after one minute and after five more (docs.slack.dev,
 * Events API, "Retries"). */
#define SLACK_REDELIVERY_MS (6 * 60 * 1000)

struct slack_backfill_chat {
	const char *chat;
	int64_t since_ms; /* by Slack's clock */
	bool brief;       /* one page of its history and its threads, calls as slack_backfill_call's brief */
	/* The result, oldest first: payloads as in the Events API. */
	struct json_object **items;
	size_t count;
	bool more; /* the limit was reached; the oldest messages are missing */
	/* Roots of threads with newer replies. */
	char **threads;
	size_t thread_count;
};

/* Suspends. Returns 0; 1 with err set when a retry may help; -1 when cancelled or when the channel has
 * stopped. A conversation that the bot may not read yields nothing. The result is what came before a failure.
 */
int slack_backfill_fetch(struct task *t, struct slack *sk, struct slack_backfill_chat *m, struct error *err);
void slack_backfill_fetch_clear(struct slack_backfill_chat *m);

/* Calls a method within its rate limit and retries. Suspends. Returns the same values; without permission
 * a is empty. brief: it neither waits for the rate limit nor retries, and returns 1. Does not take params. */
int slack_backfill_call(struct task *t, struct slack *sk, const char *method, struct json_object *params,
    bool brief, struct slack_answer *a, struct error *err);
/* Is there another page? Sets its cursor in params. */
bool slack_backfill_next_page(const struct slack_answer *a, struct json_object *params);

#endif
