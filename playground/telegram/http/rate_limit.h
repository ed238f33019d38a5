#ifndef PLAYGROUND_TELEGRAM_HTTP_RATE_LIMIT_H
#define PLAYGROUND_TELEGRAM_HTTP_RATE_LIMIT_H
/*
 * Rate limits. Documented (Bots FAQ, "My bot is hitting limits"): about one message a second
 * in a chat with bursts tolerated, 20 messages a minute in a group, about 30 a second over
 * all; edits in groups about as messages. Chosen here, for the FAQ gives no numbers: how large
 * a burst may be, and that edits in private chats are counted as messages are.
 */
#include <stdint.h>

enum bucket_kind { BUCKET_PRIVATE, BUCKET_GROUP, BUCKET_PRIVATE_EDIT, BUCKET_GROUP_EDIT, BUCKET_OVERALL };

struct bucket {            /* zeroed before first use: full */
	uint64_t spent_ms; /* when the bucket will be full again */
};

/* How many whole seconds to wait until one more is allowed; 0: now. Takes nothing. */
unsigned bucket_wait(const struct bucket *b, enum bucket_kind kind, uint64_t now_ms);
void bucket_take(struct bucket *b, enum bucket_kind kind, uint64_t now_ms);

#endif
