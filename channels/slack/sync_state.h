#ifndef CHANNELS_SLACK_SYNC_STATE_H
#define CHANNELS_SLACK_SYNC_STATE_H
/* The sync position: up to when all messages were received; stored over restarts. Slack repeats
 * unacknowledged events for some minutes only; backfill.c fetches messages of a longer silence. */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct slack;
struct slack_outcome;
struct task;

/* Wall clock (ms) unless noted; 0: unknown. */
struct slack_sync_state {
	int64_t live_ms;   /* earlier messages have arrived over a socket or will be repeated there */
	int64_t since_ms;  /* messages from here on may be missing and are to be fetched; 0: none */
	int64_t check_ms;  /* last check of the socket */
	uint64_t frame_ms; /* clock_now() of the last frame at that check */
	int64_t saved_ms;  /* the stored value */
	uint64_t save_due; /* clock_now() of the next store */
	bool begun;        /* this process has received a hello */
	bool wanted;       /* backfill.c has not yet started on since_ms */
	struct task *keeper, *fetcher;
	char lacks[32];  /* missing scope that limits the backfill, "" for none */
	bool complained; /* the log says so */
};

/* Reads the stored position. Suspends. Returns -1 with o set; a retry may help. */
int slack_sync_state_read(struct task *t, struct slack *sk, struct slack_outcome *o);
/* Starts the task that checks and stores; call it after slack_sync_state_read. */
void slack_sync_state_start(struct slack *sk);
/* A connection has received its hello. */
void slack_sync_state_hello(struct slack *sk);
/* Everything missing so far has been fetched. */
void slack_sync_state_backfilled(struct slack *sk);

#endif
