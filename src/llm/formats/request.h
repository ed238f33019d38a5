#ifndef LLM_FORMATS_REQUEST_H
#define LLM_FORMATS_REQUEST_H
/* What the request builders of all wire formats share. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;
struct json_flat;

/* Appends text as a JSON string. */
void request_add_text(struct buf *out, const char *text);
/* Like request_add_text for a message's text, which is cached from the second use on: each step of a turn
 * sends the whole conversation again. */
void request_add_message_text(struct buf *out, struct llm_message *m);
/* Reserves space for the messages, so that the body does not move while it grows. */
void request_reserve(struct buf *out, const struct llm_request *req);
/* Returns true when the message came from this provider and model with its raw text. */
bool request_is_own(const struct llm_provider *p, const struct llm_message *m);

/* The format of raw. */
enum request_raw { REQUEST_RAW_CHAT, REQUEST_RAW_CHAT_REASONED, REQUEST_RAW_BLOCKS, REQUEST_RAW_ITEMS };
/* Returns true when raw has that format and matches the message's fields. Storage is not trusted, so fits()
 * checks it; the result is cached, because each step of a turn sends the whole conversation again. */
bool request_raw_fits(struct llm_message *m, enum request_raw what,
    bool (*fits)(const struct llm_message *m, const struct json_flat *raw));

#endif
