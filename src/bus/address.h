#ifndef BUS_ADDRESS_H
#define BUS_ADDRESS_H
/*
 * Where a message comes from or goes to: a plain value, compared and copied as such.
 * Written CHANNEL:CHAT[/THREAD], e.g. "telegram:-100123/42": the channel's name in the
 * config, the platform's id of the chat, and of the thread or topic where there is one.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;

struct address {
	char channel[32];
	char chat[64];
	char thread[64]; /* "" when none */
};

#define ADDRESS_TEXT_MAX (32 + 64 + 64 + 2)

/* Names are [A-Za-z0-9_-]+, chats and threads any printable characters but blanks; the chat has no '/'. */
int address_parse(const char *text, struct address *out, struct error *err);
/* out holds ADDRESS_TEXT_MAX bytes; returns out. */
char *address_format(const struct address *a, char *out);
bool address_equal(const struct address *a, const struct address *b);
/* Fields that do not fit are an error: ids are never cut. thread may be NULL. */
int address_set(
    struct address *a, const char *channel, const char *chat, const char *thread, struct error *err);

#endif
