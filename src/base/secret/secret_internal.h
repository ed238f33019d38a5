#ifndef BASE_SECRET_SECRET_INTERNAL_H
#define BASE_SECRET_SECRET_INTERNAL_H
/* What secret.c builds on. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of byte pairs: a fast test whether a match can begin at a position. */

struct byte_pairs {
	uint64_t bits[1024];
};

static inline void byte_pairs_add(struct byte_pairs *set, unsigned char first, unsigned char second)
{
	unsigned pair = (unsigned)first << 8 | second;

	set->bits[pair / 64] |= (uint64_t)1 << pair % 64;
}

static inline bool byte_pairs_have(const struct byte_pairs *set, unsigned char first, unsigned char second)
{
	unsigned pair = (unsigned)first << 8 | second;

	return (set->bits[pair / 64] >> pair % 64 & 1) != 0;
}

/*
 * encodings.c: The encodings in which text may contain a secret: verbatim, URL-escaped (RFC 3986, also + for
 * a blank) or JSON-escaped (RFC 8259), whatever the encoder chose to escape. Letters, digits and - . _ ~
 * count as never escaped: no encoder escapes them.
 */

/* Returns the length of the text's prefix that encodes want, 0 when there is none. Of several readings the
 * longest counts: \\ in JSON is not \ and a rest. */
size_t encodings_match(const char *want, size_t want_len, const char *text, size_t len);
/* Sets the bytes with which an encoding of a string that begins with c may begin. Returns their number. */
#define ENCODINGS_FIRST_BYTES 4
size_t encodings_first_bytes(unsigned char c, unsigned char firsts[ENCODINGS_FIRST_BYTES]);
/* Adds every byte pair with which an encoding of want (at least two bytes) may begin. */
void encodings_add_starts(const char *want, struct byte_pairs *starts);

/*
 * token_shape.c: What bot tokens look like, so that one that nobody registered is found too:
 *   Telegram  digits:35 characters (Bot API, "Authorizing your bot"; the colon also as %3A)
 *   Slack     xoxb-…, xoxp-…, xapp-… (Slack, "Token types")
 *   Discord   three parts with dots, of at least 23, exactly 6 and at least 27 characters
 */

/* One pass over a text. Its cost must not grow faster than the text, which anybody may have written. */
struct secret_scan {
	const char *text;
	size_t len, at;
	size_t slack_end; /* of the run that began like a token of Slack */
};

/* Returns true when a token surrounds text[at]. It begins at *start and ends before *end. A pass asks with
 * a rising at; a token of Slack within another one is not reported. */
bool token_shape_find(struct secret_scan *scan, size_t at, size_t *start, size_t *end);
/* Adds the byte pairs at which token_shape_find can return true. */
void token_shape_add_starts(struct byte_pairs *starts);

#endif
