#ifndef LLM_PRICE_H
#define LLM_PRICE_H
/*
 * Model prices from the list llm.prices: in millionths of the currency, per million tokens. A request's
 * cost is computed when it is answered and stored with it, because prices change. An unlisted model has
 * no price, which is not 0.
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
	int64_t cached_tokens, written_tokens; /* of those: read from and written to a cache */
	int64_t output_tokens;
	int64_t seconds; /* seconds of transcribed audio */
	int64_t cost;    /* millionths of llm.currency; 0 without a price */
	bool priced;     /* the price is known */
	bool estimated;  /* the provider reported it in part or not at all: our estimate */
};

/* The total of several requests. */
struct llm_bill {
	int64_t requests;
	int64_t unpriced, estimated; /* of those */
	struct llm_usage sum;
};
void llm_bill_add(struct llm_bill *bill, const struct llm_usage *usage);

struct llm_price {
	bool known; /* token prices are set */
	int64_t input, cached, written, output;
	bool speech_known; /* speech prices are set: */
	int64_t minute, request;
};

extern const struct config_section llm_price_section; /* "llm.prices[]" */

/* Sets the price of each provider; reports errors to cfg. */
void llm_prices_read(struct config *cfg, struct llm_provider *providers, size_t count);
/* Sets the price of the transcriber, which llm.prices calls "transcribe". */
void llm_prices_read_speech(struct config *cfg, struct llm_provider *transcriber);
/* Sets usage->cost, rounded up, and usage->priced. */
void llm_price_apply(const struct llm_price *price, struct llm_usage *usage);
/* Like llm_price_apply for transcribed speech: by its length, or by tokens if the service counts them. */
void llm_price_speech(const struct llm_price *price, struct llm_usage *usage);
/* The currency's name. */
const char *llm_currency(const struct llm *l);
/* Gets the highest cost of that many tokens with any provider that may answer, where the named one (NULL
 * for none) is asked first. Returns false, with one such provider in *unpriced, when a price is unknown. */
bool llm_price_max(const struct llm *l, const char *provider, int64_t input, int64_t output, int64_t *cost,
    const struct llm_provider **unpriced);

#endif
