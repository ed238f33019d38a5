#ifndef BASE_LOG_H
#define BASE_LOG_H
/*
 * One line an event on stderr, redacted, with control characters escaped:
 *   2026-01-02T03:04:05.678Z info telegram.main: polling bot=123 offset=7
 * or, as JSON lines, {"time":…,"level":…,"in":…,"text":…}. What is variable goes into
 * key=value pairs at the end of the text; text from outside is quoted with %s in "", or
 * with json_quote where it may hold quotes itself.
 * When journald reads stderr (JOURNAL_STREAM), a <N> priority stands first.
 */
#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };
enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* Sets the global level and format, and clears the levels of modules. Before the first call: LOG_LEVEL_INFO
 * as text, without priorities. */
void log_setup(enum log_level level, enum log_format format);
/* The most verbose level of any module. */
enum log_level log_current_level(void);

/* A module is a component, "telegram", or a part of one, "telegram.main". A module with its own level
 * ignores the global one. On the loop's thread only; takes effect at once. */
#define LOG_MODULES_MAX     32
#define LOG_MODULE_NAME_MAX 40
/* [A-Za-z0-9._-], from 1 to LOG_MODULE_NAME_MAX of them. */
bool log_is_module_name(const char *name);
/* NULL sets the level of all modules without their own. Returns -1 when it is no name of a module, or there
 * are too many. */
int log_set_level(const char *module, enum log_level level);
/* The module uses the global level again. */
void log_unset_level(const char *module);
/* NULL: the level of all modules without their own. */
enum log_level log_level_of(const char *module);
/* The modules with their own level; NULL after the last. */
const char *log_module(size_t i);
const char *log_level_name(enum log_level level);
/* Returns -1 for an unknown name. */
int log_level_parse(const char *name, enum log_level *level);
/* Writes one line of at most 8 KiB (a truncated line ends in …). Counts lines that stderr does not accept,
 * and reports the count before the next one. Keeps errno. On any thread. in: dotted component, e.g.
 * "telegram.main". */
__attribute__((format(printf, 3, 4))) void log_write(
    enum log_level level, const char *in, const char *fmt, ...);
/* Tests: fn gets each finished line without its line end instead of stderr; NULL restores stderr. */
void log_capture(void (*fn)(const char *line, void *arg), void *arg);

#define log_error(in, ...) log_write(LOG_LEVEL_ERROR, in, __VA_ARGS__)
#define log_warn(in, ...)  log_write(LOG_LEVEL_WARN, in, __VA_ARGS__)
#define log_info(in, ...)  log_write(LOG_LEVEL_INFO, in, __VA_ARGS__)
#define log_debug(in, ...)                                           \
	do {                                                         \
		if (log_current_level() >= LOG_LEVEL_DEBUG)          \
			log_write(LOG_LEVEL_DEBUG, in, __VA_ARGS__); \
	} while (0)

#endif
