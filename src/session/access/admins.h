#ifndef SESSION_ACCESS_ADMINS_H
#define SESSION_ACCESS_ADMINS_H
/* Who receives notices for the admins of a channel. */
#include <stddef.h>

#include "bus/address.h"

struct sessions;

/* Fills out with the reports addresses, or without any with the private chats of the channel's owners and
 * admins, granted ones included. Returns how many, at most `most`. */
size_t admins_find(const struct sessions *all, const char *channel, struct address *out, size_t most);
/* The same for all channels; all is the struct sessions. */
size_t admins_find_all(void *all, struct address *out, size_t most);

#endif
