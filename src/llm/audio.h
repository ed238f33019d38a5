#ifndef LLM_AUDIO_H
#define LLM_AUDIO_H
/* Speech recordings and their length, by which most transcription services charge. */
#include <stdbool.h>
#include <stdint.h>

struct buf;

struct llm_audio {
	const char *name; /* file name: its extension gives the format */
	const char *mime;
	const struct buf *bytes;
	int64_t stated_seconds; /* length that the sender's platform reports; -1 when unknown */
};

/* Returns the length in seconds, at least 1, rounded up. Sets *guessed when it is only estimated from the
 * size, on the high side. */
int64_t llm_audio_seconds(const struct llm_audio *audio, bool *guessed);

#endif
