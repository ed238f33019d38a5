#include "playground/server/fault.h"

#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"

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
	json_each(names, item) {
		const char *name = item ? json_object_get_string(item) : "null";
		size_t k = 0;

		while (k < ARRAY_LEN(rows) && strcmp(rows[k].name, name) != 0)
			k++;
		if (k == ARRAY_LEN(rows))
			return error_set(err, ERROR_OURS, "there is no quirk \"%.40s\"", name);
		*quirks |= rows[k].bit;
	}
	return *quirks != 0 ? 0 : error_set(err, ERROR_OURS, "say which \"quirks\" an answer shall have");
}
