#ifndef CHANNELS_SLACK_SYNC_STATE_H
#define CHANNELS_SLACK_SYNC_STATE_H
/* The sync position: up to when all messages were received; stored over restarts. Slack repeats
 * unacknowledged events for some minutes only; backfill.c fetches messages of a longer silence. After a short
 * one it looks where somebody wrote recently, because Slack repeats an event after a minute. */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct slack;
struct slack_outcome;
struct task;

/* Wall clock (ms) unless noted; 0: unknown. */
struct slack_sync_state {
	int64_t live_ms;         /* earlier messages have arrived over a socket or will be repeated there */
	int64_t since_ms;        /* messages from here on may be missing and are to be fetched; 0: none */
	int64_t check_ms;        /* last check of the socket */
	int64_t clock_offset_ms; /* clock_wall() - clock_now() at that check */
	uint64_t frame_ms;       /* clock_now() of the last frame at that check */
	int64_t saved_ms;        /* the stored value */
	uint64_t save_due;       /* clock_now() of the next store */
	bool hello_received;     /* this process has received a hello */
	bool backfill_pending;   /* backfill.c has not yet started on since_ms */
	/* Messages from here on may arrive late; the backfill looks for them where somebody wrote recently.
	 * 0: none. */
	int64_t recent_ms;
	uint64_t limited_until; /* clock_now() until which it does not: Slack limits the app's calls */
	struct task *keeper, *fetcher;
	char missing_scope[32];    /* missing scope that limits the backfill, "" for none */
	bool missing_scope_logged; /* the log reports missing_scope */
};

/* Reads the stored position. Suspends. Returns -1 with o set; a retry may help. */
int slack_sync_state_read(struct task *t, struct slack *sk, struct slack_outcome *o);
/* Starts the task that checks and stores; call it after slack_sync_state_read. */
void slack_sync_state_start(struct slack *sk);
/* A connection has received its hello. lost: no other was in use. */
void slack_sync_state_hello(struct slack *sk, bool lost);
/* Everything missing so far has been fetched. */
void slack_sync_state_backfilled(struct slack *sk);

#endif
