#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "tools/services.h"
#include "tools/tools_internal.h"

/* Characters of one option; the schema limits their number. */
#define OPTION_MAX  500
#define OPTIONS_MAX 20

/* Returns the failure of an option that cannot be shown; NULL when all can. */
static struct json_object *check_options(struct json_object *options)
{
	for (size_t i = 0; options && i < json_object_array_length(options); i++) {
		struct json_object *item = json_object_array_get_idx(options, i);
		const char *text = json_object_get_string(item);
		size_t len = (size_t)json_object_get_string_len(item);
		if (len != strlen(text) || text[strspn(text, " \t\r\n")] == '\0' ||
		    utf8_count(text, len, UTF8_CHARS) > OPTION_MAX)
			return tool_failure("ask_user", "INVALID_ARGUMENT", "RANGE",
			    "options[%zu] must be a text of 1 to %d characters. Nobody was asked; call again "
			    "with shorter options.",
			    i, OPTION_MAX);
	}
	return NULL;
}

static struct json_object *answer_of(const struct tool_reply *reply)
{
	static const struct {
		const char *code, *cause, *text;
	} failures[] = {
	    [TOOL_REPLY_TIMED_OUT] = {"TIMEOUT", NULL,
		"Nobody answered. Take the safe course or end the turn."},
	    [TOOL_REPLY_NOBODY] = {"UNAVAILABLE", "NO_CHAT",
		"There is no person here who could be asked. Take the safe course, or say in the answer what "
		"is not known."},
	    [TOOL_REPLY_WITHDRAWN] = {"INTERRUPTED", "STOPPED",
		"The question was withdrawn before it was answered. End the turn."},
	};

	if (reply->kind != TOOL_REPLY_GIVEN)
		return tool_failure("ask_user", failures[reply->kind].code, failures[reply->kind].cause, "%s",
		    failures[reply->kind].text);
	struct json_object *o = json_object_new_object();
	json_set_str(o, "answer", reply->text ? reply->text : "");
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *options = json_get_array(args, "options"), *o = check_options(options);
	struct tool_reply reply = {.kind = TOOL_REPLY_NOBODY};
	const char *texts[OPTIONS_MAX];
	struct tool_question q = {.text = json_get_str(args, "question"),
	    .options = texts,
	    .ms = (uint64_t)call->tools->settings.question_ms};
	struct error err = {0};

	if (o)
		return o;
	for (size_t i = 0; options && i < json_object_array_length(options) && i < OPTIONS_MAX; i++)
		texts[q.option_count++] = json_object_get_string(json_object_array_get_idx(options, i));
	if (call->services && call->services->ask_person &&
	    call->services->ask_person(t, call->services->turn_owner, call, &q, &reply, &err) < 0)
		o = tool_failure(
		    "ask_user", "INTERRUPTED", "STOPPED", "The turn was stopped while a person was asked.");
	else
		o = answer_of(&reply);
	free(reply.text);
	return o;
}

const struct tool tool_ask_user = {
    .name = "ask_user",
    .flags = TOOL_ASKS | TOOL_RESUMABLE,
    .summary = "Ask the person who wrote to you and wait for the answer, instead of guessing what they want. "
	       "They choose one of the options or answer in their own words. Returns: {answer}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"question\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":2000,\"description\":\"What "
	      "to ask, as Markdown, at most 2000 characters\"},"
	      "\"options\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":20,"
	      "\"description\":\"Answers to choose from, at most 20, shown as buttons; short ones are best "
	      "(default: none)\"}},\"required\":[\"question\"]}",
    .errors = "INTERRUPTED, TIMEOUT, UNAVAILABLE",
    .run = run,
};
