#ifndef PLAYGROUND_TELEGRAM_WORLD_SERVICE_H
#define PLAYGROUND_TELEGRAM_WORLD_SERVICE_H
/* Service messages and the events behind them. */
#include <stdbool.h>
#include <stdint.h>

struct bot;
struct chat;
struct topic;
struct user;

/* The acting user or bot: one of the two. */
struct author {
	struct user *user;
	struct bot *bot;
};

/* Adds the message and queues it for the bots that may see it. Takes members, which are the message's
 * without braces. topic NULL: none. Returns the message id. */
int32_t service_add(struct chat *c, struct author by, const struct topic *topic, char *members);

/* A topic has the id of its first service message. */
struct topic *service_create_topic(struct chat *c, struct author by, const char *name, int64_t color);
void service_rename_topic(struct chat *c, struct author by, struct topic *topic, const char *name);
void service_close_topic(struct chat *c, struct author by, struct topic *topic, bool closed);
/* Deletes its messages without updates. */
void service_delete_topic(struct chat *c, struct topic *topic);
/* The general topic: its name; "closed" and "hidden", where what is hidden is closed, too. */
void service_rename_general(struct chat *c, struct author by, const char *name);
void service_set_general(struct chat *c, struct author by, const char *what, bool on);
/* A member joined or left. */
void service_member(struct chat *c, struct author by, struct author who, bool came);

#endif
