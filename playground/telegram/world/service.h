#ifndef PLAYGROUND_TELEGRAM_WORLD_SERVICE_H
#define PLAYGROUND_TELEGRAM_WORLD_SERVICE_H
/* Service messages: what the platform itself puts into a chat when something happens there, and the
 * happening. */
#include <stdbool.h>
#include <stdint.h>

struct bot;
struct chat;
struct topic;
struct user;

/* Whose doing it is: one of the two. */
struct author {
	struct user *user;
	struct bot *bot;
};

/* Adds the message and tells the bots that may see it; members are those of the message, without braces, and
 * taken. topic NULL: of no topic. The id of the message. */
int32_t service_add(struct chat *c, struct author by, const struct topic *topic, char *members);

/* The topic has the id of its first service message. */
struct topic *service_create_topic(struct chat *c, struct author by, const char *name, int64_t color);
void service_rename_topic(struct chat *c, struct author by, struct topic *topic, const char *name);
void service_close_topic(struct chat *c, struct author by, struct topic *topic, bool closed);
/* Its messages go with it, without a word. */
void service_delete_topic(struct chat *c, struct topic *topic);
/* Somebody came, or went. */
void service_member(struct chat *c, struct author by, struct author who, bool came);

#endif
