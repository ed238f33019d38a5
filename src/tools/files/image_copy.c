#include "tools/files/image_copy.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/text/utf8.h"
#include "bus/attachment.h"
#include "llm/image.h"
#include "llm/vision.h"
#include "net/child/child.h"
#include "tools/files/incoming_files.h"

#define HELPER    "myna-image"
#define HELPER_MS 20000
/* Bytes of the program's error message. */
#define COMPLAINT_MAX 300
/* Maximum length of the header line: type and four numbers. */
#define HEAD_MAX 80

static const struct {
	const char *magic;
	size_t len, at;
} magics[] = {
    {"\xff\xd8\xff", 3, 0},
    {"\x89PNG\r\n\x1a\n", 8, 0},
    {"GIF87a", 6, 0},
    {"GIF89a", 6, 0},
    {"WEBP", 4, 8},
};

bool image_copy_supports(const char *data, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(magics); i++)
		if (len >= magics[i].at + magics[i].len &&
		    memcmp(data + magics[i].at, magics[i].magic, magics[i].len) == 0)
			return true;
	return false;
}

struct output {
	struct buf image, complaint;
	size_t most;
};

static void on_output(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct output *o = arg;

	if (stream == CHILD_STDOUT && o->image.len + len <= o->most)
		buf_add(&o->image, data, len);
	else if (stream == CHILD_STDERR && o->complaint.len + len <= COMPLAINT_MAX)
		buf_add(&o->complaint, data, len);
}

static int judge(const struct child_end *end, struct output *o, struct error *err)
{
	struct buf words = BUF_INIT;

	if (end->status == 0)
		return 0;
	if (end->timed_out || end->signal == SIGXCPU || end->signal == SIGKILL)
		return error_set(err, ERROR_REFUSED, "it takes too long to decode");
	if (end->status != 1)
		return error_set(
		    err, ERROR_REFUSED, "it cannot be decoded (%s, status %d)", HELPER, end->status);
	utf8_sanitize(&words, o->complaint.data, o->complaint.len);
	error_set(err, ERROR_REFUSED, "%s", words.data);
	buf_clear(&words);
	return -1;
}

/* Reads the header "MIME WIDTH HEIGHT WIDTH HEIGHT
 * " and removes it. */
static int read_head(struct buf *out, struct llm_image *i, struct error *err)
{
	unsigned width, height, full_width, full_height;
	char head[HEAD_MAX], mime[HEAD_MAX];
	const char *end = memchr(out->data, '\n', out->len);
	size_t len = end ? (size_t)(end - out->data) : sizeof(head);

	if (len >= sizeof(head))
		return error_set(err, ERROR_OURS, "%s wrote something else than an image", HELPER);
	memcpy(head, out->data, len);
	head[len] = '\0';
	if (sscanf(head, "%79s %u %u %u %u", mime, &width, &height, &full_width, &full_height) != 5 ||
	    !width || !height)
		return error_set(err, ERROR_OURS, "%s wrote something else than an image", HELPER);
	buf_consume(out, len + 1);
	i->mime = xstrdup(mime);
	i->width = width;
	i->height = height;
	i->bytes = (int64_t)out->len;
	return 0;
}

static int run_helper(struct task *t, const struct llm_vision_settings *limits, const struct buf *bytes,
    struct output *o, struct error *err)
{
	char *program = helper_path(HELPER, err), *edge = xasprintf("%lld", (long long)limits->edge);
	char *most = xasprintf("%lld", (long long)limits->bytes),
	     *pixels = xasprintf("%lld", (long long)limits->pixels);
	const char *const argv[] = {program, edge, most, pixels, NULL};
	struct child_options options = {
	    .argv = argv, .input = true, .deadline_ms = HELPER_MS, .sink = on_output, .sink_arg = o};
	struct child_end end = {0};
	struct child *child = program ? child_start(&options, err) : NULL;
	int rc = -1;

	if (child) {
		/* If the program stops reading, its exit status says why. */
		rc = child_write(t, child, bytes->data, bytes->len, err);
		child_close_input(child);
		if (rc == 0 || err->kind != ERROR_CANCELLED)
			rc = child_wait(t, child, &end, err);
		child_free(t, child);
		if (rc == 0)
			rc = judge(&end, o, err);
	}
	free(program);
	free(edge);
	free(most);
	free(pixels);
	return rc;
}

/* The copy is stored beside the original, under its name with a mark made from its contents. */
static char *copy_path(const struct image_copy_source *from, const struct llm_image *i)
{
	const char *slash = strrchr(from->path, '/'), *base = slash ? slash + 1 : from->path,
		   *dot = strrchr(base, '.');
	char *name = xasprintf("%.*s-seen", (int)(dot ? dot - base : (long)strlen(base)), base);
	const struct attachment a = {.kind = ATTACHMENT_IMAGE, .name = name, .mime = i->mime};
	char *path = incoming_file_path(from->chat, &a, i->hash);

	free(name);
	return path;
}

static int keep(struct task *t, const struct tools *ts, const struct image_copy_source *from,
    struct buf *bytes, struct llm_image *out, struct error *err)
{
	const char *slash = strrchr(from->path, '/');
	char hash[SHA256_TEXT_SIZE];

	if (read_head(bytes, out, err) < 0)
		return -1;
	sha256_text(bytes->data, bytes->len, hash);
	out->hash = xstrdup(hash);
	out->name = xstrdup(slash ? slash + 1 : from->path);
	out->path = copy_path(from, out);
	return incoming_file_store(t, ts, out->path, bytes, from->folder_max, err);
}

int image_copy_make(struct task *t, const struct tools *ts, const struct llm_vision_settings *limits,
    const struct image_copy_source *from, const struct buf *bytes, struct llm_image *out, struct error *err)
{
	struct output o = {
	    .image = BUF_INIT, .complaint = BUF_INIT, .most = (size_t)limits->bytes + HEAD_MAX};
	int rc = run_helper(t, limits, bytes, &o, err);

	*out = (struct llm_image){0};
	if (rc == 0)
		rc = keep(t, ts, from, &o.image, out, err);
	if (rc < 0)
		llm_image_clear(out);
	buf_clear(&o.image);
	buf_clear(&o.complaint);
	return rc;
}
