#ifndef LLM_TRANSCRIBE_H
#define LLM_TRANSCRIBE_H
/* Speech to text: POST BASE_URL/audio/transcriptions, as OpenAI has it and many servers copy. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct config;
struct config_section;
struct error;
struct llm;
struct llm_transcriber;
struct task;

extern const struct config_section llm_transcribe_section;	/* "llm.transcribe" */

/* Reads llm.transcribe; errors are reported there. NULL when the file has none. */
struct llm_transcriber *llm_transcriber_new(struct config *cfg);
void llm_transcriber_free(struct llm_transcriber *tr);

/* Is an endpoint configured? */
bool llm_can_transcribe(const struct llm *l);
/* Appends what is spoken in a file of this name; nothing is also an answer. Asks again after a failure that passes. Refused
 * for a file that is larger than the setting allows. The sentence in err is for people. */
int llm_transcribe(struct task *t, const struct llm *l, const char *name, const char *mime, const struct buf *sound,
    struct buf *words, struct error *err);

#endif
