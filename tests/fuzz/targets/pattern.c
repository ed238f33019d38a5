/* Patterns of paths as a model writes them, against any path: an answer in bounded time, the one that fnmatch
 * gives where both speak the same language, and a path written out, with its signs escaped, fits itself. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "tools/files/glob_pattern.h"

/* fnmatch takes exponential time. */
#define COMPARED_MAX 14

static unsigned walk_down(const struct glob_pattern *p, const char *path)
{
	struct glob_pattern_state at, next;
	unsigned fit = GLOB_PATTERN_ENTER;
	size_t len;

	glob_pattern_begin(p, &at);
	for (path += strspn(path, "/"); *path && (fit & GLOB_PATTERN_ENTER);
	     path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/");
		char *name = xstrndup(path, len);
		fit = glob_pattern_step(p, &at, name, &next);
		HOLDS((fit & ~(unsigned)(GLOB_PATTERN_FILE | GLOB_PATTERN_FOLDER | GLOB_PATTERN_ENTER)) == 0);
		at = next;
		free(name);
		if (path[len + strspn(path + len, "/")] == '\0')
			return fit;
	}
	return 0;
}

static void compare(const char *pattern, const char *name)
{
	size_t len = strlen(pattern), n = strlen(name);

	if (len == 0 || n == 0 || len > COMPARED_MAX || n > COMPARED_MAX || strspn(pattern, "ab.*?") < len ||
	    strspn(name, "ab.") < n)
		return;
	HOLDS(glob_pattern_match_name(pattern, name) == (fnmatch(pattern, name, FNM_PERIOD) == 0));
}

static void match_itself(const char *path)
{
	struct buf escaped = BUF_INIT, problem = BUF_INIT;

	/* Without "." components, which mean nothing, and blank ones. */
	for (size_t len; *path; path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/");
		if (len == 0 || (len == 1 && *path == '.'))
			continue;
		buf_addstr(&escaped, escaped.len ? "/" : "");
		for (size_t i = 0; i < len; i++)
			buf_addf(&escaped, "%s%c", (unsigned char)path[i] < 0x80 ? "\\" : "", path[i]);
	}
	if (escaped.len > 0 && escaped.len < 2000) {
		struct glob_pattern *p = glob_pattern_new(escaped.data, false, &problem);
		HOLDS(p);
		struct buf plain = BUF_INIT;
		for (const char *c = escaped.data; *c; c++)
			if (*c != '\\' || *++c)
				buf_addch(&plain, *c);
		/* The start is as it stands. */
		size_t start = strlen(glob_pattern_start(p));
		HOLDS(strncmp(glob_pattern_start(p), plain.data, start) == 0);
		HOLDS(walk_down(p, plain.data + start) & GLOB_PATTERN_FILE);
		buf_clear(&plain);
		glob_pattern_free(p);
	}
	buf_clear(&escaped);
	buf_clear(&problem);
}

void fuzz_pattern(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	bool deep = fuzz_byte(&in) & 1;
	size_t len;
	char *text = fuzz_until(&in, '\n', &len), *path = fuzz_rest(&in, &len);
	struct buf problem = BUF_INIT;
	struct glob_pattern *p = glob_pattern_new(text, deep, &problem);

	HOLDS((!p) == (problem.len > 0));
	if (p) {
		walk_down(p, path);
		/* What the start holds is not in the pattern any more. */
		HOLDS(strlen(glob_pattern_start(p)) <= strlen(text));
	} else {
		fuzz_hold_sentence(problem.data);
	}
	if (glob_pattern_sign(text) > 0 && !strchr(text, '/') && !strchr(path, '/'))
		compare(text, path);
	match_itself(path);
	glob_pattern_free(p);
	buf_clear(&problem);
	free(text);
	free(path);
}

FUZZ_PROGRAM(fuzz_pattern)
