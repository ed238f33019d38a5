#ifndef PLAYGROUND_TELEGRAM_WORLD_VOTE_H
#define PLAYGROUND_TELEGRAM_WORLD_VOTE_H
/* Polls: extra has the Bot API's "poll", and in ".votes" the options of each person. */
#include <stdbool.h>

struct chat;
struct error;
struct json_object;
struct message;
struct user;

/* Puts a Poll (taken) into the message, without votes. */
void vote_begin(struct message *m, struct json_object *poll);
/* Closes it when its time is up, if it has one; the message is in the chat. */
void vote_watch(struct chat *c, const struct message *m);
struct json_object *vote_poll(const struct message *m); /* NULL: the message is no poll */
bool vote_is_closed(const struct message *m);
/* A person chooses options, which are indexes, or retracts the vote with none. */
int vote_cast(
    struct chat *c, struct message *m, const struct user *u, struct json_object *options, struct error *err);
/* Tells the bot that sent it. */
void vote_close(struct chat *c, struct message *m);

#endif
