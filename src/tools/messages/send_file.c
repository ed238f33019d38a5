#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/worker.h"
#include "bus/bus.h"
#include "bus/outbox_file.h"
#include "bus/post.h"
#include "tools/messages/recipient.h"
#include "tools/approval.h"
#include "tools/files/file_hash.h"
#include "tools/messages/send_result.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define NAME "send_file"
/* An upload takes longer than a message. */
#define SEND_FILE_WAIT_MS 10000
#define HEAD              64
/* Size of one scan for secrets; the longest secret with every byte escaped fits into the overlap. */
#define SCAN_BLOCK   (256 * 1024)
#define SCAN_OVERLAP (6 * 4096)

/* Copies the file for each recipient, so that the file is sent as it is now. The next start removes the
 * copies of a call that was stopped. */
struct copy_job {
	struct worker_job job;
	struct roots *roots;
	char *path, *dir;
	char *approved_hash; /* the approved SHA-256; "": there was no such file; NULL: no approval was needed
			      */
	bool changed;        /* the file has another hash */
	int64_t most, reserve;
	struct attachment *files;
	size_t count;
	struct path_error why;
};

static int refuse_large(struct copy_job *c, int64_t size)
{
	char after[160];

	snprintf(after, sizeof(after),
	    " has %lld bytes, the limit is %lld. Send a part of it, or make it smaller.", (long long)size,
	    (long long)c->most);
	return path_error_set(&c->why, "LIMIT_REACHED", "TOO_LARGE", "", c->path, after);
}

static int check_size(struct copy_job *c, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return path_error_io(&c->why, "SIZE_FAILED", "Cannot get file size: ", c->path);
	if (st.st_size == 0)
		return path_error_set(&c->why, "INVALID_ARGUMENT", "RANGE", "", c->path,
		    " is empty. There is nothing to send.");
	return st.st_size > c->most ? refuse_large(c, st.st_size) : 0;
}

/* Checks the copy, as do the functions below: nobody can change it any more. */
static bool is_approved(const struct copy_job *c, const struct attachment *copy)
{
	char hash[SHA256_TEXT_SIZE];
	int fd = open(copy->path, O_RDONLY | O_CLOEXEC);
	bool same = fd >= 0 && file_hash_of(fd, hash) == 0 && strcmp(hash, c->approved_hash) == 0;

	if (fd >= 0)
		close(fd);
	return same;
}

/* A secret may span two blocks. */
static bool holds_secret(const struct attachment *copy)
{
	char *block = xmalloc(SCAN_BLOCK);
	int fd = open(copy->path, O_RDONLY | O_CLOEXEC);
	size_t kept = 0;
	ssize_t n = -1;
	bool found = false;

	while (!found && fd >= 0 && (n = read(fd, block + kept, SCAN_BLOCK - kept)) > 0) {
		size_t len = kept + (size_t)n;
		found = secret_in(block, len);
		kept = len < SCAN_OVERLAP ? len : SCAN_OVERLAP;
		memmove(block, block + len - kept, kept);
	}
	if (fd >= 0)
		close(fd);
	free(block);
	return found || n < 0;
}

static int copy_one(struct copy_job *c, int fd, struct attachment *file)
{
	const char *slash = strrchr(c->path, '/');
	struct error err = {0};
	char head[HEAD];
	ssize_t n = pread(fd, head, sizeof(head), 0);

	if (lseek(fd, 0, SEEK_SET) < 0 || outbox_file_copy(c->dir, fd, c->most, c->reserve, file, &err) < 0)
		return err.kind == ERROR_REFUSED ?
		    refuse_large(c, c->most + 1) :
		    err.kind == ERROR_LIMITED ?
		    path_error_set(&c->why, "LIMIT_REACHED", "DISK", "Not sent: ", c->path,
			". Too little space would be left on the disk of the state (tools.disk_reserve). "
			"Tell "
			"a person.") :
		    path_error_set(&c->why, "IO_ERROR", "WRITE_FAILED",
			"Cannot prepare for sending: ", c->path, ". The disk may be full; try again later.");
	if (c->approved_hash && !is_approved(c, file)) {
		c->changed = true;
		return -1;
	}
	if (holds_secret(file))
		return path_error_set(&c->why, "BLOCKED", "SECRET", "", c->path,
		    " holds a key or token. Send a copy without it, and tell the person.");
	file->name = xstrdup(slash ? slash + 1 : c->path);
	file->mime = xstrdup(attachment_guess_mime(file->name, head, n > 0 ? (size_t)n : 0));
	file->kind = attachment_kind_of(file->mime);
	return 0;
}

static void job_run(struct worker_job *job)
{
	struct copy_job *c = (struct copy_job *)job;
	int fd = root_open_file(c->roots, c->path, &c->why), rc;

	if (fd < 0)
		return;
	rc = check_size(c, fd);
	for (size_t i = 0; i < c->count && rc == 0; i++)
		rc = copy_one(c, fd, &c->files[i]);
	close(fd);
	for (size_t i = 0; i < c->count && rc < 0; i++)
		outbox_file_remove(&c->files[i]);
}

static void job_free(struct worker_job *job)
{
	struct copy_job *c = (struct copy_job *)job;

	attachments_free(c->files, c->count);
	roots_unref(c->roots);
	free(c->path);
	free(c->dir);
	free(c->approved_hash);
	free(c);
}

/* Checks that every channel can send a file. *most: the largest size that all accept. Returns NULL, or the
 * failure. */
static struct json_object *check_channels(
    const struct tool_call *call, const struct address *to, size_t count, int64_t *most)
{
	if (!bus_files(call->bus))
		return tool_failure(NAME, "UNAVAILABLE", "NOT_CONFIGURED",
		    "Files cannot be sent without a state directory. Set state.");
	*most = call->tools->settings.send_bytes;
	for (size_t i = 0; i < count; i++) {
		const struct channel *ch = bus_channel(call->bus, to[i].channel);
		if (!ch || !(ch->ops->caps & CHANNEL_FILES))
			return tool_failure(NAME, "UNAVAILABLE", "PLATFORM",
			    "The channel %s cannot send files. Send the text of it with message, or use "
			    "another channel.",
			    to[i].channel);
		if (ch->ops->file_max > 0 && ch->ops->file_max < *most)
			*most = ch->ops->file_max;
	}
	return NULL;
}

static struct json_object *post_all(struct task *t, const struct tool_call *call, const struct address *to,
    struct copy_job *c, const char *caption)
{
	char *key = send_idempotency_key(call);
	struct post p = {
	    .bus = call->bus, .text = caption, .key = key, .turn = call->turn, .file_size = c->files[0].size};
	struct json_object *result = NULL;
	struct error err = {0};

	for (size_t i = 0; i < c->count && !result; i++) {
		size_t before = p.count;
		if (post_add(&p, &to[i], &err) < 0)
			result = tool_failure(NAME, "INVALID_ARGUMENT", "RANGE", "%s", err.text);
		else if (p.count > before)
			p.items[before].file = c->files[i], c->files[i] = (struct attachment){0};
	}
	if (!result)
		result = send_and_report(t, call, NAME, &p, SEND_FILE_WAIT_MS);
	post_clear(&p);
	free(key);
	return result;
}

static struct json_object *send_to(struct task *t, const struct tool_call *call, const struct address *to,
    size_t count, struct json_object *args)
{
	const char *caption = json_get_str(args, "caption"),
		   *allowed = json_get_str(call->facts, FILE_HASH_MEMBER);
	struct json_object *result;
	struct copy_job *c;
	int64_t most = 0;

	if ((result = check_channels(call, to, count, &most)))
		return result;
	c = xcalloc(1, sizeof(*c));
	c->job = (struct worker_job){.run = job_run, .free = job_free};
	c->roots = roots_ref(call->tools->roots);
	c->path = xstrdup(json_get_str(args, "path"));
	c->dir = xstrdup(bus_files(call->bus));
	c->approved_hash = call->facts ? xstrdup(allowed ? allowed : "") : NULL;
	c->most = most;
	c->reserve = call->tools->settings.disk_reserve;
	c->files = xcalloc(count, sizeof(*c->files));
	c->count = count;
	if (tool_worker_await(t, call, &c->job, NULL) < 0)
		return tool_failure(
		    NAME, "INTERRUPTED", "STOPPED", "The turn was stopped before the file was sent.");
	if (c->changed)
		result = approval_changed(call->tool);
	else
		result = c->why.code ? tool_path_failure(NAME, &c->why) :
				       post_all(t, call, to, c, caption ? caption : "");
	job_free(&c->job);
	return result;
}

/* The approval is for these bytes, not for whatever has the name later. */
static void measure(
    struct task *t, const struct tool_call *call, struct json_object *args, struct json_object *facts)
{
	file_hash_add(t, call, json_get_str(args, "path"), call->tools->settings.send_bytes, facts);
}

static bool has_recipient(struct json_object *args)
{
	static const char *const names[] = {"channel", "chat_id", "thread", "target"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (json_get_str(args, names[i]))
			return true;
	return false;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct json_object *result = NULL;
	struct address *to;
	size_t count = 1;

	if (has_recipient(args))
		to = recipients_find(call, NAME, args, &count, &result);
	else if (call->bus && call->chat)
		to = xmemdup(call->chat, sizeof(*call->chat));
	else
		return tool_failure(NAME, "UNAVAILABLE", "NO_CHAT",
		    "There is no chat here to send to. Name channel and chat_id, or target, while the daemon "
		    "runs.");
	if (to)
		result = send_to(t, call, to, count, args);
	free(to);
	return result;
}

static const struct tool_alias param_aliases[] = {{"file_path", "path"}, {NULL, NULL}};

const struct tool tool_send_file = {
    .name = NAME,
    .param_aliases = param_aliases,
    .flags = TOOL_WRITES | TOOL_NETWORK | TOOL_TIMED | TOOL_DAEMON,
    .summary = "Send a file of the workspace to this chat, or to another chat as message does, with a "
	       "caption. Returns: {status, channel, chat_id, content_length, size, message_id?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"path\":{\"type\":\"string\",\"description\":\"File to send, relative to the "
	      "workspace\"},\"caption\":{\"type\":\"string\",\"description\":\"Text to send with it, as "
	      "Markdown (default: none)\"},\"channel\":{\"type\":\"string\",\"description\":\"The channel's "
	      "name (default: this chat)\"},\"chat_id\":{\"type\":\"string\",\"description\":\"The chat on "
	      "that channel\"},\"thread\":{\"type\":\"string\",\"description\":\"Thread or topic in the chat "
	      "(default: none)\"},\"target\":{\"type\":\"string\",\"description\":\"A configured target, or "
	      "channel:chat/thread, instead of channel and chat_id\"}"
	      "},\"required\":[\"path\"]}",
    .errors = "ACCESS_DENIED, BLOCKED, IO_ERROR, LIMIT_REACHED, NOT_FOUND, TOOL_FAILED, UNAVAILABLE",
    .measure = measure,
    .run = run,
};
