#ifndef PLAYGROUND_TELEGRAM_HTTP_RATE_LIMIT_H
#define PLAYGROUND_TELEGRAM_HTTP_RATE_LIMIT_H
/*
 * Rate limits. Documented (Bots FAQ, "My bot is hitting limits"): about one message per second in a chat with
 * bursts tolerated, 20 messages per minute in a group, about 30 per second in all; edits in groups count
 * about the same. Undocumented: burst sizes, and that edits in private chats count as messages; they are
 * chosen here.
 */
#include <stdint.h>

enum bucket_kind { BUCKET_PRIVATE, BUCKET_GROUP, BUCKET_PRIVATE_EDIT, BUCKET_GROUP_EDIT, BUCKET_OVERALL };

struct bucket {            /* zero-initialised: full */
	uint64_t spent_ms; /* time at which it is full again */
};

/* Returns the seconds until the next call is allowed, 0: now. Takes nothing. */
unsigned bucket_wait(const struct bucket *b, enum bucket_kind kind, uint64_t now_ms);
/* Takes one. Returns how much of the bucket is used up then, in percent. */
unsigned bucket_take(struct bucket *b, enum bucket_kind kind, uint64_t now_ms);

#endif
