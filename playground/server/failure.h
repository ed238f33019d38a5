#ifndef PLAYGROUND_SERVER_FAILURE_H
#define PLAYGROUND_SERVER_FAILURE_H
/* Failures of model providers by name, in the words of those who use them. */
#include <stdbool.h>
#include <stddef.h>

struct buf;

struct failure {
	const char *name;
	int status, messages_status;      /* for OpenAI's formats and for Anthropic's; 0: the same */
	const char *body, *messages_body; /* NULL: the same */
};

/* Returns NULL for an unknown name. */
const struct failure *failure_find(const char *name);
int failure_status(const struct failure *f, bool messages);
const char *failure_body(const struct failure *f, bool messages);
/* Appends the failure as an event inside a stream. format is "chat.completions", "messages" or
 * "responses". */
void failure_event(const struct failure *f, const char *format, struct buf *out);
/* Appends the HTML error page of a proxy with this status. */
void failure_page(int status, struct buf *out);

#endif
