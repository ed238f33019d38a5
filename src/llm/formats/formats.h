#ifndef LLM_FORMATS_FORMATS_H
#define LLM_FORMATS_FORMATS_H

struct llm_ops;

/* NULL: there is none of this name. */
const struct llm_ops *llm_format_find(const char *name);
/* For the setting: "auto", then their names, then NULL. */
extern const char *const llm_format_names[];

#endif
