#ifndef LLM_FORMATS_SURROGATE_H
#define LLM_FORMATS_SURROGATE_H
/*
 * Joins a surrogate pair that a server split over two pieces of a stream: "\ud83c" at the end
 * of a string in one piece and "\udf27" at the beginning of one in the next. Each alone would
 * become U+FFFD.
 */
#include <stddef.h>

struct buf;

struct surrogate {
	char half[7]; /* the escape held back from an earlier piece, "" if none */
};

/* Appends the JSON text to out with the high half at the end of a string held back, or the held one put
 * before its low half. Halves that find no partner are left as they are, or are lost at the end of the
 * stream. */
void surrogate_join(struct surrogate *s, const char *json, size_t len, struct buf *out);

#endif
