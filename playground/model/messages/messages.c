#include <string.h>

#include "playground/model/api.h"
#include "playground/model/messages/messages.h"

static const struct {
	int status;
	const char *type;
} types[] = {
    {400, "invalid_request_error"},
    {401, "authentication_error"},
    {402, "billing_error"},
    {403, "permission_error"},
    {404, "not_found_error"},
    {413, "request_too_large"},
    {429, "rate_limit_error"},
    {500, "api_error"},
    {504, "timeout_error"},
    {529, "overloaded_error"},
};

/* Returns the type for the status; a type of the API that a script names is kept. */
static const char *type_of(const struct refusal *r)
{
	const char *type = r->status >= 500 ? "api_error" : "invalid_request_error";

	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (types[i].status == r->status)
			type = types[i].type;
		else if (i > 0 && r->type && strcmp(types[i].type, r->type) == 0)
			return r->type;
	}
	return type;
}

static void messages_refuse(struct exchange *ex, const struct refusal *r)
{
	struct buf out = BUF_INIT;
	char headers[96], id[25];
	int n = 0;

	model_random_name(id, sizeof(id));
	if (r->retry_after > 0)
		n = snprintf(headers, sizeof(headers), "retry-after: %u\r\n", r->retry_after);
	snprintf(headers + n, sizeof(headers) - (size_t)n, "request-id: req_01%s\r\n", id);
	buf_addf(&out, "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":", type_of(r));
	json_quote(&out, r->message, strlen(r->message));
	if (r->code) {
		buf_addstr(&out, ",\"details\":{\"error_code\":");
		json_quote(&out, r->code, strlen(r->code));
		buf_addch(&out, '}');
	}
	buf_addf(&out, "},\"request_id\":\"req_01%s\"}", id);
	exchange_answer(ex, r->status, "application/json", headers, &out);
	buf_clear(&out);
}

/* In x-api-key, or as a bearer token; any key works unless it contains "revoked". */
static int check_key(const struct server_request *req, struct refusal *r)
{
	const char *key = server_header(req, "x-api-key");

	if (!key)
		key = server_header(req, "authorization");
	if (key && key[0] != '\0' && !strstr(key, "revoked"))
		return 0;
	refuse(r, NULL, NULL, "%s", !key ? "x-api-key header is required" : "invalid x-api-key");
	r->status = 401;
	return -1;
}

static int check(const struct server_request *req, struct json_object *request, struct refusal *r)
{
	return messages_check(request, server_header(req, "anthropic-version"), r);
}

static int too_long(size_t tokens, size_t most, struct refusal *r)
{
	return refuse(r, NULL, NULL, "prompt is too long: %zu tokens > %zu maximum", tokens, most);
}

static size_t read_max_tokens(struct json_object *request)
{
	return (size_t)json_get_int(request, "max_tokens", 0);
}

const struct model_api model_api_messages = {
    .check_key = check_key,
    .check = check,
    .too_long = too_long,
    .refuse = messages_refuse,
    .read = messages_read_conversation,
    .max_tokens = read_max_tokens,
    .whole = messages_answer_whole,
    .stream = messages_answer_stream,
};
