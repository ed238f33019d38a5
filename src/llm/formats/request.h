#ifndef LLM_FORMATS_REQUEST_H
#define LLM_FORMATS_REQUEST_H
/* What the bodies of all wire formats have in common. Private to them. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;
struct json_flat;

/* Appends text as a JSON string. */
void request_add_text(struct buf *out, const char *text);
/* The same of the text of a message, which keeps it from the second time on: a conversation is written down
 * again for each step of a turn, and let go at its end. */
void request_add_message_text(struct buf *out, struct llm_message *m);
/* Room for the messages, so that the body is not moved while it grows. */
void request_reserve(struct buf *out, const struct llm_request *req);
/* Did the message come from this provider and model, with its raw text? */
bool request_is_own(const struct llm_provider *p, const struct llm_message *m);

/* What raw may be. */
enum request_raw { REQUEST_RAW_CHAT, REQUEST_RAW_CHAT_REASONED, REQUEST_RAW_BLOCKS, REQUEST_RAW_ITEMS };
/* Is raw such a one that says what the message says? Storage is not trusted, so that fits() reads it, but
 * only once: a conversation is written down again for each step of a turn. */
bool request_raw_fits(struct llm_message *m, enum request_raw what,
    bool (*fits)(const struct llm_message *m, const struct json_flat *raw));

#endif
