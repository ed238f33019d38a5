#include "llm/classify.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

/* Larger bodies hold no error object; json-c would need 24 times their size. */
#define BODY_BYTES_MAX (64 * 1024)
#define MESSAGE_MAX    160

/* Statuses for which a text is significant. 200: an error inside an answer. */
enum when {
	ANY,
	NOT_429,      /* rate limits mention tokens and limits, too */
	UNCLEAR,      /* says nothing itself, or is used for everything: 200, 400, 422, 429, 500 */
	BAD_REQUEST,  /* 200, 400, 422; llama.cpp and LM Studio answer 500 */
	FORBIDDEN,    /* 403 */
	BUSY,         /* 200, 429 */
	NOT_TOO_LARGE /* any but 402 and 413, whose texts also mention rates */
};

/* Texts of providers in lower case; the first rule that matches decides. */
static const struct rule {
	enum when when;
	enum llm_error_class class;
	const char *text, *also;
} rules[] = {
    /* Billing errors: waiting does not help. */
    {ANY, LLM_ERROR_BILLING, "insufficient_quota", NULL},
    {ANY, LLM_ERROR_BILLING, "credit_balance_exhausted", NULL},
    {ANY, LLM_ERROR_BILLING, "organization_spend_limit_exceeded", NULL},
    {ANY, LLM_ERROR_BILLING, "project_spend_limit_exceeded", NULL},
    {ANY, LLM_ERROR_BILLING, "organization_usage_limit_exceeded", NULL},
    {ANY, LLM_ERROR_BILLING, "enforced_spend_limit_reached", NULL},
    {ANY, LLM_ERROR_BILLING, "contract_spend_limit_reached", NULL},
    {ANY, LLM_ERROR_BILLING, "linked_organization_spend_limit_reached", NULL},
    /* The model wrote something unusable; the request was fine. */
    {ANY, LLM_ERROR_MODEL_OUTPUT, "tool_use_failed", NULL},
    {ANY, LLM_ERROR_MODEL_OUTPUT, "failed_generation", NULL},
    {ANY, LLM_ERROR_MODEL_OUTPUT, "error parsing tool call", NULL},
    {UNCLEAR, LLM_ERROR_REFUSAL, "content_filter", NULL},
    {UNCLEAR, LLM_ERROR_REFUSAL, "content_policy_violation", NULL},
    {FORBIDDEN, LLM_ERROR_REFUSAL, "input was flagged", NULL},
    /* A 429 that is not a limit of our account. */
    {BUSY, LLM_ERROR_OVERLOADED, "overloaded", NULL},
    /* This single request exceeds the limit per minute: only a smaller one can succeed. */
    {ANY, LLM_ERROR_OVERFLOW, "request too large for", NULL},
    {NOT_TOO_LARGE, LLM_ERROR_RATE_LIMIT, "rate limit", NULL},
    {NOT_TOO_LARGE, LLM_ERROR_RATE_LIMIT, "rate_limit", NULL},
    {NOT_TOO_LARGE, LLM_ERROR_RATE_LIMIT, "too many requests", NULL},
    {NOT_TOO_LARGE, LLM_ERROR_RATE_LIMIT, "please wait", NULL},
    {NOT_TOO_LARGE, LLM_ERROR_RATE_LIMIT, "throttl", NULL},
    /* The request does not fit into the context window. */
    {NOT_429, LLM_ERROR_OVERFLOW, "prompt is too long", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "request_too_large", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "input is too long for requested model", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "exceeds the context window", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "maximum context length", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "context_length_exceeded", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "input token count", "exceeds the maximum"},
    {NOT_429, LLM_ERROR_OVERFLOW, "maximum prompt length", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "reduce the length of the messages", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "exceeds the limit of", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "exceeds the available context size", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "exceed_context_size_error", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "greater than the context length", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "context window exceeds limit", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "exceeded model token limit", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "too large for model with", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "range of input length should be", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "prompt has", "but the configured context size is"},
    {NOT_429, LLM_ERROR_OVERFLOW, "token limit exceeded", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "model_context_window_exceeded", NULL},
    {NOT_429, LLM_ERROR_OVERFLOW, "input length exceeds the context length", NULL},
    /* The history breaks a rule of pairing or echoing. */
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "must be followed by tool messages", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "must be a response to a prec",
	"tool_calls"}, /* also "preceeding" */
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "tool_use", "ids were found without"},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "unexpected", "tool_use_id"},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "reasoning_content", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "thought_signature", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "thought signature", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "signature", "thinking"},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "expected", "redacted_thinking"},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "invalid_encrypted_content", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "items are not persisted when", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "function.arguments", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "failed to parse tool call arguments", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "tool call id was", "must be"}, /* Mistral */
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "image exceeds", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_HISTORY, "image dimensions exceed", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_TOOLS, "invalid_function_parameters", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_TOOLS, "invalid schema for function", NULL},
    {BAD_REQUEST, LLM_ERROR_BAD_TOOLS, "failed to parse grammar", NULL},
};

static const struct {
	int status;
	enum llm_error_class class;
} statuses[] = {
    {401, LLM_ERROR_AUTH},
    {402, LLM_ERROR_BILLING},
    {403, LLM_ERROR_AUTH},
    {408, LLM_ERROR_TRANSIENT},
    {409, LLM_ERROR_TRANSIENT},
    {413, LLM_ERROR_OVERFLOW},
    {425, LLM_ERROR_TRANSIENT},
    {429, LLM_ERROR_RATE_LIMIT},
};

/* The status that a type or code stands for, if an answer has no status of its own. */
static const struct {
	const char *word;
	int status;
} words[] = {
    {"authentication", 401},
    {"badrequest", 400},
    {"billing", 402},
    {"invalid_request", 400},
    {"not_found", 404},
    {"overloaded", 529},
    {"permission", 403},
    {"timeout", 408},
};

static bool applies(enum when when, int status)
{
	switch (when) {
	case NOT_429:
		return status != 429;
	case UNCLEAR:
		return status == 200 || status == 400 || status == 422 || status == 429 || status == 500;
	case BAD_REQUEST:
		return status == 200 || status == 400 || status == 422 || status == 500;
	case FORBIDDEN:
		return status == 403;
	case BUSY:
		return status == 200 || status == 429;
	case NOT_TOO_LARGE:
		return status != 402 && status != 413;
	default:
		return true;
	}
}

static bool mentions(const struct llm_provider_error *c, const char *text)
{
	const char *const said[] = {c->type, c->code, c->message, c->upstream};

	for (size_t i = 0; i < ARRAY_LEN(said); i++)
		if (said[i] && strcasestr(said[i], text))
			return true;
	return false;
}

static enum llm_error_class classify_status(const struct llm_provider_error *c)
{
	/* OpenRouter: with a Retry-After, running requests only reserve the credit. */
	if (c->status == 402 && c->retry_ms > 0)
		return LLM_ERROR_RATE_LIMIT;
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		if (statuses[i].status == c->status)
			return statuses[i].class;
	/* 200: the provider failed after the answer had begun. */
	return c->status >= 500 || c->status == 200 ? LLM_ERROR_OVERLOADED : LLM_ERROR_FATAL;
}

enum llm_error_class llm_classify(const struct llm_provider_error *c)
{
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (applies(rules[i].when, c->status) && mentions(c, rules[i].text) &&
		    (!rules[i].also || mentions(c, rules[i].also)))
			return rules[i].class;
	return classify_status(c);
}

/* Returns the number in an error object ("code": 429, or "429"), else the status that its text stands for. */
static int status_inside(struct json_object *e, const struct llm_provider_error *c)
{
	int64_t code = json_get_int(e, "code", 0);

	if (code == 0 && c->code && strlen(c->code) == 3)
		code = strtol(c->code, NULL, 10);
	if (code >= 400 && code < 600)
		return (int)code;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if ((c->type && strcasestr(c->type, words[i].word)) ||
		    (c->code && strcasestr(c->code, words[i].word)))
			return words[i].status;
	return 200;
}

static void read_complaint(struct json_object *o, struct llm_provider_error *c)
{
	if (json_object_is_type(o, json_type_array))
		o = json_object_array_get_idx(o, 0);
	struct json_object *e = json_get_object(o, "error");
	const char *text = json_get_str(o, "error");
	if (!e)
		e = o;
	c->message = text ? text : json_get_str(e, "message");
	if (!c->message)
		c->message = json_get_str(e, "detail");
	c->type = json_get_str(e, "type");
	c->code = json_get_str(e, "code");
	if (!c->code)
		c->code = json_get_str(e, "status");
	if (!c->code)
		c->code = json_get_str(json_get_object(e, "details"), "error_code"); /* Anthropic */
	c->upstream = json_get_str(json_get_object(e, "metadata"), "raw");
	if (c->status == 200)
		c->status = status_inside(e, c);
}

static enum llm_error_class report(const struct llm_provider_error *c, int status, struct error *err)
{
	static const enum error_kind kinds[LLM_ERROR_CANCELLED + 1] = {
	    [LLM_ERROR_TRANSIENT] = ERROR_NETWORK,
	    [LLM_ERROR_OVERLOADED] = ERROR_NETWORK,
	    [LLM_ERROR_RATE_LIMIT] = ERROR_LIMITED,
	};
	enum llm_error_class class = llm_classify(c);
	enum error_kind kind = kinds[class] != ERROR_NONE ? kinds[class] : ERROR_REFUSED;
	const char *message = c->message ? c->message : "without saying why",
		   *code = c->code ? c->code : c->type;
	int most = (int)utf8_cut(message, strlen(message), MESSAGE_MAX, UTF8_BYTES);

	if (status == 200)
		error_set(err, kind, "the answer holds an error%s%s: %.*s", code ? " " : "", code ? code : "",
		    most, message);
	else
		error_set(err, kind, "answered %d%s%s: %.*s", status, code ? " " : "", code ? code : "", most,
		    message);
	if (err) {
		err->code = c->status == 200 ? 0 : c->status;
		err->retry_ms = c->retry_ms;
	}
	return class;
}

enum llm_error_class llm_classify_object(
    int status, uint64_t retry_ms, struct json_object *o, struct error *err)
{
	struct llm_provider_error c = {.status = status, .retry_ms = retry_ms};

	read_complaint(o, &c);
	return report(&c, status, err);
}

enum llm_error_class llm_classify_body(
    int status, uint64_t retry_ms, const char *body, size_t len, struct error *err)
{
	struct llm_provider_error c = {.status = status, .retry_ms = retry_ms};
	struct json_object *o = len <= BODY_BYTES_MAX ? json_parse(body, len, NULL) : NULL;
	const char *begin = body + strspn(body, " \t\r\n");

	if (o)
		read_complaint(o, &c);
	else if (*begin == '<')
		c.message = "with a web page instead of an error object";
	else if (*begin != '\0' && len <= BODY_BYTES_MAX)
		c.message = begin;
	enum llm_error_class class = report(&c, status, err);
	json_object_put(o);
	return class;
}

enum llm_error_class llm_classify_transfer(const struct error *err)
{
	if (err->kind == ERROR_CANCELLED)
		return LLM_ERROR_CANCELLED;
	return err->kind == ERROR_NETWORK ? LLM_ERROR_TRANSIENT : LLM_ERROR_FATAL;
}
