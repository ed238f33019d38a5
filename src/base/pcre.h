#ifndef BASE_PCRE_H
#define BASE_PCRE_H
/* PCRE2 for UTF-8, loaded by the first pattern: most runs need none of it. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

struct error;

#define PCRE_EACH(X)                    \
	X(pcre2_code_free)              \
	X(pcre2_compile)                \
	X(pcre2_compile_context_create) \
	X(pcre2_compile_context_free)   \
	X(pcre2_get_error_message)      \
	X(pcre2_get_ovector_pointer)    \
	X(pcre2_jit_compile)            \
	X(pcre2_jit_stack_assign)       \
	X(pcre2_jit_stack_create)       \
	X(pcre2_jit_stack_free)         \
	X(pcre2_match)                  \
	X(pcre2_match_context_create)   \
	X(pcre2_match_context_free)     \
	X(pcre2_match_data_create)      \
	X(pcre2_match_data_free)        \
	X(pcre2_pattern_info)           \
	X(pcre2_set_depth_limit)        \
	X(pcre2_set_heap_limit)         \
	X(pcre2_set_match_limit)        \
	X(pcre2_set_offset_limit)       \
	X(pcre2_set_parens_nest_limit)

extern struct pcre {
#define PCRE_MEMBER(name) __typeof__(&name) name;
	PCRE_EACH(PCRE_MEMBER)
#undef PCRE_MEMBER
} pcre;

/* Before the first use of pcre. Returns -1 (ERROR_OURS) when the library is missing. */
int pcre_load(struct error *err);

#endif
