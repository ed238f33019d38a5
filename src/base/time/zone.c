#include "base/time/zone.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/time/zone_rule.h"

#define ZONE_DIR   "/usr/share/zoneinfo"
#define LOCAL_FILE "/etc/localtime"
/* The largest files of the database have about 4 kB. */
#define FILE_MAX    (256 * 1024)
#define HEADER_SIZE 44

struct zone_change {
	int64_t at;
	int32_t offset; /* from this time on */
};

struct zone {
	struct zone_change *changes; /* in order of time */
	size_t count;
	int32_t first; /* the offset before all of them */
	bool has_rule; /* the rule for times after them */
	struct zone_rule rule;
};

/* The counts in a header of the file. */
struct counts {
	size_t utc, standard, leaps, times, types, chars;
};

static int64_t read_int(const unsigned char *p, size_t size)
{
	uint64_t n = p[0] & 0x80 ? UINT64_MAX : 0;

	for (size_t i = 0; i < size; i++)
		n = n << 8 | p[i];
	return (int64_t)n;
}

static bool read_header(const unsigned char *data, size_t len, struct counts *c)
{
	size_t *const fields[] = {&c->utc, &c->standard, &c->leaps, &c->times, &c->types, &c->chars};

	if (len < HEADER_SIZE || memcmp(data, "TZif", 4) != 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		int64_t n = read_int(data + 20 + i * 4, 4);
		if (n < 0 || n > FILE_MAX)
			return false;
		*fields[i] = (size_t)n;
	}
	return c->types > 0;
}

static size_t block_size(const struct counts *c, size_t time_size)
{
	return c->times * (time_size + 1) + c->types * 6 + c->chars + c->leaps * (time_size + 4) +
	    c->standard + c->utc;
}

/* Reads a block that is completely there. */
static bool read_block(struct zone *z, const unsigned char *p, const struct counts *c, size_t time_size)
{
	const unsigned char *kinds = p + c->times * time_size, *types = kinds + c->times;

	z->first = (int32_t)read_int(types, 4);
	z->changes = xcalloc(c->times + 1, sizeof(*z->changes));
	for (size_t i = 0; i < c->times; i++) {
		if (kinds[i] >= c->types)
			return false;
		struct zone_change *change = &z->changes[z->count++];
		*change = (struct zone_change){read_int(p + i * time_size, time_size),
		    (int32_t)read_int(types + (size_t)kinds[i] * 6, 4)};
		if (i > 0 && change->at <= change[-1].at)
			return false;
	}
	return true;
}

static bool offsets_are_sane(const struct zone *z)
{
	bool sane = abs(z->first) <= 26 * 3600;

	for (size_t i = 0; i < z->count; i++)
		sane = sane && abs(z->changes[i].offset) <= 26 * 3600;
	return sane;
}

/* Reads the rule between two newlines; it may be empty. */
static bool read_footer(struct zone *z, const unsigned char *p, size_t len)
{
	const unsigned char *end = len > 1 && p[0] == '\n' ? memchr(p + 1, '\n', len - 1) : NULL;

	if (!end)
		return false;
	z->has_rule = end > p + 1;
	return !z->has_rule || zone_rule_parse((const char *)p + 1, (size_t)(end - p - 1), &z->rule) == 0;
}

/* Version 1 has only the first block, with times of 4 bytes; later versions repeat it with 8. */
static bool read_file(struct zone *z, const unsigned char *p, size_t len)
{
	struct counts c;
	size_t size;

	if (!read_header(p, len, &c))
		return false;
	size = block_size(&c, 4);
	if (len - HEADER_SIZE < size)
		return false;
	if (p[4] == '\0')
		return c.leaps == 0 && read_block(z, p + HEADER_SIZE, &c, 4);
	p += HEADER_SIZE + size;
	len -= HEADER_SIZE + size;
	/* With leap seconds (the folder "right") it does not count as computer clocks do. */
	if (!read_header(p, len, &c) || c.leaps > 0)
		return false;
	size = block_size(&c, 8);
	return len - HEADER_SIZE >= size && read_block(z, p + HEADER_SIZE, &c, 8) &&
	    read_footer(z, p + HEADER_SIZE + size, len - HEADER_SIZE - size);
}

struct zone *zone_parse(const void *data, size_t len, struct error *err)
{
	struct zone *z = xcalloc(1, sizeof(*z));

	if (len <= FILE_MAX && read_file(z, data, len) && offsets_are_sane(z))
		return z;
	zone_free(z);
	error_set(
	    err, ERROR_REFUSED, "the file of the time zone cannot be read: reinstall the package tzdata");
	return NULL;
}

static bool name_is_sane(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len >= ZONE_NAME_SIZE || name[0] == '/' || strstr(name, ".."))
		return false;
	return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/") == len;
}

static struct zone *load_file(int fd, struct error *err)
{
	unsigned char *data = xcalloc(1, FILE_MAX + 1);
	struct zone *z = NULL;
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len <= FILE_MAX) {
		n = read(fd, data + len, FILE_MAX + 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		error_set(err, ERROR_OURS, "the file of the time zone cannot be read: %s", strerror(errno));
	else
		z = zone_parse(data, len, err);
	free(data);
	return z;
}

struct zone *zone_load(const char *name, struct error *err)
{
	char path[sizeof(ZONE_DIR) + ZONE_NAME_SIZE];
	struct stat st;

	if (strcmp(name, "UTC") == 0)
		return xcalloc(1, sizeof(struct zone));
	if (!name_is_sane(name)) {
		error_set(err, ERROR_REFUSED,
		    "\"%.40s\" is no time zone: give its name, as Europe/Berlin, or UTC", name);
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/%s", ZONE_DIR, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		bool none = access(ZONE_DIR, F_OK) != 0;
		if (fd >= 0)
			close(fd);
		error_set(err, ERROR_REFUSED,
		    none ? "there are no time zones on this machine for \"%s\": install the package tzdata" :
			   "there is no time zone \"%s\": give its name, as Europe/Berlin, or UTC",
		    name);
		return NULL;
	}
	struct zone *z = load_file(fd, err);
	close(fd);
	return z;
}

void zone_free(struct zone *z)
{
	if (!z)
		return;
	free(z->changes);
	free(z);
}

void zone_local_name(char out[ZONE_NAME_SIZE])
{
	const char *tz = getenv("TZ"), *name;
	char target[PATH_MAX];
	ssize_t n;

	if (tz && *tz == ':')
		tz++;
	if (tz && name_is_sane(tz) && str_copy(out, ZONE_NAME_SIZE, tz) == 0)
		return;
	n = readlink(LOCAL_FILE, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	name = strstr(target, "zoneinfo/");
	if (!name || !name_is_sane(name + 9) || str_copy(out, ZONE_NAME_SIZE, name + 9) < 0)
		str_copy(out, ZONE_NAME_SIZE, "UTC");
}

struct zone_span zone_span_at(const struct zone *z, int64_t utc)
{
	size_t low = 0, high = z->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (z->changes[middle].at <= utc)
			low = middle + 1;
		else
			high = middle;
	}
	/* low: the first change after it. */
	struct zone_span span = {INT64_MIN, INT64_MAX, z->first};
	if (low > 0)
		span = (struct zone_span){z->changes[low - 1].at, INT64_MAX, z->changes[low - 1].offset};
	if (low < z->count) {
		span.until = z->changes[low].at;
	} else if (z->has_rule) {
		struct zone_span ruled = zone_rule_span(&z->rule, utc);
		span = (struct zone_span){
		    ruled.from > span.from ? ruled.from : span.from, ruled.until, ruled.offset};
	}
	return span;
}

int64_t zone_utc(const struct zone *z, int64_t wall)
{
	/* No offset from UTC is a day or more. */
	struct zone_span span = zone_span_at(z, wall - 2 * 86400);

	while (span.until <= wall - span.offset) {
		span = zone_span_at(z, span.until);
		if (wall - span.offset < span.from)
			return span.from;
	}
	return wall - span.offset;
}
