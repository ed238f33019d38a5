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
struct llm_bill;
struct llm_provider;
struct llm_audio;
struct llm_transcriber;
struct task;

extern const struct config_section llm_transcribe_section; /* "llm.transcribe" */

/* Reads llm.transcribe; errors are reported there. NULL when the file has none. */
struct llm_transcriber *llm_transcriber_new(struct config *cfg);
void llm_transcriber_free(struct llm_transcriber *tr);

/* Is an endpoint configured? */
bool llm_can_transcribe(const struct llm *l);
/* It, as one that has a name ("transcribe"), a model and a price, and nothing else; NULL: none is
 * configured. */
const struct llm_provider *llm_transcription_provider(const struct llm *l);
/* Appends what is spoken; nothing is also an answer. Asks again after a failure that passes. Refused for what
 * is larger than the setting allows. What is to be paid is added to bill, also when it fails. The sentence in
 * err is for people. Only budget_transcribe calls it, which sees to it that it may be spent. */
int llm_transcribe(struct task *t, const struct llm *l, const struct llm_audio *audio, struct buf *words,
    struct llm_bill *bill, struct error *err);

#endif
