#ifndef LLM_PROVIDER_H
#define LLM_PROVIDER_H
/* A configured endpoint, with what is known of it. */
#include <stdbool.h>
#include <stdint.h>

#include "llm/request_rate.h"
#include "llm/price.h"

struct llm_ops;
struct llm_profile;

/* llm.providers.NAME */
struct llm_provider_settings {
	int profile; /* index of its name in llm_profile_names */
	int api;     /* index of the wire format */
	char *base_url;
	const char *key; /* secret, NULL for local servers */
	char *model;
	int64_t max_tokens; /* of one answer; 0: the provider's default */
	int64_t context;    /* tokens of the window; 0: see llm_window */
	int64_t idle_ms;    /* longest silence in an answer */
	int64_t rpm;        /* requests in a minute; 0: not limited */
	bool images;        /* its model sees, as the settings say, or else its name */
};

/* What its answers taught of a provider; forgotten at the end of the process. */
struct llm_learned {
	bool blind;        /* its model takes no images */
	bool no_reasoning; /* its model knows no encrypted reasoning */
	struct llm_request_rate request_rate;
	int64_t context;       /* tokens that a local server reads; 0: not known */
	bool no_tools;         /* a local server says that its model cannot call tools */
	int vision;            /* and that it sees (1), or does not (-1); 0: nothing */
	uint64_t look_at;      /* clock_now() when that is asked for again */
	bool warned;           /* what is amiss with it was logged */
	int trouble;           /* enum llm_alert that it is in */
	int64_t alert_sent[5]; /* by trouble: the day of which it was told, 0: never */
};

struct llm_provider {
	char *name; /* in the config */
	const struct llm_ops *ops;
	const struct llm_profile *profile; /* NULL: see llm_profile_of */
	struct llm_provider_settings settings;
	struct llm_learned *learned; /* may be NULL */
	struct llm_price price;
	bool images_configured; /* in the settings: nobody else is asked whether it sees */
};

#endif
