#ifndef CHANNELS_SLACK_BACKFILL_H
#define CHANNELS_SLACK_BACKFILL_H
/*
 * What was said while nobody heard it, fetched from the conversations that the app is in:
 * users.conversations, conversations.history and conversations.replies. What came over a socket, too, is
 * known by its key.
 */
struct slack;

/* Fetches, in a task of its own, what heard.h says is missing; again when that has grown meanwhile. */
void slack_backfill_start(struct slack *sk);

#endif
