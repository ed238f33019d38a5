#include "playground/server/fault.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

/* Errors in the forms of OpenAI and Anthropic. */
#define OPENAI(type, code, message) \
	"{\"error\":{\"message\":\"" message "\",\"type\":\"" type "\",\"param\":null,\"code\":" code "}}"
#define ANTHROPIC(type, message)                                                      \
	"{\"type\":\"error\",\"error\":{\"type\":\"" type "\",\"message\":\"" message \
	"\"},\"request_id\":\"req_01Playground\"}"
#define INVALID "invalid_request_error"

static const struct failure failures[] = {
    /* Temporary errors. */
    {"rate_limit", 429, 0,
	OPENAI("requests", "\"rate_limit_exceeded\"",
	    "Rate limit reached for requests. Please try again later."),
	ANTHROPIC("rate_limit_error",
	    "This request would exceed the rate limit of 50 requests per minute of your organization.")},
    {"overloaded", 503, 529,
	OPENAI("server_error", "\"server_is_overloaded\"",
	    "Our servers are currently overloaded. Please try again later."),
	ANTHROPIC("overloaded_error", "Overloaded")},
    {"overloaded_429", 429, 0,
	"{\"error\":{\"code\":\"1305\",\"message\":\"The service may be temporarily overloaded, please try "
	"again later\"}}",
	NULL},
    {"overloaded_gemini", 503, 0,
	"[{\"error\":{\"code\":503,\"message\":\"This model is currently experiencing high "
	"demand.\",\"status\":\"UNAVAILABLE\"}}]",
	NULL},
    {"unavailable", 503, 0,
	OPENAI("server_error", "null", "The server is temporarily unable to handle the request."),
	ANTHROPIC("api_error", "Service unavailable")},
    {"internal", 500, 0,
	OPENAI("server_error", "null", "The server had an error while processing your request."),
	ANTHROPIC("api_error", "Internal server error")},
    {"timeout", 504, 0, OPENAI("server_error", "null", "The request timed out."),
	ANTHROPIC("timeout_error", "Request timed out.")},
    /* Errors that the operator has to fix. */
    {"insufficient_quota", 429, 0,
	OPENAI("insufficient_quota", "\"insufficient_quota\"",
	    "You exceeded your current quota, please check your plan and billing details."),
	"{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"The spend limit of your "
	"organization is "
	"reached.\",\"details\":{\"error_code\":\"enforced_spend_limit_reached\"}},\"request_id\":\"req_"
	"01Playground\"}"},
    {"no_balance", 402, 0, OPENAI("unknown_error", "\"" INVALID "\"", "Insufficient Balance"),
	ANTHROPIC("billing_error", "Your credit balance is too low to access the API.")},
    {"wrong_key", 401, 0, OPENAI(INVALID, "\"invalid_api_key\"", "Incorrect API key provided."),
	ANTHROPIC("authentication_error", "invalid x-api-key")},
    {"no_access", 403, 0, OPENAI(INVALID, "null", "Your key has no access to this model."),
	ANTHROPIC(
	    "permission_error", "Your API key does not have permission to use the specified resource.")},
    {"no_model", 404, 0, OPENAI(INVALID, "\"model_not_found\"", "The model does not exist."),
	ANTHROPIC("not_found_error", "model: scripted")},
    /* Requests that are too long. */
    {"overflow_anthropic", 400, 0, ANTHROPIC(INVALID, "prompt is too long: 213462 tokens > 200000 maximum"),
	NULL},
    {"overflow_anthropic_bytes", 413, 0, ANTHROPIC("request_too_large", "Request exceeds the maximum size"),
	NULL},
    {"overflow_bedrock", 400, 0, OPENAI(INVALID, "null", "Input is too long for requested model."), NULL},
    {"overflow_gemini", 400, 0,
	"[{\"error\":{\"code\":400,\"message\":\"The input token count (1196265) exceeds the maximum number "
	"of tokens allowed (1048575).\",\"status\":\"INVALID_ARGUMENT\"}}]",
	NULL},
    {"overflow_groq", 400, 0,
	OPENAI(INVALID, "null", "Please reduce the length of the messages or completion."), NULL},
    {"overflow_llamacpp", 400, 0,
	"{\"error\":{\"code\":400,\"message\":\"the request exceeds the available context size, try "
	"increasing it\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":9000,\"n_ctx\":4096}}",
	NULL},
    {"overflow_lmstudio", 400, 0,
	"{\"error\":\"The number of tokens to keep from the initial prompt is greater than the context "
	"length.\"}",
	NULL},
    {"overflow_minimax", 400, 0, OPENAI(INVALID, "null", "invalid params, context window exceeds limit"),
	NULL},
    {"overflow_mistral", 400, 0,
	"{\"object\":\"error\",\"message\":\"Prompt is too large for model with 32768 maximum context "
	"length\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"3051\"}",
	NULL},
    {"overflow_moonshot", 400, 0,
	OPENAI(INVALID, "null", "Invalid request: Your request exceeded model token limit: 131072"), NULL},
    {"overflow_ollama", 400, 0, OPENAI("api_error", "null", "the input length exceeds the context length"),
	NULL},
    {"overflow_openai", 400, 0,
	OPENAI(INVALID, "\"context_length_exceeded\"",
	    "Your input exceeds the context window of this model. Please adjust your input and try again."),
	NULL},
    {"overflow_openrouter", 400, 0,
	"{\"error\":{\"message\":\"Provider returned "
	"error\",\"code\":400,\"metadata\":{\"raw\":\"{\\\"error\\\":{\\\"message\\\":\\\"This model's "
	"maximum context length is 128000 tokens.\\\"}}\",\"provider_name\":\"upstream\"}}}",
	NULL},
    {"overflow_page", 413, 0,
	"<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>", NULL},
    {"overflow_qwen", 400, 0,
	OPENAI(INVALID, "null",
	    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]"),
	NULL},
    {"overflow_vllm", 400, 0,
	"{\"object\":\"error\",\"message\":\"This model's maximum context length is 4096 tokens. However, "
	"you requested 9000 tokens.\",\"type\":\"BadRequestError\",\"param\":null,\"code\":400}",
	NULL},
    {"overflow_xai", 400, 0,
	"{\"code\":\"Client specified an invalid argument\",\"error\":\"This model's maximum prompt length "
	"is 131072 but the request contains 537812 tokens.\"}",
	NULL},
    /* Histories that are refused. */
    {"unpaired_call", 400, 0,
	OPENAI(INVALID, "null",
	    "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
	    "'tool_call_id'."),
	ANTHROPIC(INVALID,
	    "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. "
	    "Each `tool_use` block must have a corresponding `tool_result` block in the next message.")},
    {"unpaired_result", 400, 0,
	OPENAI(INVALID, "null",
	    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
	    "'tool_calls'."),
	ANTHROPIC(INVALID,
	    "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01. Each "
	    "`tool_result` block must have a corresponding `tool_use` block in the previous message.")},
    {"bad_signature", 400, 0,
	OPENAI(INVALID, "\"invalid_encrypted_content\"", "The encrypted content could not be verified."),
	ANTHROPIC(INVALID, "messages.1.content.0: Invalid `signature` in `thinking` block")},
    {"no_reasoning", 400, 0,
	OPENAI(INVALID, "null", "The reasoning_content in the thinking mode must be passed back to the API."),
	ANTHROPIC(INVALID,
	    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.")},
    {"no_thought_signature", 400, 0,
	"[{\"error\":{\"code\":400,\"message\":\"Function call is missing a thought_signature in "
	"functionCall parts.\",\"status\":\"INVALID_ARGUMENT\"}}]",
	NULL},
    {"image_too_large", 400, 0,
	ANTHROPIC(INVALID,
	    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 "
	    "bytes"),
	NULL},
    /* Errors about tools and their calls. */
    {"bad_schema", 400, 0,
	OPENAI(INVALID, "\"invalid_function_parameters\"",
	    "Invalid schema for function 'list_directory': array schema missing items."),
	NULL},
    {"bad_grammar", 500, 0, "{\"error\":\"Failed to parse grammar\"}", NULL},
    {"tool_use_failed", 400, 0,
	"{\"error\":{\"message\":\"Failed to call a function. Please adjust your "
	"prompt.\",\"type\":\"invalid_request_error\",\"code\":\"tool_use_failed\",\"failed_generation\":\"<"
	"function=list_directory{}</function>\"}}",
	NULL},
    {"filtered", 400, 0, OPENAI(INVALID, "\"content_filter\"", "The response was filtered."), NULL},
    /* Other errors. */
    {"bad_request", 400, 0, OPENAI(INVALID, "\"unknown_parameter\"", "Unknown parameter: 'x'."),
	ANTHROPIC(INVALID, "x: Extra inputs are not permitted")},
};

const struct failure *failure_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(failures); i++)
		if (strcmp(failures[i].name, name) == 0)
			return &failures[i];
	return NULL;
}

int failure_status(const struct failure *f, bool messages)
{
	return messages && f->messages_status != 0 ? f->messages_status : f->status;
}

const char *failure_body(const struct failure *f, bool messages)
{
	return messages && f->messages_body ? f->messages_body : f->body;
}

/* An event of the Responses API has the error's fields directly, without an error object. */
static void responses_event(const struct failure *f, struct buf *out)
{
	struct json_object *body = json_parse(f->body, strlen(f->body), NULL),
			   *error = json_get(body, "error"), *event = json_object_new_object();

	json_set_str(event, "type", "error");
	json_set_str(event, "code", json_get_str(error, "code"));
	json_set_str(
	    event, "message", json_get_str(error, "message") ? json_get_str(error, "message") : f->name);
	json_set_str(event, "param", NULL);
	buf_addstr(out, "event: error\ndata: ");
	json_write(out, event);
	buf_addstr(out, "\n\n");
	json_object_put(event);
	json_object_put(body);
}

void failure_event(const struct failure *f, const char *format, struct buf *out)
{
	if (strcmp(format, "responses") == 0)
		responses_event(f, out);
	else if (strcmp(format, "messages") == 0)
		buf_addf(out, "event: error\ndata: %s\n\n", failure_body(f, true));
	else
		buf_addf(out, "data: %s\n\n", failure_body(f, false));
}

void failure_page(int status, struct buf *out)
{
	buf_addf(out,
	    "<html>\r\n<head><title>%d</title></head>\r\n<body>\r\n<center><h1>%d</h1></"
	    "center>\r\n<hr><center>a proxy</center>\r\n</body>\r\n</html>\r\n",
	    status, status);
}
