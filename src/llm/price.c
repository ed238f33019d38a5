#include "llm/price.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/mem.h"
#include "base/money.h"
#include "llm/llm_internal.h"

#define A_MILLION 1000000
/* A lower price is probably per token, not per million. */
#define PRICE_MIN (MONEY_UNIT / 1000)

struct price_settings {
	char *model, *provider;
	int64_t input, cached, written, output, minute, request;
};

/* What a row can set the price of. */
enum kind { TOKENS, SPEECH };

#define SPEECH_NAME "transcribe"

static const struct config_key keys[] = {
    {.name = "cache_write",
	.type = CONFIG_MONEY,
	.offset = offsetof(struct price_settings, written),
	.help = "Price of a million tokens that are written into the provider's cache. Absent: the price of "
		"input."},
    {.name = "cached",
	.type = CONFIG_MONEY,
	.offset = offsetof(struct price_settings, cached),
	.help =
	    "Price of a million tokens that are read from the provider's cache. Absent: the price of input."},
    {.name = "input",
	.type = CONFIG_MONEY,
	.offset = offsetof(struct price_settings, input),
	.help = "Price of a million tokens that the model reads; needs output, too. 0 for a model that runs "
		"on this machine."},
    {.name = "minute",
	.type = CONFIG_MONEY,
	.offset = offsetof(struct price_settings, minute),
	.help = "Price of a minute of speech, for a model that transcribes (llm.transcribe)."},
    {.name = "model",
	.type = CONFIG_STRING,
	.offset = offsetof(struct price_settings, model),
	.fallback = "*",
	.help = "The model, as in llm.providers; * matches any characters, ? matches one."},
    {.name = "output",
	.type = CONFIG_MONEY,
	.offset = offsetof(struct price_settings, output),
	.help = "Price of a million tokens that the model writes, reasoning included."},
    {.name = "provider",
	.type = CONFIG_STRING,
	.offset = offsetof(struct price_settings, provider),
	.help = "The name of the only provider to which the price applies; \"transcribe\" is that of "
		"llm.transcribe. Absent: all."},
    {.name = "request",
	.type = CONFIG_MONEY,
	.offset = offsetof(struct price_settings, request),
	.help = "Price of a request, in addition to the minutes, for a model that transcribes."},
};

const struct config_section llm_price_section = {
    .path = "llm.prices[]",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "What models cost, in llm.currency for a million tokens: `prices = ( { model = "
	    "\"claude-sonnet-*\"; input = 3.0; output = 15.0; cached = 0.3; cache_write = 3.75; }, { "
	    "provider = \"local\"; input = 0; output = 0; }, { model = \"whisper-1\"; minute = 0.006; } );`. "
	    "The first row that matches a model counts. If no row matches, the cost is shown as unknown, not "
	    "as zero.",
};

static bool fits(const struct price_settings *s, const struct llm_provider *p)
{
	if (s->provider && strcmp(s->provider, p->name) != 0)
		return false;
	return p->settings.model && fnmatch(s->model, p->settings.model, FNM_NOESCAPE) == 0;
}

static void check_provider(struct config *cfg, const char *path, const char *name)
{
	char *group = xasprintf("llm.providers.%s", name), *at = xasprintf("%s.provider", path);

	if (!config_has(cfg, group))
		config_error(cfg, at, "llm.providers has no \"%s\". Name one of its groups.", name);
	free(group);
	free(at);
}

static bool has(struct config *cfg, const char *path, const char *name)
{
	char *at = xasprintf("%s.%s", path, name);
	bool given = config_has(cfg, at);

	free(at);
	return given;
}

/* Which kinds the row has a price for; false after reporting a mistake. */
static bool kinds_of(struct config *cfg, const char *path, bool kinds[])
{
	bool input = has(cfg, path, "input"), output = has(cfg, path, "output");

	kinds[TOKENS] = input && output;
	kinds[SPEECH] = has(cfg, path, "minute") || has(cfg, path, "request");
	if (input != output)
		config_error(cfg, path,
		    "%s.%s is missing. What tokens cost has both; 0 for a model that runs here.", path,
		    input ? "output" : "input");
	else if (!input && !kinds[SPEECH])
		config_error(cfg, path,
		    "%s.input and output are missing. What speech costs has minute or request instead.",
		    path);
	return kinds[TOKENS] || kinds[SPEECH];
}

/* Missing cache prices default to the input price. */
static void fill_in(struct config *cfg, const char *path, const char *name, int64_t *field, int64_t input)
{
	if (!has(cfg, path, name))
		*field = input;
}

static void check_unit(struct config *cfg, const char *path, const struct price_settings *s)
{
	bool tiny = (s->input > 0 && s->input < PRICE_MIN) || (s->output > 0 && s->output < PRICE_MIN);

	if (tiny)
		config_warning(cfg, path,
		    "A price below 0.001 looks like one for a single token. Prices here are for a million "
		    "tokens.");
}

static void read_row(
    struct config *cfg, const char *path, enum kind kind, struct llm_provider *providers, size_t count)
{
	struct price_settings s = {0};

	config_read(cfg, path, &llm_price_section, &s);
	fill_in(cfg, path, "cached", &s.cached, s.input);
	fill_in(cfg, path, "cache_write", &s.written, s.input);
	check_unit(cfg, path, &s);
	if (s.provider && strcmp(s.provider, SPEECH_NAME) != 0)
		check_provider(cfg, path, s.provider);
	bool kinds[] = {[TOKENS] = false, [SPEECH] = false};
	bool known = kinds_of(cfg, path, kinds);
	for (size_t i = 0; known && i < count; i++) {
		struct llm_price *price = &providers[i].price;
		if (price->known || price->speech_known || !(kinds[TOKENS] || kind == SPEECH) ||
		    !fits(&s, &providers[i]))
			continue;
		*price = (struct llm_price){.known = kinds[TOKENS],
		    .input = s.input,
		    .cached = s.cached,
		    .written = s.written,
		    .output = s.output,
		    .speech_known = kinds[SPEECH],
		    .minute = s.minute,
		    .request = s.request};
	}
	config_settings_clear(keys, ARRAY_LEN(keys), &s);
}

static void read_rows(struct config *cfg, enum kind kind, struct llm_provider *providers, size_t count)
{
	size_t rows = config_groups(cfg, "llm.prices");

	for (size_t i = 0; i < rows; i++) {
		char *path = xasprintf("llm.prices[%zu]", i);
		read_row(cfg, path, kind, providers, count);
		free(path);
	}
}

void llm_prices_read(struct config *cfg, struct llm_provider *providers, size_t count)
{
	read_rows(cfg, TOKENS, providers, count);
}

void llm_prices_read_speech(struct config *cfg, struct llm_provider *transcriber)
{
	read_rows(cfg, SPEECH, transcriber, 1);
}

static __int128 product(int64_t price, int64_t tokens)
{
	return tokens > 0 ? (__int128)price * tokens : 0;
}

static int64_t rounded_up(__int128 sum)
{
	__int128 cost = (sum + A_MILLION - 1) / A_MILLION;

	return cost > MONEY_MAX ? MONEY_MAX : (int64_t)cost;
}

void llm_price_apply(const struct llm_price *price, struct llm_usage *u)
{
	int64_t fresh = u->input_tokens - u->cached_tokens - u->written_tokens;

	u->priced = price->known;
	u->cost = 0;
	if (price->known)
		u->cost = rounded_up(product(price->input, fresh) + product(price->cached, u->cached_tokens) +
		    product(price->written, u->written_tokens) + product(price->output, u->output_tokens));
}

void llm_price_speech(const struct llm_price *price, struct llm_usage *u)
{
	bool free_of_charge = price->input == 0 && price->output == 0;

	llm_price_apply(price, u);
	if (price->speech_known) {
		__int128 cost = price->request + (product(price->minute, u->seconds) + 59) / 60;
		u->priced = true;
		u->cost = cost > MONEY_MAX ? MONEY_MAX : (int64_t)cost;
	} else if (u->input_tokens == 0 && u->output_tokens == 0 && !free_of_charge) {
		u->priced = false;
	}
}

void llm_bill_add(struct llm_bill *bill, const struct llm_usage *u)
{
	struct llm_usage *sum = &bill->sum;

	bill->requests++;
	bill->unpriced += !u->priced;
	bill->estimated += u->estimated;
	sum->input_tokens += u->input_tokens;
	sum->cached_tokens += u->cached_tokens;
	sum->written_tokens += u->written_tokens;
	sum->output_tokens += u->output_tokens;
	sum->seconds += u->seconds;
	sum->cost += u->cost;
}

const char *llm_currency(const struct llm *l)
{
	return l->currency;
}

static bool may_answer(const struct llm *l, size_t i, const char *provider)
{
	return i < l->order_count || (provider && strcmp(l->order[i].provider->name, provider) == 0);
}

bool llm_price_max(const struct llm *l, const char *provider, int64_t input, int64_t output, int64_t *cost,
    const struct llm_provider **unpriced)
{
	*cost = 0;
	for (size_t i = 0; i < l->count; i++) {
		const struct llm_provider *p = l->order[i].provider;
		if (!p || !may_answer(l, i, provider))
			continue;
		const struct llm_price *price = &p->price;
		if (!price->known) {
			*unpriced = p;
			return false;
		}
		int64_t dearest = price->input > price->written ? price->input : price->written;
		int64_t one = rounded_up(product(dearest, input) + product(price->output, output));
		*cost = one > *cost ? one : *cost;
	}
	return true;
}
