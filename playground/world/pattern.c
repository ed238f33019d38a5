#include "playground/world/pattern.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pcre.h"

/* Match steps in a whole text, at most, and at one position of it, at least. */
#define STEPS        4000000
#define STEPS_MIN    500
#define HEAP_MAX_KIB 8192
#define DEPTH_MAX    100000
#define NEST_MAX     100
#define GROUPS_MAX   10

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

/* An escape of Rust, at text[0] the backslash; returns its length, 0 when there is none. */
static size_t add_escape(const char *text, struct buf *out, struct error *err)
{
	char c = text[1];

	if (c == '\0') {
		error_set(err, ERROR_OURS, "incomplete escape sequence, reached end of pattern prematurely");
		return 0;
	}
	if (isdigit((unsigned char)c)) {
		error_set(err, ERROR_OURS, "backreferences are not supported");
		return 0;
	}
	if (isalpha((unsigned char)c) && !strchr("aftnrvAzbBdDsSwWpPxuU", c)) {
		error_set(err, ERROR_OURS, "unrecognized escape sequence");
		return 0;
	}
	if (c == 'v') { /* PCRE2's is any vertical space */
		buf_addstr(out, "\\x0b");
		return 2;
	}
	if (c == 'u' || c == 'U') {
		size_t digits = c == 'u' ? 4 : 8;

		if (text[2] == '{') {
			buf_addstr(out, "\\x");
			return 2;
		}
		if (strspn(text + 2, "0123456789abcdefABCDEF") < digits) {
			error_set(err, ERROR_OURS, "incomplete hexadecimal escape");
			return 0;
		}
		buf_addf(out, "\\x{%.*s}", (int)digits, text + 2);
		return 2 + digits;
	}
	buf_add(out, text, 2);
	return 2;
}

/* What begins with a bracket and a question mark; returns its length, 0 when Rust does not know it. */
static size_t add_question(const char *text, struct buf *out, struct error *err)
{
	size_t flags = strspn(text + 2, "imsUux-");
	bool look =
	    text[2] == '=' || text[2] == '!' || (text[2] == '<' && (text[3] == '=' || text[3] == '!'));

	if (!look && (text[2] == '<' || strncmp(text + 2, "P<", 2) == 0)) {
		buf_add(out, text, 3);
		return 3;
	}
	if (look || (text[2 + flags] != ':' && text[2 + flags] != ')')) {
		error_set(err, ERROR_OURS,
		    look ? "look-around, including look-ahead and look-behind, is not supported" :
			   "unrecognized flag");
		return 0;
	}
	buf_addstr(out, "(?");
	for (size_t i = 2; i < 2 + flags; i++)
		if (text[i] != 'u') /* all is Unicode */
			buf_addch(out, text[i]);
	return 2 + flags;
}

/* Rewrites Rust's language as PCRE2's, which knows more. */
static int add_rust(const char *text, struct buf *out, struct error *err)
{
	bool in_class = false;

	for (size_t n; *text; text += n) {
		n = 1;
		if (*text == '\\') {
			n = add_escape(text, out, err);
		} else if (!in_class && text[0] == '(' && text[1] == '?') {
			n = add_question(text, out, err);
		} else if (!in_class && text[0] == '(' && text[1] == '*') {
			return error_set(err, ERROR_OURS, "repetition operator missing expression");
		} else {
			if (!in_class && *text == '[') {
				in_class = true;
				/* A ] that comes first is one of the characters. */
				n += text[n] == '^';
				n += text[n] == ']';
			} else if (in_class && text[0] == '[' && text[1] == ':') {
				n = strcspn(text, "]") + (strchr(text, ']') != NULL);
			} else if (*text == ']') {
				in_class = false;
			}
			buf_add(out, text, n);
		}
		if (n == 0)
			return -1;
	}
	return 0;
}

static pcre2_code *compile(const char *text, unsigned flags, struct error *err)
{
	pcre2_compile_context *context = pcre.pcre2_compile_context_create(NULL);
	uint32_t options =
	    PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
	pcre2_code *code;
	char words[160];
	PCRE2_SIZE at;
	int number;

	if (!context)
		mem_exhausted(0);
	options |= flags & PATTERN_ANY_CASE ? PCRE2_CASELESS : 0;
	/* As in extended regular expressions. */
	options |= flags & PATTERN_RUST ? 0 : PCRE2_DOTALL;
	pcre.pcre2_set_parens_nest_limit(context, NEST_MAX);
	/* The compiled form has 64 KiB at most: Debian's PCRE2 has links of two bytes. */
	code = pcre.pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options, &number, &at, context);
	pcre.pcre2_compile_context_free(context);
	if (!code) {
		pcre.pcre2_get_error_message(number, (PCRE2_UCHAR *)words, sizeof(words));
		error_set(err, ERROR_OURS, "%s", words);
	}
	return code;
}

struct pattern *pattern_new(const char *text, unsigned flags, struct error *err)
{
	struct buf rust = BUF_INIT;
	pcre2_code *code = NULL;
	struct pattern *p;

	if (pcre_load(err) == 0 && (!(flags & PATTERN_RUST) || add_rust(text, &rust, err) == 0))
		code = compile(flags & PATTERN_RUST ? rust.data : text, flags, err);
	buf_clear(&rust);
	if (!code)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->code = code;
	p->data = pcre.pcre2_match_data_create(GROUPS_MAX, NULL);
	p->context = pcre.pcre2_match_context_create(NULL);
	if (!p->data || !p->context)
		mem_exhausted(0);
	pcre.pcre2_set_heap_limit(p->context, HEAP_MAX_KIB);
	pcre.pcre2_set_depth_limit(p->context, DEPTH_MAX);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre.pcre2_match_context_free(p->context);
	pcre.pcre2_match_data_free(p->data);
	pcre.pcre2_code_free(p->code);
	free(p);
}

bool pattern_match(
    struct pattern *p, const char *text, size_t len, struct pattern_group *groups, size_t count)
{
	size_t steps = STEPS / (len + 1);
	const PCRE2_SIZE *at;
	int found;

	/* PCRE2 counts afresh for each position. */
	pcre.pcre2_set_match_limit(p->context, (uint32_t)(steps < STEPS_MIN ? STEPS_MIN : steps));
	found = pcre.pcre2_match(p->code, (PCRE2_SPTR)text, len, 0, 0, p->data, p->context);
	if (found < 0)
		return false;
	at = pcre.pcre2_get_ovector_pointer(p->data);
	for (size_t i = 0; i < count; i++) {
		bool is = (found == 0 || i < (size_t)found) && i < GROUPS_MAX && at[2 * i] != PCRE2_UNSET;

		groups[i].text = is ? text + at[2 * i] : NULL;
		groups[i].len = is ? at[2 * i + 1] - at[2 * i] : 0;
	}
	return true;
}
