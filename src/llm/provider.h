#ifndef LLM_PROVIDER_H
#define LLM_PROVIDER_H
/* A configured endpoint and what was learned about it. */
#include <stdbool.h>
#include <stdint.h>

#include "llm/request_rate.h"
#include "llm/price.h"

struct llm_ops;
struct llm_profile;

/* llm.providers.NAME */
struct llm_provider_settings {
	int profile; /* index in llm_profile_names */
	int api;     /* index of the wire format */
	char *base_url;
	const char *key; /* secret; NULL for local servers */
	char *model;
	int64_t max_tokens; /* per answer; 0: the provider's default */
	int64_t context;    /* context window in tokens; 0: see llm_window */
	int64_t idle_ms;    /* longest silence in an answer, ms */
	int64_t rpm;        /* requests per minute; 0: unlimited */
	bool images;        /* its model has vision, by the settings or else by its name */
};

/* What the provider's answers revealed; lost at the end of the process. */
struct llm_learned {
	bool no_images;    /* its model takes no images */
	bool no_reasoning; /* its model has no encrypted reasoning */
	struct llm_request_rate request_rate;
	int64_t context;       /* tokens, as a local server reports; 0 when unknown */
	bool no_tools;         /* a local server reports that its model cannot call tools */
	int vision;            /* a local server reports vision (1) or none (-1); 0 when unknown */
	uint64_t next_check;   /* clock_now() of the next check */
	bool warned;           /* a problem was logged */
	bool answered;         /* its last request that ended well or with an alert */
	int alert;             /* its current enum llm_alert */
	int64_t alert_sent[5]; /* by alert: the day of its last notice, 0: none */
};

struct llm_provider {
	char *name; /* in the configuration */
	const struct llm_ops *ops;
	const struct llm_profile *profile; /* NULL: see llm_profile_of */
	struct llm_provider_settings settings;
	struct llm_learned *learned; /* may be NULL */
	struct llm_price price;
	bool images_configured; /* set in the configuration: overrides what is learned */
};

#endif
