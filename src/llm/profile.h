#ifndef LLM_PROFILE_H
#define LLM_PROFILE_H
/* The differences between providers that use the same wire format. */
#include <stdbool.h>

#include "llm/llm.h"
#include "net/http/http.h"

struct config;

/* The kind of local server, for what it reports besides the format. */
enum llm_local { LLM_NOT_LOCAL, LLM_OLLAMA, LLM_LLAMACPP };

struct llm_profile {
	const char *name;     /* in the configuration */
	const char *api;      /* the default wire format */
	const char *base_url; /* NULL when it has none */
	/* Start of the base URLs by which it is recognised; NULL: by name only. */
	const char *origin;
	unsigned port; /* port on this machine by which it is recognised too; 0 for none */
	bool needs_key;
	bool defines_format;    /* inventor of the format: accepts what other providers do not know */
	const char *max_tokens; /* chat: name of this member; NULL: max_tokens */
	bool parallel;          /* chat: calls several tools at once only on request */
	/* Chat: an answer of another model needs a reasoning_content, possibly empty. */
	bool empty_reasoning;
	bool signed_calls;         /* chat: a call of another model needs a thought signature */
	bool short_ids;            /* call ids have 9 letters and digits */
	bool plain_schemas;        /* needs simplified tool schemas: see llm_schema_plain */
	struct http_header header; /* sent with each request; name NULL for none */
	const char *limits;        /* prefix of its rate-limit headers, NULL for none */
	enum llm_local local;
};

/* Returns the provider's profile; a generic one of the format if neither its name nor its URL is
 * recognised. */
const struct llm_profile *llm_profile_of(const struct llm_provider *p);
/* Returns NULL for an unknown name. */
const struct llm_profile *llm_profile_find(const char *name);
/* Returns the profile at an index, NULL after the last. */
const struct llm_profile *llm_profile_at(unsigned i);
/* Sets profile, format and base URL from the settings at path; reports errors to cfg. */
void llm_profile_apply_defaults(struct llm_provider *p, struct config *cfg, const char *path);

/* Choices of the setting: "auto", then the names, then NULL. */
extern const char *const llm_profile_names[];

#endif
