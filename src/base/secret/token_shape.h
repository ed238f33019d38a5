#ifndef BASE_SECRET_TOKEN_SHAPE_H
#define BASE_SECRET_TOKEN_SHAPE_H
/*
 * What bot tokens look like, so that one that nobody registered is found too:
 *   Telegram  digits:35 characters (Bot API, "Authorizing your bot"; the colon also as %3A)
 *   Slack     xoxb-…, xoxp-…, xapp-… (Slack, "Token types")
 *   Discord   three parts with dots, of at least 23, exactly 6 and at least 27 characters
 */
#include <stdbool.h>
#include <stddef.h>

struct byte_pairs;

/* Returns true when a token surrounds text[at]. It begins at *start, not before from, and ends before
 * *end. */
bool token_shape_find(const char *text, size_t len, size_t from, size_t at, size_t *start, size_t *end);
/* Adds the byte pairs at which token_shape_find can return true. */
void token_shape_add_starts(struct byte_pairs *starts);

#endif
