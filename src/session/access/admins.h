#ifndef SESSION_ACCESS_ADMINS_H
#define SESSION_ACCESS_ADMINS_H
/* Who is told what admins must know of a channel. Private to sessions. */
#include <stddef.h>

#include "bus/address.h"

struct sessions;

/* Where reports go, else the private chats of the channel's owners and admins, those from chat too: how many,
 * at most most. */
size_t admins_find(const struct sessions *all, const char *channel, struct address *out, size_t most);
/* The same of all channels; all is the struct sessions. */
size_t admins_find_all(void *all, struct address *out, size_t most);

#endif
