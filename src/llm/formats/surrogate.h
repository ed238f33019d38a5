#ifndef LLM_FORMATS_SURROGATE_H
#define LLM_FORMATS_SURROGATE_H
/*
 * Joins a surrogate pair that a server split over two stream events: "\ud83c" at the end of a string in
 * one and "\udf27" at the start of one in the next. Alone each would become U+FFFD.
 */
#include <stddef.h>

struct buf;

struct surrogate {
	char half[7]; /* high half kept from an earlier event, "" if none */
};

/* Appends the JSON text, without a high half at the end of a string, which is kept, and with the kept one
 * before its low half. Unpaired halves stay, or are lost at the end of the stream. */
void surrogate_join(struct surrogate *s, const char *json, size_t len, struct buf *out);

#endif
