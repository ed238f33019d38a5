#ifndef LLM_AUDIO_H
#define LLM_AUDIO_H
/* A recording of somebody who speaks, and how long it is: that is what most services that turn speech into
 * text are paid by. */
#include <stdbool.h>
#include <stdint.h>

struct buf;

struct llm_audio {
	const char *name; /* of the file: its ending says what it is */
	const char *mime;
	const struct buf *bytes;
	int64_t stated_seconds; /* how long it is, as its sender's platform says; -1: nobody said */
};

/* At least 1, rounded up. *guessed: nothing but its size tells, and it is rather too long. */
int64_t llm_audio_seconds(const struct llm_audio *audio, bool *guessed);

#endif
