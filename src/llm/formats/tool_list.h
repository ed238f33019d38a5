#ifndef LLM_FORMATS_TOOL_LIST_H
#define LLM_FORMATS_TOOL_LIST_H
/* Writes the tools of a request. Most requests offer one of a few lists, by role, of 20 KB each: the texts
 * written last are kept. On the loop's thread. */
#include <stdbool.h>

#include "llm/llm.h"

struct buf;

/* Appends a tool as an element of the list; last: none follows. The same tool always gets the same text. */
typedef void tool_list_fn(struct buf *out, const struct llm_tool *tool, bool last);
/* Appends the member "tools", after a comma; nothing when there are no tools. */
void tool_list_add(struct buf *out, const struct llm_request *req, tool_list_fn *write);

#endif
