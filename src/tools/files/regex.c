#include "tools/files/regex.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pcre.h"
#include "base/text/utf8.h"

/* Match steps at one position of a line: few at first, for all positions in one call; then more, position by
 * position. PCRE2 counts them afresh for each position. */
#define EASY_STEPS 1000
#define HARD_STEPS 200000
/* Positions tried in one call: fewer in a long line, where each can take longer. */
#define EASY_WORK   (256 * 1024)
#define HARD_PLACES 8
/* Maximum line for an interpreted pattern: each call first checks the rest of the line for valid UTF-8. */
#define INTERPRETED_MAX 65536
#define HEAP_MAX_KIB    16384
#define STACK_MAX       (1024 * 1024)
#define DEPTH_MAX       100000
#define NEST_MAX        100

struct regex {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	char *needle;
	bool compiled; /* to machine code */
};

/* A pattern without special characters is searched for as a plain text, which is faster. Not one beyond
 * ASCII: a file in Latin-1 has other bytes. */
static bool is_plain(const char *pattern)
{
	for (const char *p = pattern; *p; p++)
		if ((unsigned char)*p >= 0x80 || strchr("\\^$.[]|()?*+{}#", *p))
			return false;
	return *pattern;
}

static void tell(struct buf *problem, const char *pattern, int number, size_t at)
{
	char words[256];

	pcre.pcre2_get_error_message(number, (PCRE2_UCHAR *)words, sizeof(words));
	at = at < strlen(pattern) ? at : strlen(pattern);
	buf_addf(problem, "Invalid pattern: %s at %zu. Escape a sign as \\%c to search for the sign itself.",
	    words, utf8_count(pattern, at, UTF8_CHARS),
	    strpbrk(pattern, "([{*+?") ? *strpbrk(pattern, "([{*+?") : '(');
}

static pcre2_code *compile(const char *pattern, bool ignore_case, struct buf *problem)
{
	uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C |
	    PCRE2_USE_OFFSET_LIMIT;
	pcre2_compile_context *context = pcre.pcre2_compile_context_create(NULL);
	PCRE2_SIZE at;
	int number;

	if (!context)
		mem_exhausted(0);
	pcre.pcre2_set_parens_nest_limit(context, NEST_MAX);
	options |= ignore_case ? PCRE2_CASELESS : 0;
	pcre2_code *code =
	    pcre.pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &number, &at, context);
	pcre.pcre2_compile_context_free(context);
	if (!code)
		tell(problem, pattern, number, at);
	return code;
}

struct regex *regex_new(const char *pattern, bool ignore_case, struct buf *problem)
{
	pcre2_code *code;
	struct regex *r;
	struct error err;
	size_t size = 0;

	if (pcre_load(&err) != 0) {
		buf_addstr(problem, err.text);
		return NULL;
	}
	code = compile(pattern, ignore_case, problem);
	if (!code)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->code = code;
	r->data = pcre.pcre2_match_data_create(1, NULL);
	r->context = pcre.pcre2_match_context_create(NULL);
	if (!r->data || !r->context)
		mem_exhausted(0);
	pcre.pcre2_set_heap_limit(r->context, HEAP_MAX_KIB);
	pcre.pcre2_set_depth_limit(r->context, DEPTH_MAX);
	/* Where code cannot be generated at run time, as under MemoryDenyWriteExecute, the pattern is
	 * interpreted. */
	pcre.pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	r->compiled = pcre.pcre2_pattern_info(code, PCRE2_INFO_JITSIZE, &size) == 0 && size > 0;
	if (r->compiled)
		r->stack = pcre.pcre2_jit_stack_create(32 * 1024, STACK_MAX, NULL);
	if (r->stack)
		pcre.pcre2_jit_stack_assign(r->context, NULL, r->stack);
	r->needle = !ignore_case && is_plain(pattern) ? xstrdup(pattern) : NULL;
	return r;
}

void regex_free(struct regex *r)
{
	if (!r)
		return;
	pcre.pcre2_jit_stack_free(r->stack);
	pcre.pcre2_match_context_free(r->context);
	pcre.pcre2_match_data_free(r->data);
	pcre.pcre2_code_free(r->code);
	free(r->needle);
	free(r);
}

bool regex_has_needle(const struct regex *r)
{
	return r->needle;
}

const char *regex_find_needle(const struct regex *r, const char *data, size_t len)
{
	return memmem(data, len, r->needle, strlen(r->needle));
}

/* Matches from position at on, over at most that many positions; returns PCRE2's number. */
static int match_from(struct regex *r, const char *line, size_t len, size_t at, size_t places, uint32_t steps)
{
	pcre.pcre2_set_match_limit(r->context, steps);
	pcre.pcre2_set_offset_limit(r->context, at + places - 1);
	return pcre.pcre2_match(r->code, (PCRE2_SPTR)line, len, at, 0, r->data, r->context);
}

/* Positions are where characters begin. */
static size_t next_place(const char *line, size_t len, size_t at)
{
	for (int i = 0; i < 3 && at < len && (line[at] & 0xc0) == 0x80; i++)
		at++;
	return at;
}

static enum regex_answer answer_of(int number)
{
	if (number >= 0)
		return REGEX_YES;
	return number == PCRE2_ERROR_NOMATCH ? REGEX_NO : REGEX_TOO_HARD;
}

/* Tries the positions from at to end, some at a time. */
static enum regex_answer try_places(struct regex *r, const char *line, size_t len, size_t at, size_t end,
    bool (*stopped)(void *arg), void *arg)
{
	enum regex_answer answer = REGEX_NO;

	for (size_t next; at < end && answer == REGEX_NO; at = next) {
		if (stopped(arg))
			return REGEX_STOPPED;
		next = next_place(line, len, at + HARD_PLACES < end ? at + HARD_PLACES : end);
		answer = answer_of(match_from(r, line, len, at, next - at, HARD_STEPS));
	}
	return answer;
}

enum regex_answer regex_match(
    struct regex *r, const char *line, size_t len, bool (*stopped)(void *arg), void *arg)
{
	enum regex_answer answer = REGEX_NO;

	if (!r->compiled && len > INTERPRETED_MAX)
		len = INTERPRETED_MAX;
	size_t places = EASY_WORK / (len + 1);
	places = places < HARD_PLACES ? HARD_PLACES : places;
	/* The end of the line is a position, too. */
	for (size_t at = 0, next; at <= len && answer == REGEX_NO; at = next) {
		next = at + places > len ? len + 1 : next_place(line, len, at + places);
		if (at > 0 && stopped(arg))
			return REGEX_STOPPED;
		answer = answer_of(match_from(r, line, len, at, next - at, EASY_STEPS));
		if (answer == REGEX_TOO_HARD)
			answer = try_places(r, line, len, at, next, stopped, arg);
	}
	return answer;
}
