#include "llm/llm.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "llm/formats/formats.h"
#include "llm/llm_internal.h"
#include "llm/profile.h"
#include "llm/providers.h"
#include "llm/transcribe.h"
#include "net/http/http.h"

struct llm_settings {
	char *default_name;
	struct config_strings fallbacks;
	int64_t patience_ms;
	char *currency;
};

static const struct config_key llm_keys[] = {
    {.name = "currency",
	.type = CONFIG_STRING,
	.offset = offsetof(struct llm_settings, currency),
	.fallback = "USD",
	.help = "The currency of prices and budgets."},
    {.name = "default",
	.type = CONFIG_STRING,
	.offset = offsetof(struct llm_settings, default_name),
	.help = "The name of the provider that answers. Required if there are providers; without any, "
		"commands work, and people get the answer that no model is configured."},
    {.name = "fallbacks",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct llm_settings, fallbacks),
	.help = "Names of the providers that are tried, in this order, when the default one fails."},
    {.name = "patience",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct llm_settings, patience_ms),
	.fallback = "24 h",
	.min = 0,
	.max = INT64_C(30) * 24 * 3600 * 1000,
	.help = "How long a message waits while no model answers (unreachable, overloaded, rate limited, no "
		"credit). It is answered as soon as a model answers again; after this time its chat gets a "
		"notice that it stays unanswered. 0: at once."},
};

static const char *const llm_children[] = {"prices", "images", "providers", "transcribe", NULL};

const struct config_section llm_section = {
    .path = "llm",
    .keys = llm_keys,
    .key_count = ARRAY_LEN(llm_keys),
    .help = "The language model.",
    .children = llm_children,
};

static const struct config_key provider_keys[] = {
    {.name = "api",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct llm_provider_settings, api),
	.fallback = "auto",
	.choices = llm_format_names,
	.help = "The wire format of the endpoint. auto: the profile's. Required without a profile."},
    {.name = "base_url",
	.type = CONFIG_STRING,
	.offset = offsetof(struct llm_provider_settings, base_url),
	.help = "The URL of the endpoint, without the method's path. Default: the profile's, or the format's "
		"(https://api.anthropic.com, https://api.openai.com/v1). Plain http is accepted for loopback "
		"hosts only."},
    {.name = "key",
	.type = CONFIG_SECRET,
	.offset = offsetof(struct llm_provider_settings, key),
	.help = "The API key, file:PATH or cred:NAME. Local servers need none."},
    {.name = "images",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct llm_provider_settings, images),
	.help = "Whether the model accepts images. Default: what Ollama and llama.cpp report; elsewhere yes, "
		"unless the name belongs to a family that is known not to. A model that refuses an image "
		"gets none until the next start. Models without images get a line of text for each."},
    {.name = "profile",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct llm_provider_settings, profile),
	.fallback = "auto",
	.choices = llm_profile_names,
	.help = "The provider, which sets the address, format and quirks of the endpoint. auto: known from "
		"the host of base_url."},
    {.name = "model",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct llm_provider_settings, model),
	.help = "The model's name."},
    {.name = "max_tokens",
	.type = CONFIG_INT,
	.offset = offsetof(struct llm_provider_settings, max_tokens),
	.fallback = "0",
	.min = 0,
	.max = 1000000,
	.help = "Maximum number of tokens of one answer. 0: the provider's default."},
    {.name = "context",
	.type = CONFIG_INT,
	.offset = offsetof(struct llm_provider_settings, context),
	.fallback = "0",
	.min = 0,
	.max = 10000000,
	.help =
	    "The context window of the model, in tokens. When a conversation fills three quarters of it, its "
	    "older part becomes a summary. 0: what Ollama and llama.cpp report, 128000 elsewhere."},
    {.name = "idle",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct llm_provider_settings, idle_ms),
	.fallback = "90 s",
	.min = 1000,
	.max = 600000,
	.help = "Longest silence of the model before the request counts as failed. Keep-alives do not count "
		"as output."},
    {.name = "rpm",
	.type = CONFIG_INT,
	.offset = offsetof(struct llm_provider_settings, rpm),
	.fallback = "0",
	.min = 0,
	.max = 100000,
	.help = "Maximum number of requests in any minute. Further ones wait, or go to a fallback that is "
		"free. 0: no limit other than the provider's own, which its responses report."},
};

const struct config_section llm_provider_section = {
    .path = "llm.providers.*",
    .keys = provider_keys,
    .key_count = ARRAY_LEN(provider_keys),
    .help = "One endpoint of a model provider.",
};

/* Returns the part of the method's path that a URL already contains; NULL for none. */
static const char *path_within(const char *url, const char *method)
{
	static const char version[] = "/v1";

	if (str_ends_with(url, method))
		return method;
	return str_ends_with(url, version) && strncmp(method, version, strlen(version)) == 0 ? version : NULL;
}

static void check_base_url(struct config *cfg, const char *path, const char *url, const char *method)
{
	const char *within = path_within(url, method);
	struct error err = {0};

	if (!http_url_allowed(url, &err))
		config_error(cfg, path, "%s", err.text);
	else if (strpbrk(url, "?#"))
		config_error(cfg, path,
		    "base_url must not have a query or fragment: the method's path is added to it.");
	else if (within)
		config_error(cfg, path, "leave %s away from base_url: %s is added to it.", within, method);
}

static void read_provider(struct llm_provider *p, struct config *cfg, const char *name)
{
	char *path = xasprintf("llm.providers.%s", name), *url_path = xasprintf("%s.base_url", path);
	char *images_path = xasprintf("%s.images", path);

	p->name = xstrdup(name);
	p->learned = xcalloc(1, sizeof(*p->learned));
	config_read(cfg, path, &llm_provider_section, &p->settings);
	llm_request_rate_init(&p->learned->request_rate, p->settings.rpm);
	llm_profile_apply_defaults(p, cfg, path);
	p->images_configured = config_has(cfg, images_path);
	if (!p->images_configured)
		p->settings.images = llm_model_has_vision(p->settings.model);
	for (size_t len = strlen(p->settings.base_url); len > 0 && p->settings.base_url[len - 1] == '/';
	     len--)
		p->settings.base_url[len - 1] = '\0';
	check_base_url(cfg, url_path, p->settings.base_url, p->ops->path);
	free(path);
	free(images_path);
	free(url_path);
}

static bool is_in_order(const struct llm *l, const struct llm_provider *p)
{
	for (size_t i = 0; i < l->order_count; i++)
		if (l->order[i].provider == p)
			return true;
	return false;
}

/* Adds the named provider to the order; naming one twice changes nothing. */
static void add_candidate(struct llm *l, struct config *cfg, const char *path, const char *name)
{
	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->providers[i].name, name) != 0)
			continue;
		if (!is_in_order(l, &l->providers[i]))
			l->order[l->order_count++].provider = &l->providers[i];
		return;
	}
	config_error(cfg, path, "llm.providers has no \"%s\". Name one of its groups.", name);
}

static void read_order(struct llm *l, struct config *cfg)
{
	struct llm_settings settings = {0};

	config_read(cfg, "llm", &llm_section, &settings);
	l->order = xcalloc(l->count + 1, sizeof(*l->order));
	if (settings.default_name)
		add_candidate(l, cfg, "llm.default", settings.default_name);
	for (size_t i = 0; i < settings.fallbacks.count; i++) {
		char *path = xasprintf("llm.fallbacks[%zu]", i);
		add_candidate(l, cfg, path, settings.fallbacks.items[i]);
		free(path);
	}
	if (!settings.default_name && l->count > 0)
		config_error(
		    cfg, "llm", "default is missing. Set it to the name of the provider that answers.");
	else if (!settings.default_name && settings.fallbacks.count == 0)
		config_warning(cfg, "",
		    "No model is configured: commands are answered, all else is not. Add llm: { default = "
		    "\"NAME\"; providers: { NAME: { api = \"openai-chat\"; ... }; }; };");
	l->patience_ms = (uint64_t)settings.patience_ms;
	l->currency = xstrdup(settings.currency);
	config_settings_clear(llm_keys, ARRAY_LEN(llm_keys), &settings);
}

/* Providers that are used only when a chat selects them. */
static void add_others(struct llm *l)
{
	size_t n = l->order_count;

	for (size_t i = 0; i < l->count; i++)
		if (!is_in_order(l, &l->providers[i]))
			l->order[n++].provider = &l->providers[i];
}

static void read_vision(struct llm *l, struct config *cfg)
{
	llm_vision_read(cfg, &l->vision);
	task_semaphore_init(&l->image_memory, (size_t)l->vision.memory);
	if (l->vision.describe_with && !llm_find(l, l->vision.describe_with))
		config_error(cfg, "llm.images.describe_with",
		    "llm.providers has no \"%s\". Name one of its groups.", l->vision.describe_with);
}

struct llm *llm_new(struct config *cfg)
{
	struct llm *l = xcalloc(1, sizeof(*l));
	const char **names = NULL;

	outage_init(&l->outage);
	l->count = config_names(cfg, "llm.providers", &names);
	l->providers = xcalloc(l->count + 1, sizeof(*l->providers));
	for (size_t i = 0; i < l->count; i++)
		read_provider(&l->providers[i], cfg, names[i]);
	free(names);
	llm_prices_read(cfg, l->providers, l->count);
	read_order(l, cfg);
	add_others(l);
	l->transcriber = llm_transcriber_new(cfg);
	read_vision(l, cfg);
	return l;
}

void llm_free(struct llm *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->count; i++) {
		free(l->providers[i].name);
		llm_request_rate_clear(&l->providers[i].learned->request_rate);
		free(l->providers[i].learned);
		config_settings_clear(provider_keys, ARRAY_LEN(provider_keys), &l->providers[i].settings);
	}
	outage_clear(&l->outage);
	llm_transcriber_free(l->transcriber);
	llm_vision_clear(&l->vision);
	task_semaphore_clear(&l->image_memory);
	free(l->providers);
	free(l->order);
	free(l->currency);
	free(l);
}

const struct llm_provider *llm_default(const struct llm *l)
{
	return l->order_count > 0 ? l->order[0].provider : NULL;
}

const struct llm_provider *llm_find(const struct llm *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->providers[i].name, name) == 0)
			return &l->providers[i];
	return NULL;
}

bool llm_state(const struct llm *l, size_t i, struct llm_provider_state *out)
{
	uint64_t now = clock_now();

	if (i >= l->count || !l->order[i].provider)
		return false;
	out->provider = l->order[i].provider;
	out->position = i < l->order_count ? i : LLM_POSITION_NONE;
	out->cooldown_ms = l->order[i].cooldown_until > now ? l->order[i].cooldown_until - now : 0;
	return true;
}

void llm_answer_clear(struct llm_answer *a)
{
	llm_message_free(a->message);
	*a = (struct llm_answer){0};
}

static const struct {
	const char *name, *advice;
} classes[] = {
    [LLM_ERROR_NONE] = {"none", ""},
    [LLM_ERROR_TRANSIENT] = {"transient",
	"I could not reach my language model just now. Please try again in a minute."},
    [LLM_ERROR_OVERLOADED] = {"overloaded",
	"My language model is overloaded at the moment. Please try again in a few minutes."},
    [LLM_ERROR_RATE_LIMIT] = {"rate_limit",
	"My language model asks me to slow down. Please try again in a few minutes."},
    [LLM_ERROR_BILLING] = {"billing",
	"My account at the language model's provider has no credit left. The operator has to top it up."},
    [LLM_ERROR_AUTH] = {"auth",
	"My language model refuses my key. The operator has to put the right one into the configuration."},
    [LLM_ERROR_OVERFLOW] = {"overflow",
	"This conversation has grown too long for my language model. Send /new to begin a new one."},
    [LLM_ERROR_BAD_HISTORY] = {"bad_history",
	"My language model does not accept this conversation any more. Send /new to begin a new one."},
    [LLM_ERROR_BAD_TOOLS] = {"bad_tools",
	"My language model does not accept one of my tools. The operator finds its name in the log."},
    [LLM_ERROR_MODEL_OUTPUT] = {"model_output",
	"My language model gave an answer that I cannot use. Please ask again in other words."},
    [LLM_ERROR_REFUSAL] = {"refusal", "My language model declines to answer this."},
    [LLM_ERROR_FATAL] = {"fatal",
	"My language model refused the request. The operator finds the reason in the log."},
    [LLM_ERROR_CANCELLED] = {"cancelled", "Stopped."},
    [LLM_ERROR_NO_MODEL] = {"no_model",
	"No language model is configured, so I can only answer commands: /help lists them. The operator has "
	"to add llm to the configuration."},
};

const char *llm_error_class_name(enum llm_error_class c)
{
	return classes[c].name;
}

const char *llm_error_advice(enum llm_error_class c)
{
	return classes[c].advice;
}
