#ifndef LLM_PRICE_H
#define LLM_PRICE_H
/*
 * What models cost, by the list llm.prices: in millionths of the currency, for a million tokens. What a request cost is worked out
 * when it is answered, and stored with it: prices change. A model that the list does not name has no price, which is not 0.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config;
struct config_section;
struct llm;
struct llm_provider;

struct llm_usage {
	int64_t input_tokens;		/* all that the model read */
	int64_t cached_tokens, written_tokens;	/* of those: read from a cache, written into one */
	int64_t output_tokens;
	int64_t cost;			/* millionths of llm.currency; 0 where there is no price */
	bool priced;			/* there is one */
};

struct llm_price {
	bool known;
	int64_t input, cached, written, output;
};

extern const struct config_section llm_price_section;	/* "llm.prices[]" */

/* The sum; a price is known when one of both had one. */
void llm_usage_add(struct llm_usage *sum, const struct llm_usage *more);
/* Fills in the price of each provider; mistakes are reported. */
void llm_prices_read(struct config *cfg, struct llm_provider *providers, size_t count);
/* Sets usage->cost, rounded up, and usage->priced. */
void llm_price_apply(const struct llm_price *price, struct llm_usage *usage);
/* What the currency is called. */
const char *llm_currency(const struct llm *l);
/* The most that so many tokens may cost, whoever of those answers who may be asked, the named one (NULL: none) before all others.
 * False: of one of them, *unpriced, the price is not known. */
bool llm_price_most(const struct llm *l, const char *provider, int64_t input, int64_t output, int64_t *cost,
    const struct llm_provider **unpriced);

#endif
