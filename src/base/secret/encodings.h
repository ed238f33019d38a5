#ifndef BASE_SECRET_ENCODINGS_H
#define BASE_SECRET_ENCODINGS_H
/*
 * The ways in which text may spell a string of bytes: as it is, URL-escaped (RFC 3986,
 * also + for a blank) or JSON-escaped (RFC 8259), whatever the encoder chose to escape.
 * Letters, digits and - . _ ~ are never escaped, which no encoder does.
 */
#include <stddef.h>

struct byte_pairs;

/* How many bytes at the front of text spell want, 0 when they do not. Where it can be read
 * in several ways the longest counts: \\ in JSON is not \ and a leftover. */
size_t encodings_match(const char *want, size_t want_len, const char *text, size_t len);
/* The bytes with which a spelling of a string that begins with c may begin. Returns how many. */
#define ENCODINGS_FIRST_BYTES 4
size_t encodings_first_bytes(unsigned char c, unsigned char firsts[ENCODINGS_FIRST_BYTES]);
/* Adds every pair of bytes with which a spelling of want (two bytes at least) may begin. */
void encodings_add_starts(const char *want, struct byte_pairs *starts);

#endif
