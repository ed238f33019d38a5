#ifndef LLM_FORMATS_SCHEMA_H
#define LLM_FORMATS_SCHEMA_H
/* Simplifies tool schemas for providers that support a part of JSON Schema only. */

struct buf;

/* Appends a schema of an object without references, alternatives and type unions, in which every array has
 * an item type (Gemini refuses anything else). Of alternatives the first that is not null remains. */
void llm_schema_plain(struct buf *out, const char *schema);

#endif
