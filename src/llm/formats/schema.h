#ifndef LLM_FORMATS_SCHEMA_H
#define LLM_FORMATS_SCHEMA_H
/* Schemas of tools for providers that know a part of JSON Schema only. */

struct buf;

/* Appends a schema of an object without references, alternatives and unions of types, in which every array
 * says what is in it (Gemini refuses what has them, or has not). Of alternatives the first that is not null
 * stays. */
void llm_schema_plain(struct buf *out, const char *schema);

#endif
