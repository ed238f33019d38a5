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
#include <stddef.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };
enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* Until this is called: LOG_LEVEL_INFO as text, without priorities. Forgets the levels of modules. */
void log_setup(enum log_level level, enum log_format format);
/* The most that any module logs. */
enum log_level log_current_level(void);

/* A module is a component, "telegram", and what is named beneath it, "telegram.main"; one with a level of its
 * own does not follow the others. On the loop's thread alone; takes effect at once on all. */
#define LOG_MODULES_MAX     32
#define LOG_MODULE_NAME_MAX 40
/* NULL: of all without one of their own. -1: the name is not [A-Za-z0-9._-], or there are too many. */
int log_set_level(const char *module, enum log_level level);
/* The module follows the others again. */
void log_unset_level(const char *module);
/* Of a module (NULL: of all without one of their own). */
enum log_level log_level_of(const char *module);
/* The modules with a level of their own: NULL after the last. */
const char *log_module(size_t i);
const char *log_level_name(enum log_level level);
/* -1: there is none of that name. */
int log_level_parse(const char *name, enum log_level *level);
/* Lines are written whole, at most 8 KiB each (what is cut ends in …). A line that stderr
 * does not take is counted, and the next that it takes is preceded by their number. Keeps
 * errno. On any thread. in: dotted component, e.g. "telegram.main". */
__attribute__((format(printf, 3, 4))) void log_write(
    enum log_level level, const char *in, const char *fmt, ...);
/* Tests: hand each finished line, without its line end, to fn instead of stderr; NULL restores
 * stderr. */
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
