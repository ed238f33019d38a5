#ifndef LLM_PRICE_H
#define LLM_PRICE_H
/*
 * What models cost, by the list llm.prices: in millionths of the currency, for a million tokens. What a
 * request cost is worked out when it is answered, and stored with it: prices change. A model that the list
 * does not name has no price, which is not 0.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config;
struct config_section;
struct llm;
struct llm_provider;

struct llm_usage {
	int64_t input_tokens;                  /* all that the model read */
	int64_t cached_tokens, written_tokens; /* of those: read from a cache, written into one */
	int64_t output_tokens;
	int64_t seconds; /* of sound that was heard */
	int64_t cost;    /* millionths of llm.currency; 0 where there is no price */
	bool priced;     /* there is one */
	bool estimated;  /* the provider did not say all of it: that is our own guess */
};

/* What several requests took together. */
struct llm_bill {
	int64_t requests;
	int64_t unpriced, estimated; /* of those */
	struct llm_usage sum;
};
void llm_bill_add(struct llm_bill *bill, const struct llm_usage *usage);

struct llm_price {
	bool known; /* of tokens */
	int64_t input, cached, written, output;
	bool heard; /* that of speech is known: */
	int64_t minute, request;
};

extern const struct config_section llm_price_section; /* "llm.prices[]" */

/* Fills in the price of each provider; mistakes are reported. */
void llm_prices_read(struct config *cfg, struct llm_provider *providers, size_t count);
/* The same for the one that turns speech into text, which llm.prices calls "transcribe". */
void llm_prices_read_speech(struct config *cfg, struct llm_provider *hearer);
/* Sets usage->cost, rounded up, and usage->priced. */
void llm_price_apply(const struct llm_price *price, struct llm_usage *usage);
/* The same for speech that became text: by its length, or by tokens where the service counts them. */
void llm_price_speech(const struct llm_price *price, struct llm_usage *usage);
/* What the currency is called. */
const char *llm_currency(const struct llm *l);
/* The most that so many tokens may cost, whoever of those answers who may be asked, the named one (NULL:
 * none) before all others. False: of one of them, *unpriced, the price is not known. */
bool llm_price_max(const struct llm *l, const char *provider, int64_t input, int64_t output, int64_t *cost,
    const struct llm_provider **unpriced);

#endif
