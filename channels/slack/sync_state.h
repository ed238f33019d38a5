#ifndef CHANNELS_SLACK_SYNC_STATE_H
#define CHANNELS_SLACK_SYNC_STATE_H
/*
 * How far we have heard, kept over restarts. Slack repeats an event that nobody acknowledged for some minutes
 * only; what was said during a longer silence is fetched by catchup.c.
 */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct slack;
struct slack_outcome;
struct task;

/* Times of the wall clock unless they say otherwise; 0: not known. */
struct slack_sync_state {
	int64_t live_ms;   /* all that was said before has come over a socket, or is repeated there */
	int64_t since_ms;  /* from here on something may be missing, and is still to be fetched; 0: nothing */
	int64_t check_ms;  /* the last look at the socket */
	uint64_t frame_ms; /* clock_now() of the last frame that it had had then */
	int64_t saved_ms;  /* the value that is stored */
	uint64_t save_due; /* by clock_now(): when it is to be stored again */
	bool begun;        /* this process has had a hello */
	bool wanted;       /* catchup.c has not begun with what since_ms says */
	struct task *keeper, *fetcher;
	char lacks[32];  /* a scope without which not all is fetched, "" for none */
	bool complained; /* of that */
};

/* Reads what is stored. -1: o says why, may be tried again. */
int slack_sync_state_read(struct task *t, struct slack *sk, struct slack_outcome *o);
/* Starts the task that looks and stores; after slack_sync_state_read. */
void slack_sync_state_start(struct slack *sk);
/* A connection has said hello. */
void slack_sync_state_hello(struct slack *sk);
/* What was missing up to now has been fetched. */
void slack_sync_state_backfilled(struct slack *sk);

#endif
