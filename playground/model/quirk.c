#include "playground/model/quirk.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/model/script/script.h"

static const struct {
	const char *name;
	enum quirk bit;
} rows[] = {
    {"bad_arguments", QUIRK_BAD_ARGUMENTS},
    {"bom", QUIRK_BOM},
    {"bytes", QUIRK_BYTES},
    {"cr", QUIRK_CR},
    {"crlf", QUIRK_CRLF},
    {"cut_arguments", QUIRK_CUT_ARGUMENTS},
    {"empty", QUIRK_EMPTY},
    {"far_index", QUIRK_FAR_INDEX},
    {"no_done", QUIRK_NO_DONE},
    {"no_id", QUIRK_NO_ID},
    {"no_index", QUIRK_NO_INDEX},
    {"no_usage", QUIRK_NO_USAGE},
    {"object_arguments", QUIRK_OBJECT_ARGUMENTS},
    {"same_id", QUIRK_SAME_ID},
    {"surrogates", QUIRK_SURROGATES},
    {"text_calls", QUIRK_TEXT_CALLS},
    {"zero_index", QUIRK_ZERO_INDEX},
};

int quirk_read(struct json_object *names, unsigned *quirks, struct error *err)
{
	*quirks = 0;
	for (size_t i = 0; names && i < json_object_array_length(names); i++) {
		struct json_object *name = json_object_array_get_idx(names, i);
		size_t k = 0;

		while (k < ARRAY_LEN(rows) && strcmp(rows[k].name, json_object_get_string(name)) != 0)
			k++;
		if (k == ARRAY_LEN(rows))
			return error_set(
			    err, ERROR_OURS, "there is no quirk \"%.40s\"", json_object_get_string(name));
		*quirks |= rows[k].bit;
	}
	return *quirks != 0 ? 0 : error_set(err, ERROR_OURS, "say which \"quirks\" an answer shall have");
}

static void replace(char **field, char *with)
{
	free(*field);
	*field = with;
}

static void drop_calls(struct script_answer *answer)
{
	for (size_t i = 0; i < answer->call_count; i++) {
		free(answer->calls[i].name);
		free(answer->calls[i].arguments);
	}
	free(answer->calls);
	answer->calls = NULL;
	answer->call_count = 0;
}

/* As a model does whose server does not know how its calls look. */
static void write_calls(struct script_answer *answer)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < answer->call_count; i++)
		buf_addf(&text, "<tool_call>\n{\"name\": \"%s\", \"arguments\": %s}\n</tool_call>\n",
		    answer->calls[i].name, answer->calls[i].arguments);
	if (answer->call_count > 0)
		replace(&answer->text, xstrdup(text.data));
	drop_calls(answer);
	buf_clear(&text);
}

void quirk_apply(unsigned quirks, struct script_answer *answer)
{
	if (quirks & QUIRK_TEXT_CALLS)
		write_calls(answer);
	if (quirks & QUIRK_EMPTY) {
		drop_calls(answer);
		replace(&answer->text, xstrdup(""));
	}
	for (size_t i = 0; i < answer->call_count; i++) {
		char *arguments = answer->calls[i].arguments;

		if (quirks & QUIRK_CUT_ARGUMENTS)
			arguments[strlen(arguments) / 2] = '\0';
		if (quirks & QUIRK_BAD_ARGUMENTS)
			replace(&answer->calls[i].arguments, xasprintf("%s, what?}", arguments));
	}
	if ((quirks & QUIRK_CUT_ARGUMENTS) && answer->call_count > 0)
		replace(&answer->finish_reason, xstrdup("length"));
}
