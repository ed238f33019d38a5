#include "base/json/json.h"
#include "playground/model/api.h"
#include "playground/model/responses/responses.h"

static int check(const struct server_request *req, struct json_object *request, struct refusal *r)
{
	(void)req;
	return responses_check(request, r);
}

static int too_long(size_t tokens, size_t most, struct refusal *r)
{
	(void)tokens;
	(void)most;
	return refuse(r, "context_length_exceeded", "input",
	    "Your input exceeds the context window of this model. Please adjust your input and try again.");
}

static size_t read_max_tokens(struct json_object *request)
{
	return (size_t)json_get_int(request, "max_output_tokens", 0);
}

const struct model_api model_api_responses = {
    .check_key = model_check_bearer,
    .check = check,
    .too_long = too_long,
    .refuse = refusal_answer,
    .read = responses_read_conversation,
    .max_tokens = read_max_tokens,
    .whole = responses_answer_whole,
    .stream = responses_answer_stream,
};
