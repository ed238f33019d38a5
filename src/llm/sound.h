#ifndef LLM_SOUND_H
#define LLM_SOUND_H
/* A recording of somebody who speaks, and how long it is: that is what most services that turn speech into
 * text are paid by. */
#include <stdbool.h>
#include <stdint.h>

struct buf;

struct llm_sound {
	const char *name; /* of the file: its ending says what it is */
	const char *mime;
	const struct buf *bytes;
	int64_t said_seconds; /* how long it is, as its sender's platform says; -1: nobody said */
};

/* At least 1, rounded up. *guessed: nothing but its size tells, and it is rather too long. */
int64_t llm_sound_seconds(const struct llm_sound *sound, bool *guessed);

#endif
