#ifndef PLAYGROUND_WORLD_GIVEN_H
#define PLAYGROUND_WORLD_GIVEN_H
/* What control requests say of files and polls, on all platforms. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;

/* "newest" names the newest message of a chat in place of its id. */
bool given_is_newest(const char *message_id);

/* Says that key, which is that id or NULL, names no message. */
int given_no_message(const char *key, const char *message_id, struct error *err);

/* {"name", "base64" or "size" (so many zeros), "kind"?, "type"?, "width"?, "height"?, "duration"?} */
struct given_file {
	const char *name, *kind, *type; /* borrowed; kind and type: NULL when not given */
	char *data;                     /* the caller frees it; NULL: len zeros */
	size_t len;
	unsigned width, height; /* 0: not given */
	double duration;        /* seconds; 0: not given */
};

/* Returns -1 with err, and nothing to free. */
int given_file_read(struct json_object *o, size_t max, struct given_file *f, struct error *err);
bool given_file_is(const struct given_file *f, const char *kind);

/* {"question", "answers": [text, …], "multiple"?, "seconds"?, "anonymous"?, "correct"?: an answer} */
struct given_poll {
	const char *question;
	struct json_object *answers; /* borrowed: an array of texts */
	bool multiple, anonymous;
	int64_t seconds; /* how long it is open; 0: not given */
	int64_t correct; /* index of the answer; -1: it is no quiz */
};

int given_poll_read(struct json_object *o, struct given_poll *p, struct error *err);
/* Reads a vote: "answer" is the text of an answer or its number from 1, or a list of these. answers: texts,
 * or objects that hold them. Returns the indexes from 0, new; NULL with err. */
struct json_object *given_answers(struct json_object *in, struct json_object *answers, struct error *err);

#endif
