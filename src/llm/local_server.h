#ifndef LLM_LOCAL_SERVER_H
#define LLM_LOCAL_SERVER_H
/*
 * What a server on this machine (Ollama, llama.cpp) says of the model that it serves. Ollama drops the
 * beginning of what does not fit its context without a word, and that context is small unless it is told
 * otherwise: so it is looked at.
 */
#include <stdbool.h>
#include <stdint.h>

#include "llm/llm.h"

struct buf;

struct llm_local_server_facts {
	int64_t context; /* tokens that it reads; 0: not known, because the model is not loaded */
	int64_t most;    /* that the model could read; 0: not said */
	bool missing;    /* the server does not have the model */
	bool no_tools;   /* the model cannot call tools */
	int vision;      /* it sees (1), or does not (-1); 0: not said */
};

/* Asks; 1: facts is filled; 0: the provider is no such server; -1: it does not answer as one. */
int llm_local_server_ask(
    struct task *t, const struct llm_provider *p, struct llm_local_server_facts *facts, struct error *err);
/* Appends what is amiss, with what to do about it: one sentence or more. Nothing when all is well. */
void llm_local_server_advise(
    const struct llm_provider *p, const struct llm_local_server_facts *facts, struct buf *out);
/* Asks where nothing is known yet, or not for long, and keeps the context for llm_window, what it sees for
 * llm_has_vision, and whether it is offered tools; what is amiss is logged, once. */
void llm_local_server_learn(struct task *t, const struct llm_provider *p);
/* The models that an Ollama at base_url (".../v1") has, the newest first, each with a newline, appended. -1:
 * none answers. */
int llm_local_server_list(struct task *t, const char *base_url, struct buf *out, struct error *err);

#endif
