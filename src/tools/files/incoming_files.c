#include "tools/files/incoming_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/text/base64.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/text/utf8.h"
#include "base/worker.h"
#include "bus/address.h"
#include "bus/attachment.h"
#include "tools/files/write_target.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define FOLDER "files"
/* Bytes of a name without its mark and extension. */
#define STEM_MAX   80
#define ENDING_MAX 10
/* Seconds after which a temporary file left by a crash is removed. */
#define LEFT_S 3600

/* Code points that make a name look different from what it is: controls, direction marks and zero-width
 * characters. */
static bool is_deceptive(uint32_t cp)
{
	return cp < 0xa0 || (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
	    (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff || cp == 0xfffd || cp >= 0xe0000;
}

/* Appends the name without folders; keeps only what is safe in a path, in a shell and to read. */
static void add_stem(struct buf *out, const char *name, size_t len)
{
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode(name + i, len - i, &cp);
		if (n == 0)
			n = 1;
		else if ((n == 1 && strchr("+-._", name[i])) ||
		    (n == 1 && name[i] >= '0' && name[i] <= '9') ||
		    (n == 1 && ((name[i] | 32) >= 'a' && (name[i] | 32) <= 'z')) ||
		    (n > 1 && !is_deceptive(cp)))
			buf_add(out, name + i, n);
		else if (n == 1 && out->len > 0 && out->data[out->len - 1] != '_')
			buf_addch(out, '_');
	}
	/* It must not be a hidden file, a command's option or "..". */
	buf_consume(out, strspn(out->data, ".-_"));
	buf_truncate(out, utf8_cut(out->data, out->len, STEM_MAX, UTF8_BYTES));
	while (out->len > 0 && strchr("._", out->data[out->len - 1]))
		buf_truncate(out, out->len - 1);
}

static size_t ending_len(const char *ending)
{
	size_t n = 1;

	while ((ending[n] >= '0' && ending[n] <= '9') || ((ending[n] | 32) >= 'a' && (ending[n] | 32) <= 'z'))
		n++;
	return ending[n] == '\0' && n > 1 && n <= ENDING_MAX + 1 ? n : 0;
}

static const char *ending_of(const char *mime)
{
	static const struct {
		const char *mime, *ending;
	} endings[] = {
	    {"application/pdf", ".pdf"},
	    {"audio/mpeg", ".mp3"},
	    {"audio/mp4", ".m4a"},
	    {"audio/ogg", ".ogg"},
	    {"image/gif", ".gif"},
	    {"image/jpeg", ".jpg"},
	    {"image/png", ".png"},
	    {"image/webp", ".webp"},
	    {"text/plain", ".txt"},
	    {"video/mp4", ".mp4"},
	    {"video/webm", ".webm"},
	};

	for (size_t i = 0; mime && i < ARRAY_LEN(endings); i++)
		if (strcasecmp(endings[i].mime, mime) == 0)
			return endings[i].ending;
	return "";
}

static void add_folder(struct buf *out, const char *id)
{
	for (; *id; id++) {
		bool plain = (*id >= '0' && *id <= '9') || ((*id | 32) >= 'a' && (*id | 32) <= 'z') ||
		    strchr("-_", *id);
		buf_addch(out, plain ? *id : '_');
	}
}

static uint32_t mark_of(const char *key)
{
	uint64_t hash = fnv_text(key);

	return (uint32_t)(hash ^ (hash >> 32));
}

char *incoming_file_path(const struct address *where, const struct attachment *a, const char *key)
{
	const char *name = a->name ? a->name : "", *at, *ending;
	struct buf path = BUF_INIT, stem = BUF_INIT;

	while ((at = strpbrk(name, "/\\")))
		name = at + 1;
	ending = strrchr(name, '.');
	if (ending && ending_len(ending) == 0)
		ending = NULL;
	add_stem(&stem, name, ending ? (size_t)(ending - name) : strlen(name));
	if (stem.len == 0)
		add_stem(&stem, attachment_kind_name(a->kind), strcspn(attachment_kind_name(a->kind), " "));
	buf_addstr(&path, FOLDER "/");
	add_folder(&path, where->channel);
	buf_addch(&path, '-');
	add_folder(&path, where->chat);
	buf_addf(&path, "/%s-%08x%s", stem.data, mark_of(key), ending ? ending : ending_of(a->mime));
	buf_clear(&stem);
	return buf_take(&path);
}

struct keep_job {
	struct worker_job job;
	struct roots *roots;
	char *path;
	char *hash; /* expected hash of a file to encode; NULL for none */
	bool store;
	bool load;
	int64_t most; /* maximum size of the folder, or of what is read */
	struct buf bytes;
	/* Results. */
	int rc;
	bool full;
	int64_t held;
	struct path_error why;
};

/* Is this a temporary file that a killed process of ours left in the folder? */
static bool is_stale_temporary(int folder, const char *name, const struct stat *st)
{
	long pid;

	return sscanf(name, ".myna-%ld-", &pid) == 1 && pid != (long)getpid() &&
	    st->st_mtime < time(NULL) - LEFT_S && unlinkat(folder, name, 0) == 0;
}

static int64_t folder_bytes(int folder)
{
	int fd = dup(folder);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	int64_t sum = 0;
	struct stat st;

	if (!dir && fd >= 0)
		close(fd);
	if (dir)
		rewinddir(dir);
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
		    !is_stale_temporary(folder, e->d_name, &st))
			sum += st.st_size;
	if (dir)
		closedir(dir);
	return sum;
}

static int store_at(struct keep_job *k, struct write_target *p)
{
	struct write_target_content text = {.data = k->bytes.data, .len = k->bytes.len, .mode = 0644};

	if (k->most > 0) {
		k->held = folder_bytes(p->folder);
		k->full = k->held + (int64_t)k->bytes.len > k->most;
	}
	return k->full ? -1 : write_target_replace(p, k->path, &text, &k->why);
}

static void encode(struct keep_job *k)
{
	char hash[SHA256_TEXT_SIZE];
	struct buf text = BUF_INIT;

	sha256_text(k->bytes.data, k->bytes.len, hash);
	if (strcmp(hash, k->hash) == 0)
		base64_encode(&text, k->bytes.data, k->bytes.len);
	else
		k->rc = 0;
	buf_clear(&k->bytes);
	k->bytes = text;
}

static void run(struct worker_job *job)
{
	struct keep_job *k = (struct keep_job *)job;
	struct write_target p;

	k->rc = write_target_open(k->roots, k->path, k->store, &p, &k->why);
	if (k->rc < 0 && !k->store && k->why.cause && strcmp(k->why.cause, "FILE_NOT_FOUND") == 0)
		k->rc = 0;
	else if (k->rc == 0 && p.exists)
		k->rc = k->load && write_target_read(&p, k->path, (size_t)k->most, &k->bytes, &k->why) < 0 ?
		    -1 :
		    1;
	else if (k->rc == 0 && k->store)
		k->rc = store_at(k, &p);
	if (k->rc > 0 && k->hash)
		encode(k);
	write_target_clear(&p);
}

static void job_free(struct worker_job *job)
{
	struct keep_job *k = (struct keep_job *)job;

	roots_unref(k->roots);
	free(k->path);
	free(k->hash);
	buf_clear(&k->bytes);
	free(k);
}

static struct keep_job *job_new(const struct tools *ts, const char *path, int64_t most)
{
	struct keep_job *k = xcalloc(1, sizeof(*k));

	k->job = (struct worker_job){.run = run, .free = job_free};
	k->roots = roots_ref(ts->roots);
	k->path = xstrdup(path);
	k->most = most;
	buf_init(&k->bytes);
	return k;
}

static void move_bytes(struct buf *to, struct buf *from)
{
	buf_clear(to);
	*to = *from;
	buf_init(from);
}

static int tell(const struct keep_job *k, struct error *err)
{
	if (k->full)
		return error_set(err, ERROR_REFUSED,
		    "The files of this chat already have %lld of %lld bytes. Remove some of them first.",
		    (long long)k->held, (long long)k->most);
	return error_set(err, ERROR_REFUSED, "%s", k->why.text);
}

int incoming_file_read(struct task *t, const struct tools *ts, const char *path, int64_t most,
    struct buf *bytes, struct error *err)
{
	struct keep_job *k = job_new(ts, path, most);
	int rc;

	k->load = bytes;
	if (worker_await(t, &k->job, err) < 0)
		return -1;
	rc = k->rc < 0 ? tell(k, err) : k->rc;
	if (rc > 0 && bytes)
		buf_add(bytes, k->bytes.data, k->bytes.len);
	job_free(&k->job);
	return rc;
}

int incoming_file_encode(struct task *t, const struct tools *ts, const char *path, const char *hash,
    int64_t most, struct buf *base64, struct error *err)
{
	struct keep_job *k = job_new(ts, path, most);
	int rc;

	k->load = true;
	k->hash = xstrdup(hash);
	if (worker_await(t, &k->job, err) < 0)
		return -1;
	rc = k->rc < 0 ? tell(k, err) : k->rc;
	if (rc > 0 && base64->len == 0)
		move_bytes(base64, &k->bytes);
	else if (rc > 0)
		buf_add(base64, k->bytes.data, k->bytes.len);
	job_free(&k->job);
	return rc;
}

int incoming_file_store(struct task *t, const struct tools *ts, const char *path, struct buf *bytes,
    int64_t folder_max, struct error *err)
{
	struct keep_job *k = job_new(ts, path, folder_max);
	int rc;

	k->store = true;
	move_bytes(&k->bytes, bytes);
	if (worker_await(t, &k->job, err) < 0)
		return -1;
	rc = k->rc < 0 ? tell(k, err) : 0;
	move_bytes(bytes, &k->bytes);
	job_free(&k->job);
	return rc;
}
