#ifndef PLAYGROUND_SERVER_FAILURE_H
#define PLAYGROUND_SERVER_FAILURE_H
/* Failures of model providers by name, in the words of those who use them. */
#include <stdbool.h>
#include <stddef.h>

struct buf;

struct failure {
	const char *name;
	int status, messages_status; /* in the formats of OpenAI, and in that of Anthropic; 0: the same */
	const char *body, *messages_body; /* NULL: the same */
};

/* NULL: there is none of this name. */
const struct failure *failure_find(const char *name);
int failure_status(const struct failure *f, bool messages);
const char *failure_body(const struct failure *f, bool messages);
/* Appends it as an event of a stream that began well; format is the name of the endpoint ("chat.completions",
 * "messages", "responses"). */
void failure_event(const struct failure *f, const char *format, struct buf *out);
/* Appends the page that a proxy shows with this status. */
void failure_page(int status, struct buf *out);

#endif
