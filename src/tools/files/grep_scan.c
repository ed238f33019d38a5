#include "tools/files/grep_scan.h"

#include <string.h>

#include "base/json/json.h"
#include "base/text/utf8.h"
#include "tools/sanitize.h"
#include "tools/files/regex.h"
#include "tools/files/file_search.h"

/* Bytes of a line that are shown. */
#define LINE_SHOWN 2000
/* Bytes sanitized beyond the cut of a long line, so that the cut does not split a secret. */
#define LINE_SLACK 65536
/* Size of an entry without its texts. */
#define ENTRY_FRAME 32
/* After this many files for which the pattern is too expensive, the search gives up. */
#define HARD_FILES_MAX 100
#define ENDED_HARD \
	"The search ended early, since the pattern takes too long. Use one with fewer nested repetitions."

void grep_scan_init(struct grep_scan *s, struct file_search *search)
{
	s->search = search;
	line_reader_init(&s->lines);
	for (size_t i = 0; i < GREP_CONTEXT_MAX; i++)
		buf_init(&s->recent[i]);
}

void grep_scan_clear(struct grep_scan *s)
{
	line_reader_clear(&s->lines);
	for (size_t i = 0; i < GREP_CONTEXT_MAX; i++)
		buf_clear(&s->recent[i]);
}

static bool stopped(void *arg)
{
	return walk_stopped(arg);
}

/* Returns a sanitized line, and counts its size; *cut is set when it is longer. */
static struct json_object *show(struct grep_scan *s, const char *line, size_t len, bool *cut)
{
	size_t most = 4 * LINE_SHOWN + LINE_SLACK, seen = len < most ? len : most;
	struct buf text = BUF_INIT;

	sanitize_text(&text, line, seen);
	size_t shown = utf8_cut(text.data, text.len, LINE_SHOWN, UTF8_CHARS);
	*cut |= shown < text.len || seen < len;
	s->search->kept_bytes += shown + 4;
	struct json_object *o = json_object_new_string_len(text.data, (int)shown);
	buf_clear(&text);
	return o;
}

static void add_before(struct grep_scan *s, struct json_object *entry, bool *cut)
{
	struct json_object *list = json_object_new_array();
	int64_t first = s->number - s->before > 1 ? s->number - s->before : 1;

	for (int64_t n = first; n < s->number; n++) {
		const struct buf *line = &s->recent[n % s->before];
		json_object_array_add(list, show(s, line->data, line->len, cut));
	}
	json_set(entry, "before", list);
}

static void add_entry(struct grep_scan *s, const char *line, size_t len)
{
	struct json_object *entry = json_object_new_object(), *after;
	bool cut = s->lines.is_cut;

	json_set_str(entry, "file", s->path);
	json_set_int(entry, "line", s->number);
	json_set(entry, "content", show(s, line, len, &cut));
	if (s->before > 0)
		add_before(s, entry, &cut);
	if (s->after > 0) {
		after = json_object_new_array();
		json_set(entry, "after", after);
		s->waiting[s->waiting_count++] = (struct grep_context){after, s->after};
	}
	if (cut)
		json_set_bool(entry, "cut", true);
	s->search->kept_bytes += strlen(s->path) + ENTRY_FRAME;
	json_object_array_add(s->matches, entry);
}

static void add_after(struct grep_scan *s, const char *line, size_t len)
{
	size_t kept = 0;
	bool cut = false;

	for (size_t i = 0; i < s->waiting_count; i++) {
		struct grep_context *a = &s->waiting[i];
		json_object_array_add(a->lines, show(s, line, len, &cut));
		if (--a->left > 0)
			s->waiting[kept++] = *a;
	}
	s->waiting_count = kept;
}

static void remember(struct grep_scan *s, const char *line, size_t len)
{
	struct buf *slot = &s->recent[s->number % s->before];
	size_t most = 4 * LINE_SHOWN + LINE_SLACK + 1;

	buf_reset(slot);
	buf_add(slot, line, len < most ? len : most);
}

/* Line numbers are needed only for content. */
static void count_lines(struct grep_scan *s, const char *data, size_t len)
{
	if (s->mode != GREP_CONTENT)
		return;
	for (const char *end = data + len; (data = memchr(data, '\n', (size_t)(end - data))); data++)
		s->number++;
}

/* Skips lines that lack the text that every match contains. */
static void skip_ahead(struct grep_scan *s)
{
	const char *data, *hit;
	size_t len;

	if (!regex_has_needle(s->regex) || s->before > 0 || s->waiting_count > 0)
		return;
	data = line_reader_ahead(&s->lines, &len);
	hit = regex_find_needle(s->regex, data, len);
	if (hit) {
		const char *before = memrchr(data, '\n', (size_t)(hit - data));
		len = before ? (size_t)(before + 1 - data) : 0;
	}
	count_lines(s, data, len);
	line_reader_skip(&s->lines, len);
}

/* Bytes that are no UTF-8 count as Latin-1 when a line is matched. */
static enum regex_answer match_line(struct grep_scan *s, const char *line, size_t len)
{
	struct buf text = BUF_INIT;

	if (utf8_valid(line, len))
		return regex_match(s->regex, line, len, stopped, &s->search->walk);
	for (size_t at = 0; at < len;) {
		uint32_t cp;
		size_t n = utf8_decode(line + at, len - at, &cp);
		utf8_encode(&text, n > 0 ? cp : (unsigned char)line[at]);
		at += n > 0 ? n : 1;
	}
	enum regex_answer answer = regex_match(s->regex, text.data, text.len, stopped, &s->search->walk);
	buf_clear(&text);
	return answer;
}

/* Returns false when the file is done. */
static bool take_line(struct grep_scan *s, const char *line, size_t len)
{
	enum regex_answer answer = match_line(s, line, len);

	s->number++;
	if (s->waiting_count > 0)
		add_after(s, line, len);
	if (answer == REGEX_TOO_HARD) {
		s->hard_files++;
		s->search->walk.skipped++;
	} else if (answer == REGEX_YES) {
		s->found++;
		if (s->mode == GREP_CONTENT && file_search_count_match(s->search))
			add_entry(s, line, len);
	}
	if (s->before > 0)
		remember(s, line, len);
	return (answer == REGEX_YES && s->mode != GREP_FILES) || answer == REGEX_NO;
}

/* Adds the entry of a file, for files_with_matches and count. */
static void add_file(struct grep_scan *s)
{
	struct json_object *entry;

	if (s->found == 0 || s->mode == GREP_CONTENT || !file_search_count_match(s->search))
		return;
	s->search->kept_bytes += strlen(s->path) + 4;
	if (s->mode == GREP_FILES) {
		entry = json_object_new_string(s->path);
	} else {
		entry = json_object_new_object();
		json_set_str(entry, "file", s->path);
		json_set_int(entry, "count", s->found);
	}
	json_object_array_add(s->matches, entry);
}

void grep_scan_file(struct grep_scan *s, int fd, const char *path)
{
	struct walk *w = &s->search->walk;
	const char *line;
	size_t len;

	s->path = path;
	s->number = s->found = 0;
	s->waiting_count = 0;
	if (!line_reader_open(&s->lines, fd)) {
		w->skipped++;
		return;
	}
	do
		skip_ahead(s);
	while (!walk_stopped(w) && line_reader_next(&s->lines, &line, &len) && take_line(s, line, len));
	w->skipped += s->lines.failed;
	s->lines_found += s->found;
	add_file(s);
	if (s->hard_files >= HARD_FILES_MAX) {
		w->end_reason = ENDED_HARD;
		w->done = true;
	}
}
