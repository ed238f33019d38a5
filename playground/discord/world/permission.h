#ifndef PLAYGROUND_DISCORD_WORLD_PERMISSION_H
#define PLAYGROUND_DISCORD_WORLD_PERMISSION_H
/* Permission bits (Discord: topics/permissions). */
#include <stdint.h>

#define CORD_MAY_ADMINISTER      (UINT64_C(1) << 3)
#define CORD_MAY_MANAGE_CHANNELS (UINT64_C(1) << 4)
#define CORD_MAY_REACT           (UINT64_C(1) << 6)
#define CORD_MAY_VIEW            (UINT64_C(1) << 10)
#define CORD_MAY_SEND            (UINT64_C(1) << 11)
#define CORD_MAY_MANAGE_MESSAGES (UINT64_C(1) << 13)
#define CORD_MAY_EMBED           (UINT64_C(1) << 14)
#define CORD_MAY_ATTACH          (UINT64_C(1) << 15)
#define CORD_MAY_READ_HISTORY    (UINT64_C(1) << 16)
#define CORD_MAY_MENTION_ALL     (UINT64_C(1) << 17)
#define CORD_MAY_MANAGE_THREADS  (UINT64_C(1) << 34)
#define CORD_MAY_MAKE_THREADS    (UINT64_C(1) << 35)
#define CORD_MAY_MAKE_PRIVATE    (UINT64_C(1) << 36)
#define CORD_MAY_SEND_IN_THREADS (UINT64_C(1) << 38)
#define CORD_MAY_SEND_VOICE      (UINT64_C(1) << 46)

/* The permissions of an ordinary invitation. */
#define CORD_MAY_USUALLY                                                                     \
	(CORD_MAY_REACT | CORD_MAY_VIEW | CORD_MAY_SEND | CORD_MAY_EMBED | CORD_MAY_ATTACH | \
	    CORD_MAY_READ_HISTORY | CORD_MAY_MAKE_THREADS | CORD_MAY_MAKE_PRIVATE |          \
	    CORD_MAY_SEND_IN_THREADS | CORD_MAY_SEND_VOICE)
#define CORD_MAY_ALL                                                                                    \
	(CORD_MAY_USUALLY | CORD_MAY_ADMINISTER | CORD_MAY_MANAGE_CHANNELS | CORD_MAY_MANAGE_MESSAGES | \
	    CORD_MAY_MENTION_ALL | CORD_MAY_MANAGE_THREADS)

/* Returns the bit of a name such as SEND_MESSAGES, 0 if it is unknown here. */
uint64_t cord_permission_find(const char *name);

#endif
