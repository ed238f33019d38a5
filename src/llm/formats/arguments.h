#ifndef LLM_FORMATS_ARGUMENTS_H
#define LLM_FORMATS_ARGUMENTS_H
/*
 * The arguments of a call as a model wrote them, made into a JSON object that can stand in
 * a history for ever: one call with broken arguments in it makes providers refuse every later
 * request. What cannot be understood is kept, under one key that no tool has, so that nothing
 * runs with arguments that nobody gave.
 */
#include <stdbool.h>
#include <stddef.h>

#define LLM_ARGUMENTS_UNPARSED "unparsed_arguments"

/* The JSON object, malloc'd; NULL when the text is none. Blank and null are {}. mend: also after light
 * repairs (a code fence, trailing commas, single quotes, raw control characters in strings, True, False and
 * None, an object inside a string); only for a message that was not cut off. */
char *llm_arguments_read(const char *text, size_t len, bool mend);
/* What takes their place when they cannot be read, malloc'd: an object with the first 4 KiB of the text under
 * LLM_ARGUMENTS_UNPARSED. */
char *llm_arguments_wrap_invalid(const char *text, size_t len);

#endif
