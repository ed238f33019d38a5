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
enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };
enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

/* Until this is called: LOG_LEVEL_INFO as text, without priorities. */
void log_setup(enum log_level level, enum log_format format);
enum log_level log_current_level(void);
/* Lines are written whole, at most 8 KiB each (what is cut ends in …). A line that stderr
 * does not take is counted, and the next that it takes is preceded by their number. Keeps
 * errno. On any thread. in: dotted component, e.g. "telegram.main". */
__attribute__((format(printf, 3, 4))) void log_write(enum log_level level, const char *in, const char *fmt, ...);
/* Tests: hand each finished line, without its line end, to fn instead of stderr; NULL restores
 * stderr. */
void log_capture(void (*fn)(const char *line, void *arg), void *arg);

#define log_error(in, ...) log_write(LOG_LEVEL_ERROR, in, __VA_ARGS__)
#define log_warn(in, ...) log_write(LOG_LEVEL_WARN, in, __VA_ARGS__)
#define log_info(in, ...) log_write(LOG_LEVEL_INFO, in, __VA_ARGS__)
#define log_debug(in, ...) \
	do { if (log_current_level() >= LOG_LEVEL_DEBUG) log_write(LOG_LEVEL_DEBUG, in, __VA_ARGS__); } while (0)

#endif
