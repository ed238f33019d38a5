#include "llm/formats/formats.h"

#include <string.h>

#include "base/mem.h"
#include "llm/llm.h"

/* The wire formats, by their name in the configuration. A new one is a folder beside this file and a row
 * here. */
/* clang-format off */
#define FORMATS(row) \
	row("anthropic", llm_anthropic) \
	row("openai-chat", llm_openai_chat) \
	row("openai-responses", llm_openai_responses)
/* clang-format on */

#define DECLARATION(name, ops) extern const struct llm_ops ops;
#define NAME(name, ops)        name,
#define OPS(name, ops)         &(ops),

FORMATS(DECLARATION)

const char *const llm_format_names[] = {"auto", FORMATS(NAME) NULL};

static const struct llm_ops *const formats[] = {FORMATS(OPS)};

const struct llm_ops *llm_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strcmp(llm_format_names[i + 1], name) == 0)
			return formats[i];
	return NULL;
}
