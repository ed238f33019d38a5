#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H
/* Output of a program on one stream, in bounded memory: its start and its end. */
#include <stddef.h>
#include <stdint.h>

struct buf;

struct output {
	size_t half;       /* bytes kept of the start, and of the end */
	char *head, *tail; /* tail is a ring buffer */
	size_t head_len;
	uint64_t total;
};

void output_init(struct output *o, size_t most);
void output_clear(struct output *o);
void output_add(struct output *o, const char *data, size_t len);
/* Appends all, or, of more than about `most` bytes, start and end with "[... N bytes left out ...]" between.
 * Returns the number of bytes left out. */
uint64_t output_write(const struct output *o, size_t most, struct buf *out);

#endif
