#ifndef LLM_LOCAL_SERVER_H
#define LLM_LOCAL_SERVER_H
/*
 * Facts that a local server (Ollama, llama.cpp) reports about its model. Ollama silently drops the start
 * of a conversation that exceeds its context, which is small by default, so we check it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "llm/llm.h"

struct buf;

struct llm_local_server_facts {
	int64_t context;     /* context in tokens; 0 when unknown because the model is not loaded */
	int64_t context_max; /* maximum context of the model; 0 when unknown */
	bool missing;        /* the server does not have the model */
	bool no_tools;       /* the model cannot call tools */
	int vision;          /* has vision (1) or not (-1); 0 when unknown */
};

/* Asks the server. Returns 1 with facts filled, 0 when the provider is not a local server, -1 when it does
 * not answer as one. Suspends. */
int llm_local_server_ask(
    struct task *t, const struct llm_provider *p, struct llm_local_server_facts *facts, struct error *err);
/* Appends the problems and their remedies, one sentence or more; nothing when all is well. */
void llm_local_server_advise(
    const struct llm_provider *p, const struct llm_local_server_facts *facts, struct buf *out);
/* Asks unless the answer is recent. Stores the context for llm_window, the vision for llm_has_vision, and
 * whether to offer tools; logs problems once. Suspends. */
void llm_local_server_learn(struct task *t, const struct llm_provider *p);
/* Appends the models of an Ollama at base_url (".../v1"), newest first, each with a newline. Returns -1
 * when none answers. Suspends. */
int llm_local_server_list(struct task *t, const char *base_url, struct buf *out, struct error *err);

#endif
