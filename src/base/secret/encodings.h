#ifndef BASE_SECRET_ENCODINGS_H
#define BASE_SECRET_ENCODINGS_H
/*
 * The encodings in which text may contain a secret: verbatim, URL-escaped (RFC 3986, also + for a blank)
 * or JSON-escaped (RFC 8259), whatever the encoder chose to escape. Letters, digits and - . _ ~ count as
 * never escaped: no encoder escapes them.
 */
#include <stddef.h>

struct byte_pairs;

/* Returns the length of the text's prefix that encodes want, 0 when there is none. Of several readings the
 * longest counts: \\ in JSON is not \ and a rest. */
size_t encodings_match(const char *want, size_t want_len, const char *text, size_t len);
/* Sets the bytes with which an encoding of a string that begins with c may begin. Returns their number. */
#define ENCODINGS_FIRST_BYTES 4
size_t encodings_first_bytes(unsigned char c, unsigned char firsts[ENCODINGS_FIRST_BYTES]);
/* Adds every byte pair with which an encoding of want (at least two bytes) may begin. */
void encodings_add_starts(const char *want, struct byte_pairs *starts);

#endif
