#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/log_tail.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"

#define LINE_MAX_BYTES 8192
#define IN_MAX_BYTES   128
#define CUT            "\xe2\x80\xa6"

static const struct {
	const char *name;
	int priority; /* sd-daemon(3) */
} levels[] = {
    [LOG_LEVEL_ERROR] = {"error", 3},
    [LOG_LEVEL_WARN] = {"warn", 4},
    [LOG_LEVEL_INFO] = {"info", 6},
    [LOG_LEVEL_DEBUG] = {"debug", 7},
};

static struct {
	enum log_format format;
	bool journal;
	void (*capture)(const char *line, void *arg);
	void *arg;
} setup;

/* Only the loop's thread changes them, holding the lock; it reads them without. Other threads read them with
 * the lock held. */
static struct {
	pthread_mutex_t lock;
	enum log_level level;
	struct {
		char name[LOG_MODULE_NAME_MAX + 1];
		enum log_level level;
	} modules[LOG_MODULES_MAX];
	size_t count;
} filter = {.lock = PTHREAD_MUTEX_INITIALIZER, .level = LOG_LEVEL_INFO};

/* The highest level that any module logs; lines above it are dropped without taking the lock. */
static atomic_int ceiling = LOG_LEVEL_INFO;

/* Lines that stderr did not accept, and whether the last one was written only in part. */
static atomic_ulong lost;
static atomic_bool torn;

/* systemd.exec(5): JOURNAL_STREAM is device:inode of the stream that the journal reads. */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	char mine[64];
	struct stat st;

	if (!stream || fstat(STDERR_FILENO, &st) < 0)
		return false;
	snprintf(mine, sizeof(mine), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	return strcmp(stream, mine) == 0;
}

/* filter.lock is held. */
static void filter_changed(void)
{
	int most = (int)filter.level;

	for (size_t i = 0; i < filter.count; i++)
		most = (int)filter.modules[i].level > most ? (int)filter.modules[i].level : most;
	atomic_store(&ceiling, most);
	pthread_mutex_unlock(&filter.lock);
}

void log_setup(enum log_level level, enum log_format format)
{
	pthread_mutex_lock(&filter.lock);
	filter.level = level;
	filter.count = 0;
	filter_changed();
	setup.format = format;
	setup.journal = is_journal();
}

enum log_level log_current_level(void)
{
	return (enum log_level)atomic_load(&ceiling);
}

static size_t find_module(const char *name)
{
	size_t i = 0;

	while (i < filter.count && strcmp(filter.modules[i].name, name) != 0)
		i++;
	return i;
}

bool log_is_module_name(const char *name)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	size_t len = strlen(name);

	return len > 0 && len <= LOG_MODULE_NAME_MAX && strspn(name, chars) == len;
}

int log_set_level(const char *module, enum log_level level)
{
	size_t i = module ? find_module(module) : 0;

	if (module && (!log_is_module_name(module) || i == LOG_MODULES_MAX))
		return -1;
	pthread_mutex_lock(&filter.lock);
	if (!module) {
		filter.level = level;
	} else {
		str_copy(filter.modules[i].name, sizeof(filter.modules[i].name), module);
		filter.modules[i].level = level;
		filter.count += i == filter.count;
	}
	filter_changed();
	return 0;
}

void log_unset_level(const char *module)
{
	size_t i = find_module(module);

	if (i == filter.count)
		return;
	pthread_mutex_lock(&filter.lock);
	filter.modules[i] = filter.modules[--filter.count];
	filter_changed();
}

/* The longest matching name decides: in itself, or a beginning of it up to a dot. */
static enum log_level find_level(const char *in)
{
	enum log_level level = filter.level;
	size_t longest = 0;

	for (size_t i = 0; i < filter.count; i++) {
		const char *name = filter.modules[i].name;
		size_t len = strlen(name);
		if (len > longest && strncmp(in, name, len) == 0 && (in[len] == '\0' || in[len] == '.')) {
			level = filter.modules[i].level;
			longest = len;
		}
	}
	return level;
}

enum log_level log_level_of(const char *module)
{
	return find_level(module ? module : "");
}

static bool is_wanted(enum log_level level, const char *in)
{
	if ((int)level > atomic_load(&ceiling))
		return false;
	pthread_mutex_lock(&filter.lock);
	bool wanted = level <= find_level(in);
	pthread_mutex_unlock(&filter.lock);
	return wanted;
}

const char *log_module(size_t i)
{
	return i < filter.count ? filter.modules[i].name : NULL;
}

const char *log_level_name(enum log_level level)
{
	return levels[level].name;
}

int log_level_parse(const char *name, enum log_level *level)
{
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		if (strcmp(levels[i].name, name) != 0)
			continue;
		*level = (enum log_level)i;
		return 0;
	}
	return -1;
}

void log_capture(void (*fn)(const char *line, void *arg), void *arg)
{
	setup.capture = fn;
	setup.arg = arg;
}

/* Characters that a terminal or a pager would act on: controls, line ends, direction marks. */
static const struct {
	uint32_t first, last;
} hidden[] = {
    {0x0, 0x1f},
    {0x7f, 0x9f},
    {0x61c, 0x61c},
    {0x200e, 0x200f},
    {0x2028, 0x202e},
    {0x2066, 0x2069},
};

static bool is_hidden(uint32_t cp)
{
	for (size_t i = 0; i < ARRAY_LEN(hidden); i++)
		if (cp >= hidden[i].first && cp <= hidden[i].last)
			return true;
	return false;
}

/* Appends the character or invalid byte at s in a visible form. Returns its length. */
static size_t add_visible(struct buf *out, const char *s, size_t len)
{
	static const char short_names[] = {['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
	const char *backslash = setup.format == LOG_FORMAT_JSON ? "\\\\" : "\\";
	uint32_t cp;
	size_t n = utf8_decode(s, len, &cp);

	if (n == 0)
		buf_addf(out, "%sx%02x", backslash, (unsigned char)*s);
	else if (cp < sizeof(short_names) && short_names[cp] != '\0')
		buf_addf(out, "%s%c", backslash, short_names[cp]);
	else if (is_hidden(cp))
		buf_addf(out, cp < 0x80 ? "%sx%02x" : "%su%04x", backslash, cp);
	else if (cp == '\\')
		buf_addstr(out, backslash);
	else if (cp == '"' && setup.format == LOG_FORMAT_JSON)
		buf_addstr(out, "\\\"");
	else
		buf_add(out, s, n);
	return n != 0 ? n : 1;
}

/* Appends text, redacted and escaped, while the line is at most max bytes long. */
static void add_text(struct buf *line, const char *text, size_t len, size_t max)
{
	struct buf safe = BUF_INIT;
	size_t before;

	secret_redact(&safe, text, len);
	for (size_t i = 0; i < safe.len;) {
		before = line->len;
		i += add_visible(line, safe.data + i, safe.len - i);
		if (line->len > max) {
			buf_truncate(line, before);
			buf_addstr(line, CUT);
			break;
		}
	}
	buf_clear(&safe);
}

static void add_time(struct buf *line)
{
	int64_t now = clock_wall();
	time_t seconds = (time_t)(now / 1000);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	buf_addf(line, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
	    tm.tm_hour, tm.tm_min, tm.tm_sec, (int)(now % 1000));
}

static void compose(struct buf *line, enum log_level level, const char *in, const struct buf *text)
{
	bool json = setup.format == LOG_FORMAT_JSON;
	const char *end = json ? "\"}\n" : "\n";

	if (setup.journal)
		buf_addf(line, "<%d>", levels[level].priority);
	buf_addstr(line, json ? "{\"time\":\"" : "");
	add_time(line);
	buf_addf(line, json ? "\",\"level\":\"%s\",\"in\":\"" : " %s ", levels[level].name);
	add_text(line, in, strlen(in), line->len + IN_MAX_BYTES);
	buf_addstr(line, json ? "\",\"text\":\"" : ": ");
	add_text(line, text->data, text->len, LINE_MAX_BYTES - strlen(CUT) - strlen(end));
	buf_addstr(line, end);
}

/* One write(2), so that lines of several writers do not mix; more only after a partial write. */
static bool write_line(const struct buf *line)
{
	size_t done = 0;

	while (done < line->len) {
		ssize_t n = write(STDERR_FILENO, line->data + done, line->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (done > 0)
				atomic_store(&torn, true);
			return false;
		}
		done += (size_t)n;
	}
	return true;
}

static void report_lost(void)
{
	unsigned long count = atomic_exchange(&lost, 0);
	struct buf text = BUF_INIT, line = BUF_INIT;

	if (count == 0)
		return;
	if (atomic_exchange(&torn, false))
		buf_addch(&line, '\n');
	buf_addf(&text, "stderr did not take some lines lost=%lu", count);
	compose(&line, LOG_LEVEL_WARN, "log", &text);
	if (!write_line(&line))
		atomic_fetch_add(&lost, count);
	buf_clear(&text);
	buf_clear(&line);
}

/* Without the priority, which is for the journal only. */
static void note(enum log_level level, const struct buf *line)
{
	size_t skip = setup.journal ? strlen("<6>") : 0;

	log_tail_note(level, line->data + skip, line->len - skip - 1);
}

static void emit(struct buf *line)
{
	if (setup.capture) {
		buf_truncate(line, line->len - 1);
		setup.capture(line->data, setup.arg);
		return;
	}
	report_lost();
	if (!write_line(line))
		atomic_fetch_add(&lost, 1);
}

void log_write(enum log_level level, const char *in, const char *fmt, ...)
{
	struct buf text = BUF_INIT, line = BUF_INIT;
	int saved = errno;
	va_list ap;

	if (!is_wanted(level, in))
		return;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	compose(&line, level, in, &text);
	note(level, &line);
	emit(&line);
	buf_clear(&text);
	buf_clear(&line);
	errno = saved;
}
