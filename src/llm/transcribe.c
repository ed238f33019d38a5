#include "llm/transcribe.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "llm/classify.h"
#include "llm/formats/exchange.h"
#include "llm/llm_internal.h"
#include "llm/audio.h"
#include "llm/usage_stats.h"
#include "net/backoff.h"
#include "net/http/http.h"

#define TRIES      3
#define ANSWER_MAX (1024 * 1024)
/* Bytes of a transcript, some hours of speech: more would leave a model no room for anything else. */
#define TRANSCRIPT_MAX (200 * 1024)
#define TYPE_SIZE      80
/* Maximum wait that an endpoint may ask for. */
#define WAIT_MAX_MS 20000

struct transcribe_settings {
	char *base_url;
	const char *key;
	char *language, *model;
	int64_t size_max, timeout_ms;
};

struct llm_transcriber {
	struct transcribe_settings settings;
	struct llm_provider provider; /* lets callers ask for its cost */
	char *url, *authorization;
};

static const struct config_key keys[] = {
    {.name = "base_url",
	.type = CONFIG_STRING,
	.offset = offsetof(struct transcribe_settings, base_url),
	.fallback = "https://api.openai.com/v1",
	.help = "The URL of the endpoint, without /audio/transcriptions. Plain http is accepted for loopback "
		"hosts only."},
    {.name = "key",
	.type = CONFIG_SECRET,
	.offset = offsetof(struct transcribe_settings, key),
	.help = "The API key, file:PATH or cred:NAME. Local servers need none."},
    {.name = "language",
	.type = CONFIG_STRING,
	.offset = offsetof(struct transcribe_settings, language),
	.help =
	    "The language that people speak, as an ISO 639-1 code (\"en\"). Default: the model detects it."},
    {.name = "model",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct transcribe_settings, model),
	.help = "The model's name."},
    {.name = "size_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct transcribe_settings, size_max),
	.fallback = "20 MiB",
	.min = 1024,
	.max = 100 * 1024 * 1024,
	.help = "A larger voice message is not transcribed."},
    {.name = "timeout",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct transcribe_settings, timeout_ms),
	.fallback = "60 s",
	.min = 1000,
	.max = 600000,
	.help = "Longest time of one request."},
};

const struct config_section llm_transcribe_section = {
    .path = "llm.transcribe",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Transcribes voice messages. Without this group the agent only learns that there was a voice "
	    "message that it cannot hear.",
};

static void check_base_url(struct config *cfg, const char *url)
{
	struct error err = {0};

	if (!http_url_allowed(url, &err))
		config_error(cfg, "llm.transcribe.base_url", "%s", err.text);
	else if (strpbrk(url, "?#"))
		config_error(cfg, "llm.transcribe.base_url",
		    "base_url must not have a query or fragment: the method's path is added to it.");
}

struct llm_transcriber *llm_transcriber_new(struct config *cfg)
{
	struct llm_transcriber *tr;
	size_t len;

	if (!config_has(cfg, "llm.transcribe"))
		return NULL;
	tr = xcalloc(1, sizeof(*tr));
	config_read(cfg, "llm.transcribe", &llm_transcribe_section, &tr->settings);
	check_base_url(cfg, tr->settings.base_url);
	len = strlen(tr->settings.base_url);
	while (len > 0 && tr->settings.base_url[len - 1] == '/')
		len--;
	tr->url = xasprintf("%.*s/audio/transcriptions", (int)len, tr->settings.base_url);
	if (tr->settings.key)
		tr->authorization = xasprintf("Bearer %s", tr->settings.key);
	tr->provider.name = xstrdup("transcribe");
	tr->provider.settings.model = xstrdup(tr->settings.model);
	llm_prices_read_speech(cfg, &tr->provider);
	return tr;
}

void llm_transcriber_free(struct llm_transcriber *tr)
{
	if (!tr)
		return;
	config_settings_clear(keys, ARRAY_LEN(keys), &tr->settings);
	free(tr->provider.name);
	free(tr->provider.settings.model);
	free(tr->url);
	free(tr->authorization);
	free(tr);
}

bool llm_can_transcribe(const struct llm *l)
{
	return l->transcriber;
}

const struct llm_provider *llm_transcription_provider(const struct llm *l)
{
	return l->transcriber ? &l->transcriber->provider : NULL;
}

/* Only OpenAI reports the duration or the tokens. */
static void read_usage(struct json_object *usage, const struct llm_audio *audio, struct llm_usage *out)
{
	double seconds = json_get_double(usage, "seconds", 0);
	bool timed = seconds > 0 && seconds < 1e9;

	*out = (struct llm_usage){0};
	llm_answer_count(usage, "input_tokens", &out->input_tokens);
	llm_answer_count(usage, "output_tokens", &out->output_tokens);
	out->seconds = llm_audio_seconds(audio, &out->estimated);
	if (timed)
		out->seconds = (int64_t)seconds + ((double)(int64_t)seconds < seconds);
	if (timed || out->input_tokens > 0)
		out->estimated = false;
}

static void charge(const struct llm_transcriber *tr, struct json_object *answer,
    const struct llm_audio *audio, struct llm_bill *bill)
{
	struct llm_usage usage;

	read_usage(json_get_object(answer, "usage"), audio, &usage);
	llm_price_speech(&tr->provider.price, &usage);
	llm_bill_add(bill, &usage);
	llm_usage_stats_add(tr->provider.name, &usage);
}

static void add_transcript(struct buf *transcript, const char *text)
{
	size_t len;

	utf8_sanitize(transcript, text, strlen(text));
	len = utf8_cut(transcript->data, transcript->len, TRANSCRIPT_MAX, UTF8_BYTES);
	if (len < transcript->len) {
		size_t more = transcript->len - len;
		buf_truncate(transcript, len);
		buf_addf(transcript, "\n[cut here: %zu bytes more]", more);
	}
}

static int read_answer(const struct llm_transcriber *tr, const struct http_response *res,
    const struct llm_audio *audio, struct buf *transcript, struct llm_bill *bill, struct error *err)
{
	struct json_object *o;
	const char *text;

	if (res->status != 200) {
		llm_classify_body(res->status, res->retry_after_ms, res->body.data, res->body.len, err);
		return -1;
	}
	o = json_parse_foreign(res->body.data, res->body.len, err);
	charge(tr, o, audio, bill);
	text = json_get_str(o, "text");
	if (text)
		add_transcript(transcript, text);
	json_object_put(o);
	return text ? 0 : error_set(err, ERROR_REFUSED, "the endpoint answered no text");
}

/* Who sends a file names its type, which becomes a header: without parameters, and only if it is one. */
static const char *media_type(const char *mime, char type[TYPE_SIZE])
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&^_.+-";
	size_t main = mime ? strspn(mime, letters) : 0;
	size_t sub = main > 0 && mime[main] == '/' ? strspn(mime + main + 1, letters) : 0;
	size_t len = main + 1 + sub;

	if (sub == 0 || len >= TYPE_SIZE || !strchr("; ", mime[len]))
		return "application/octet-stream";
	memcpy(type, mime, len);
	type[len] = '\0';
	return type;
}

static int ask(struct task *t, const struct llm_transcriber *tr, const struct llm_audio *audio,
    struct buf *transcript, struct llm_bill *bill, struct error *err)
{
	const struct transcribe_settings *s = &tr->settings;
	const struct http_header headers[] = {{"Authorization", tr->authorization}};
	char type[TYPE_SIZE];
	const struct http_part parts[] = {
	    {.name = "file",
		.data = audio->bytes->data,
		.len = audio->bytes->len,
		.filename = audio->name,
		.content_type = media_type(audio->mime, type)},
	    {.name = "model", .data = s->model, .len = strlen(s->model)},
	    {.name = "response_format", .data = "json", .len = 4},
	    {.name = "language", .data = s->language, .len = s->language ? strlen(s->language) : 0},
	};
	struct http_request req = {
	    .method = "POST",
	    .url = tr->url,
	    .label = "the transcription of a voice message",
	    .headers = headers,
	    .header_count = tr->authorization ? 1 : 0,
	    .parts = parts,
	    .part_count = ARRAY_LEN(parts) - (s->language ? 0 : 1),
	    .idle_ms = (uint64_t)s->timeout_ms,
	    .total_ms = (uint64_t)s->timeout_ms,
	    .max_body = ANSWER_MAX,
	};
	struct http_response res = {0};
	int rc = http_perform(t, &req, &res, err);

	if (rc == 0)
		rc = read_answer(tr, &res, audio, transcript, bill, err);
	http_response_clear(&res);
	return rc;
}

int llm_transcribe(struct task *t, const struct llm *l, const struct llm_audio *audio, struct buf *transcript,
    struct llm_bill *bill, struct error *err)
{
	struct backoff wait = {.base_ms = 1000, .max_ms = 8000};
	const struct llm_transcriber *tr = l->transcriber;

	if ((int64_t)audio->bytes->len > tr->settings.size_max)
		return error_set(err, ERROR_REFUSED,
		    "it is larger than %lld bytes, the most that is transcribed here",
		    (long long)tr->settings.size_max);
	for (int tries = 1;; tries++) {
		if (ask(t, tr, audio, transcript, bill, err) == 0)
			return 0;
		if (task_check(t, err) < 0 || tries == TRIES || err->retry_ms > WAIT_MAX_MS ||
		    (err->kind != ERROR_NETWORK && err->kind != ERROR_LIMITED))
			return -1;
		uint64_t ms = backoff_next(&wait);
		if (task_sleep(t, err->retry_ms > ms ? err->retry_ms : ms, err) < 0)
			return -1;
	}
}
