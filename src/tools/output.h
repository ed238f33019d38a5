#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H
/* What a program writes to one stream: however much that is, its beginning and its end are kept. */
#include <stddef.h>
#include <stdint.h>

struct buf;

struct output {
	size_t half;       /* as much is kept of the beginning, and of the end */
	char *head, *tail; /* the tail is a ring */
	size_t head_len;
	uint64_t total;
};

void output_init(struct output *o, size_t most);
void output_clear(struct output *o);
void output_add(struct output *o, const char *data, size_t len);
/* Appends at most about most bytes of what is kept: all, or beginning and end with the mark "[... N bytes
 * left out ...]" between. How many bytes were left out. */
uint64_t output_write(const struct output *o, size_t most, struct buf *out);

#endif
