#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "tools/sanitize.h"
#include "tools/result_limit.h"
#include "tools/services.h"
#include "tools/files/image_copy.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define READ_LINES 2000
#define READ_CHUNK 65536
/* A NUL within this many bytes at the start makes a file binary. */
#define READ_PROBE 8192
/* Larger files are not read to the end to count lines. */
#define READ_COUNT_MAX (64LL * 1024 * 1024)
/* Bytes of the result besides the content. */
#define READ_FRAME 512
/* Bytes sanitized beyond the cut of a long line, so that the cut does not split a secret. */
#define READ_SLACK 65536
/* Larger images are only named. */
#define READ_IMAGE_MAX (32 * 1024 * 1024)

struct read_job {
	struct worker_job job;
	struct roots *roots;
	char *path;
	int64_t offset, limit;
	bool numbers;
	size_t keep_max, escaped_max; /* bytes of content: as text, and inside the result */
	/* State while reading: the number of the current line, and as much of it as is kept. */
	int64_t number;
	struct buf line;
	bool in_line, line_is_cut;
	/* Results. */
	struct path_error why;
	struct buf content, image; /* image: the whole file, if it is an image */
	size_t escaped, replaced;
	bool is_binary, is_image, is_counted;
	int64_t size, next_line; /* next_line: 0 until the content is complete */
	bool has_next;           /* there is a line next_line */
	int64_t long_line;       /* number of a line that had to be cut; 0 for none */
};

static void job_free(struct worker_job *job)
{
	struct read_job *r = (struct read_job *)job;

	roots_unref(r->roots);
	free(r->path);
	buf_clear(&r->line);
	buf_clear(&r->content);
	buf_clear(&r->image);
	free(r);
}

/* Keeps the beginning of a line that is too long for a result, as its only line. Counts only invalid bytes
 * that are shown. */
static void keep_beginning(struct read_job *r, const struct buf *text, size_t replaced)
{
	size_t most = text->len < r->keep_max ? text->len : r->keep_max;

	buf_add(&r->content, text->data, result_limit_cut(text->data, most, r->escaped_max));
	for (const char *at = r->content.data; r->replaced < replaced && (at = strstr(at, "\ufffd")); at++)
		r->replaced++;
	r->long_line = r->number;
	r->next_line = r->number + 1;
}

/* Takes the current line if it still fits. */
static void keep_line(struct read_job *r)
{
	struct buf text = BUF_INIT;

	if (r->numbers)
		buf_addf(&text, "%lld: ", (long long)r->number);
	size_t replaced = sanitize_text(&text, r->line.data, r->line.len);
	size_t escaped = result_limit_escaped_size(text.data, text.len);
	if (!r->line_is_cut && r->content.len + text.len <= r->keep_max &&
	    r->escaped + escaped <= r->escaped_max) {
		buf_add(&r->content, text.data, text.len);
		r->escaped += escaped;
		r->replaced += replaced;
	} else if (r->content.len == 0) {
		keep_beginning(r, &text, replaced);
	} else {
		r->next_line = r->number;
		r->has_next = true;
	}
	buf_clear(&text);
}

static void end_line(struct read_job *r)
{
	if (r->number >= r->offset && !r->next_line)
		keep_line(r);
	buf_reset(&r->line);
	r->in_line = r->line_is_cut = false;
	r->number++;
}

/* Handles the next bytes of the file. */
static void take(struct read_job *r, const char *s, size_t len)
{
	while (len > 0) {
		const char *end = memchr(s, '\n', len);
		size_t n = end ? (size_t)(end + 1 - s) : len, room = r->keep_max + READ_SLACK - r->line.len;
		if (!r->next_line && r->number >= r->offset && r->number - r->offset >= r->limit)
			r->next_line = r->number;
		r->has_next |= r->number == r->next_line;
		if (!r->next_line && r->number >= r->offset)
			buf_add(&r->line, s, n < room ? n : room);
		r->line_is_cut |= n > room;
		r->in_line = true;
		if (end)
			end_line(r);
		s += n;
		len -= n;
	}
}

/* Has everything been read that the result holds of a large file? */
static bool is_content_complete(const struct read_job *r)
{
	bool is_long = r->line_is_cut && r->number >= r->offset;

	return !r->is_counted && (r->has_next || is_long);
}

/* Reads to the end to count the lines, unless the file is large. */
static int read_lines(struct read_job *r, int fd)
{
	char chunk[READ_CHUNK];
	int64_t seen = 0;
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0 && !is_content_complete(r)) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		take(r, chunk, (size_t)n);
		seen += n;
		r->size = seen > r->size ? seen : r->size; /* the file grew while it was read */
		r->is_counted &= seen <= READ_COUNT_MAX;
	}
	if (r->in_line)
		end_line(r);
	return 0;
}

static bool begins_binary(struct read_job *r, int fd)
{
	char probe[READ_PROBE];
	ssize_t n = pread(fd, probe, sizeof(probe), 0);

	r->is_image = n > 0 && image_copy_supports(probe, (size_t)n);
	return r->is_image || (n > 0 && memchr(probe, '\0', (size_t)n));
}

/* Reads the whole file, unless it is larger than the maximum for images. */
static int read_image(struct read_job *r, int fd)
{
	char chunk[READ_CHUNK];
	ssize_t n;

	if (r->size > READ_IMAGE_MAX)
		return 0;
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			buf_add(&r->image, chunk, (size_t)n);
		if (r->image.len > READ_IMAGE_MAX)
			return 0;
	}
	return 0;
}

static void job_run(struct worker_job *job)
{
	struct read_job *r = (struct read_job *)job;
	struct stat st;
	int fd = root_open_file(r->roots, r->path, &r->why);

	if (fd < 0)
		return;
	if (fstat(fd, &st) < 0) {
		path_error_io(&r->why, "SIZE_FAILED", "Cannot get file size: ", r->path);
	} else {
		r->size = st.st_size;
		r->is_counted = r->size <= READ_COUNT_MAX;
		r->is_binary = begins_binary(r, fd);
		if ((!r->is_binary && read_lines(r, fd) < 0) || (r->is_image && read_image(r, fd) < 0))
			path_error_io(&r->why, "READ_FAILED", "Failed to read file: ", r->path);
	}
	close(fd);
}

static void add_message(struct json_object *o, const struct read_job *r)
{
	char text[192];

	if (r->long_line)
		snprintf(text, sizeof(text),
		    "Line %lld is too long, and only its beginning is here. For the rest use exec_shell with "
		    "cut or fold.",
		    (long long)r->long_line);
	else if (r->offset >= r->number && r->offset > 1)
		snprintf(text, sizeof(text), "The file has %lld lines.", (long long)r->number - 1);
	else
		return;
	json_set_str(o, "message", text);
}

static struct json_object *result_of(const struct read_job *r)
{
	struct json_object *o = json_object_new_object();

	json_set(o, "content", json_object_new_string_len(r->content.data, (int)r->content.len));
	if (r->is_counted)
		json_set_int(o, "total_lines", r->number - 1);
	else
		json_set_int(o, "size", r->size);
	if (r->has_next || r->long_line)
		json_set_bool(o, "truncated", true);
	if (r->has_next)
		json_set_int(o, "next_offset", r->next_line);
	if (r->replaced > 0)
		json_set_int(o, "replaced", (int64_t)r->replaced);
	add_message(o, r);
	return o;
}

static void tell_binary(struct read_job *r)
{
	char after[160];

	snprintf(after, sizeof(after),
	    " is binary (%lld bytes). Use exec_shell with file, strings or xxd, or send_file.",
	    (long long)r->size);
	path_error_set(&r->why, "BINARY_FILE", NULL, "", r->path, after);
}

/* Shows the image to the model if there is a conversation; else NULL, and the file counts as binary. */
static struct json_object *show(struct task *t, const struct tool_call *call, const struct read_job *r)
{
	struct json_object *o, *shown = NULL;
	struct error err = {0};

	if (r->image.len == 0 || !call->services || !call->services->show_image)
		return NULL;
	if (call->services->show_image(t, call->services->agent, call, r->path, &r->image, &shown, &err) < 0)
		return tool_failure("read_file", err.kind == ERROR_CANCELLED ? "INTERRUPTED" : "BINARY_FILE",
		    NULL, "%s is an image that cannot be shown: %s.", r->path, err.text);
	o = json_object_new_object();
	json_set_str(o, "content", "");
	json_set(o, "image", shown);
	json_set_int(o, "size", r->size);
	json_set_str(o, "message", "The image is shown to you with this result, if you can see images.");
	return o;
}

static struct read_job *job_new(const struct tools *ts, struct json_object *args)
{
	struct read_job *r = xcalloc(1, sizeof(*r));

	r->job = (struct worker_job){.run = job_run, .free = job_free};
	r->roots = roots_ref(ts->roots);
	r->path = xstrdup(json_get_str(args, "path"));
	r->offset = json_get_int(args, "offset", 1);
	r->limit = json_get_int(args, "limit", READ_LINES);
	r->numbers = json_get_bool(args, "line_numbers", false);
	r->keep_max = (size_t)ts->settings.read_bytes;
	r->escaped_max = (size_t)ts->settings.result_bytes - READ_FRAME;
	r->number = 1;
	buf_init(&r->line);
	buf_init(&r->content);
	buf_init(&r->image);
	return r;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct read_job *r = job_new(call->tools, args);
	struct error err = {0};

	if (tool_worker_await(t, call, &r->job, &err) < 0)
		return tool_failure(
		    "read_file", "INTERRUPTED", "STOPPED", "The turn was stopped while the file was read.");
	struct json_object *o = r->why.code ? NULL : show(t, call, r);
	if (!o && r->is_binary && !r->why.code)
		tell_binary(r);
	if (!o)
		o = r->why.code ? tool_path_failure("read_file", &r->why) : result_of(r);
	job_free(&r->job);
	return o;
}

static const char *const aliases[] = {"file_read", NULL};
static const struct tool_alias param_aliases[] = {{"file_path", "path"}, {NULL, NULL}};

const struct tool tool_read_file = {
    .name = "read_file",
    .aliases = aliases,
    .param_aliases = param_aliases,
    .summary = "Read a text file or some of its lines, or view an image (JPEG, PNG, GIF, WebP). "
	       "Prefer this to shell commands such as cat. Returns: {content, total_lines, truncated?, "
	       "next_offset?, replaced?, image?, message?}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"path\":{\"type\":\"string\",\"description\":\"File to read, relative to the "
	"workspace\"},\"offset\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"First line to read, "
	"from 1 (default: 1)\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"How many "
	"lines to read (default: 2000)\"},\"line_numbers\":{\"type\":\"boolean\",\"description\":\"Put 'N: ' "
	"before each line (default: false)\"}},\"required\":[\"path\"]}",
    .errors = "ACCESS_DENIED, BINARY_FILE, BLOCKED, IO_ERROR, NOT_FOUND",
    .run = run,
};
