#ifndef BUS_ADDRESS_H
#define BUS_ADDRESS_H
/*
 * The address of a conversation: the source or the destination of a message. A plain value that is
 * compared and copied with its struct.
 * The text form is CHANNEL:CHAT[/THREAD], e.g. "telegram:-100123/42": the channel's name in the
 * configuration, the platform's id of the chat, and the id of the thread or topic if there is one.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;

struct address {
	char channel[32];
	char chat[64];
	char thread[64]; /* "" for none */
};

#define ADDRESS_TEXT_MAX (32 + 64 + 64 + 2)

/* Returns -1 unless the channel is [A-Za-z0-9_-]+ and chat and thread are printable without blanks; a chat
 * has no '/'. */
int address_parse(const char *text, struct address *out, struct error *err);
/* out has room for ADDRESS_TEXT_MAX bytes. Returns out. */
char *address_format(const struct address *a, char *out);
bool address_equal(const struct address *a, const struct address *b);
/* Returns -1 when a field does not fit: an id is never cut. thread may be NULL. */
int address_set(
    struct address *a, const char *channel, const char *chat, const char *thread, struct error *err);

#endif
