#ifndef LLM_PROFILE_H
#define LLM_PROFILE_H
/*
 * How providers that speak the same wire format differ. What is the same for all of a format is not in here.
 */
#include <stdbool.h>

#include "llm/llm.h"
#include "net/http/http.h"

struct config;

/* What a local server tells of itself, beside the format. */
enum llm_local { LLM_NOT_LOCAL, LLM_OLLAMA, LLM_LLAMACPP };

struct llm_profile {
	const char *name;     /* in the config */
	const char *api;      /* the format in which it is asked, unless the settings say otherwise */
	const char *base_url; /* NULL: none of its own */
	const char
	    *origin; /* with which the base URLs begin by which it is known; NULL: it is known by name only */
	unsigned port; /* of this machine, by which it is known as well; 0: none */
	bool needs_key;
	bool own_words;         /* the maker of the format: takes what others do not know */
	const char *max_tokens; /* chat: the name of this member; NULL: max_tokens */
	bool parallel;          /* chat: calls several tools at once only when it is asked to */
	bool empty_reasoning; /* chat: an answer of another model has to have a reasoning_content, if only an
				 empty one */
	bool signed_calls;    /* chat: a call of another model has to have a thought signature */
	bool short_ids;       /* ids of calls have 9 letters and digits */
	bool plain_schemas;   /* parameters of tools: see llm_schema_plain */
	struct http_header header; /* goes along with each request; name NULL: none */
	const char *limits;        /* with which the headers begin that tell of its limits, NULL: none do */
	enum llm_local local;
};

/* The provider's; one that knows no more than the format, where neither its name nor its URL says which it
 * is. */
const struct llm_profile *llm_profile_of(const struct llm_provider *p);
/* NULL: there is none of this name. */
const struct llm_profile *llm_profile_find(const char *name);
/* All of them, NULL after the last. */
const struct llm_profile *llm_profile_at(unsigned i);
/* Settles profile, format and base URL from what the settings at path say; errors are reported there. */
void llm_profile_apply_defaults(struct llm_provider *p, struct config *cfg, const char *path);

/* For the setting: "auto", then their names, then NULL. */
extern const char *const llm_profile_names[];
/* Likewise "auto" and the formats. */
extern const char *const llm_api_names[];

#endif
