#include "playground/model/api.h"
#include "playground/model/chat/chat.h"

static int check(const struct server_request *req, struct json_object *request, struct refusal *r)
{
	(void)req;
	return vendor_check(request, r) != 0 ? -1 : chat_check(request, r);
}

static int too_long(size_t tokens, size_t most, struct refusal *r)
{
	return refuse(r, "context_length_exceeded", "messages",
	    "This model's maximum context length is %zu tokens. However, your messages resulted in %zu "
	    "tokens. Please reduce the length of the messages.",
	    most, tokens);
}

static size_t read_max_tokens(struct json_object *request)
{
	return (size_t)json_get_int(request, "max_completion_tokens", json_get_int(request, "max_tokens", 0));
}

const struct model_api model_api_chat = {
    .check_key = model_check_bearer,
    .check = check,
    .too_long = too_long,
    .refuse = refusal_answer,
    .read = chat_read_conversation,
    .max_tokens = read_max_tokens,
    .whole = chat_answer_whole,
    .stream = chat_answer_stream,
};
