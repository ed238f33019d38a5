#ifndef LLM_FORMATS_ARGUMENTS_H
#define LLM_FORMATS_ARGUMENTS_H
/*
 * Turns the tool-call arguments that a model wrote into a JSON object that can stay in the history:
 * providers refuse every later request with one broken call in it. Unreadable arguments are kept under a
 * key that no tool has, so that nothing runs with arguments that the model did not give.
 */
#include <stdbool.h>
#include <stddef.h>

#define LLM_ARGUMENTS_UNPARSED "unparsed_arguments"

/* Returns the JSON object, malloc'd, or NULL when the text is none, or has more values than
 * json_parse_foreign takes. Blank and null give {}. repair: allow
 * light repairs (a code fence, trailing commas, single quotes, raw control characters in strings, True,
 * False and None, an object inside a string); only for a message that was not cut off. */
char *llm_arguments_read(const char *text, size_t len, bool repair);
/* Returns the substitute for unreadable arguments, malloc'd: an object with the first 4 KiB of the text
 * under LLM_ARGUMENTS_UNPARSED. */
char *llm_arguments_wrap_invalid(const char *text, size_t len);

#endif
