#ifndef LLM_TRANSCRIBE_H
#define LLM_TRANSCRIBE_H
/* Speech to text: POST BASE_URL/audio/transcriptions, as OpenAI defines it and many servers copy it. */
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

/* Reads llm.transcribe and reports errors to cfg. NULL when the file has none. */
struct llm_transcriber *llm_transcriber_new(struct config *cfg);
void llm_transcriber_free(struct llm_transcriber *tr);

/* Returns true when an endpoint is configured. */
bool llm_can_transcribe(const struct llm *l);
/* Returns the endpoint as a provider with only a name ("transcribe"), a model and a price; NULL when none
 * is configured. */
const struct llm_provider *llm_transcription_provider(const struct llm *l);
/* Appends the transcript, which may be empty. Retries temporary failures. ERROR_REFUSED for audio above the
 * configured size. Adds billable usage to bill, also on failure. The sentence in err is for people. Only
 * ask_model_transcribe calls it, because it checks the budget. */
int llm_transcribe(struct task *t, const struct llm *l, const struct llm_audio *audio, struct buf *transcript,
    struct llm_bill *bill, struct error *err);

#endif
