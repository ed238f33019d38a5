#include "tools/memory/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "tools/memory/paragraph.h"
#include "tools/files/write_target.h"
#include "tools/files/path_error.h"
#include "tools/scope.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"

#define FILE_NAME "MEMORY.md"
/* Somebody may have stored a file there by hand that is larger than the limit. */
#define LOAD_MAX ((size_t)64 * 1024 * 1024)

/* Appends the file's name; takes folder. */
static char *file_in(char *folder)
{
	char *path = xasprintf("%s/" FILE_NAME, folder);

	free(folder);
	return path;
}

/* Each function returns the path, or NULL when the call has none. The operator at the terminal counts as a
 * chat and as a person; a thread uses the memory of its chat. */
static char *chat_path(const struct tool_call *call)
{
	if (call->chat)
		return file_in(scope_chat_folder(call->chat->channel, call->chat->chat));
	return call->operator? xstrdup(FILE_NAME) : NULL;
}

static char *person_path(const struct tool_call *call)
{
	if (call->chat && call->person)
		return file_in(
		    scope_person_folder(tools_targets(call->tools), call->chat->channel, call->person));
	return !call->chat && call->operator? xstrdup("person/operator/" FILE_NAME) : NULL;
}

static char *shared_path(const struct tool_call *call)
{
	(void)call;
	return xstrdup("shared/" FILE_NAME);
}

static const struct {
	const char *name, *shown;
	char *(*path)(const struct tool_call *call);
} scopes[] = {
    {"chat", "memory/" FILE_NAME, chat_path},
    {"person", "memory/person/" FILE_NAME, person_path},
    {"shared", "memory/shared/" FILE_NAME, shared_path},
};

/* Who may use the shared memory, through which one chat can pass something on to every other. */
enum shared { SHARED_OFF, SHARED_ADMINS, SHARED_ALL };

const char *const memory_shared_choices[] = {"off", "admins", "all", NULL};

static struct json_object *check_shared(const struct tool_call *call, const char *tool, enum memory_use use)
{
	int shared = call->tools->settings.memory_shared;

	if (shared == SHARED_OFF)
		return tool_failure(tool, "ACCESS_DENIED", "ROLE",
		    "The shared memory is switched off here (tools.memory_shared). Use the scope chat or "
		    "person.");
	if (shared == SHARED_ADMINS && use == MEMORY_WRITES && (!call->admin || call->admin_here) &&
	    !call->operator)
		return tool_failure(tool, "ACCESS_DENIED", "ROLE",
		    "Only admins may have the shared memory changed (tools.memory_shared). Use the scope "
		    "chat or person.");
	return NULL;
}

/* Returns the folder of the chat's memory under its former id. */
static char *former_folder(const struct memory *m, const struct tool_call *call)
{
	const char *former = call->bus && call->chat ? bus_former_chat_id(call->bus, call->chat) : NULL;
	char *below = former ? scope_chat_folder(call->chat->channel, former) : NULL;
	char *folder = below ? xasprintf("%s/%s", m->root, below) : NULL;

	free(below);
	return folder;
}

struct json_object *memory_find(
    struct memory *m, const struct tool_call *call, const char *tool, const char *scope, enum memory_use use)
{
	const struct tools *ts = call->tools;
	size_t i = 0;

	*m = (struct memory){.most = (size_t)ts->settings.memory_bytes};
	if (!ts->state)
		return tool_failure(tool, "UNAVAILABLE", "NOT_CONFIGURED",
		    "There is no memory without a state directory. Set state.");
	while (scope && strcmp(scopes[i].name, scope) != 0)
		i++;
	m->root = xasprintf("%s/memory", tools_data(ts));
	m->path = scopes[i].path(call);
	m->shown = scopes[i].shown;
	if (scopes[i].path == chat_path)
		m->former = former_folder(m, call);
	if (scopes[i].path == shared_path)
		return check_shared(call, tool, use);
	if (m->path)
		return NULL;
	return tool_failure(tool, "UNAVAILABLE", "NO_CHAT",
	    "No %s is known here, so there is no memory of it. Use the scope shared.", scopes[i].name);
}

void memory_clear(struct memory *m)
{
	free(m->root);
	free(m->path);
	free(m->former);
	*m = (struct memory){0};
}

/* Moves the memory of a chat that got another id. Concurrent callers are safe: one of them moves it. */
static void take_over(const struct memory *m)
{
	if (!m->former)
		return;
	char *folder = xasprintf("%s/%.*s", m->root, (int)(strlen(m->path) - strlen("/" FILE_NAME)), m->path);
	/* If the new id already has notes, those are kept. */
	renameat2(AT_FDCWD, m->former, AT_FDCWD, folder, RENAME_NOREPLACE);
	free(folder);
}

static struct roots *open_root(const struct memory *m, struct path_error *why)
{
	const struct roots_options options = {.workspace = m->root};
	struct roots *r = roots_open(&options, NULL);

	if (!r)
		path_error_set(why, "IO_ERROR", "OPEN_FAILED", "Cannot open file: ", m->shown,
		    ": the state directory is not accessible. Ask an admin to look at it.");
	return r;
}

static void notes_close(struct roots *r, struct write_target *p)
{
	write_target_clear(p);
	roots_unref(r);
}

/* Opens the memory's file. Returns 1, 0 when there are no notes, or -1. After 1, call notes_close(). */
static int notes_open(
    const struct memory *m, struct roots **r, struct write_target *p, struct path_error *why)
{
	struct stat st;

	*why = (struct path_error){0};
	take_over(m);
	if (stat(m->root, &st) < 0 && errno == ENOENT)
		return 0;
	*r = open_root(m, why);
	if (!*r)
		return -1;
	if (write_target_open(*r, m->path, false, p, why) == 0)
		return 1;
	bool is_missing = strcmp(why->code, "NOT_FOUND") == 0;
	if (is_missing)
		*why = (struct path_error){0};
	notes_close(*r, p);
	return is_missing ? 0 : -1;
}

int memory_load(const struct memory *m, struct buf *out, struct path_error *why)
{
	struct roots *r;
	struct write_target p;
	int rc = notes_open(m, &r, &p, why);

	if (rc <= 0)
		return rc;
	if (!p.exists)
		rc = 0;
	else
		rc = write_target_read(&p, m->shown, LOAD_MAX, out, why) < 0 ? -1 : 1;
	notes_close(r, &p);
	return rc;
}

/* Appends the text to the existing one. */
static int join(const struct memory *m, const struct write_target *p, const char *text, size_t len,
    struct buf *out, struct path_error *why)
{
	char after[128];

	if ((size_t)p->st.st_size <= m->most && write_target_read(p, m->shown, m->most, out, why) < 0)
		return -1;
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addch(out, '\n');
	if (out->len > 0 && (out->len < 2 || out->data[out->len - 2] != '\n'))
		buf_addch(out, '\n');
	if ((size_t)p->st.st_size <= m->most && out->len + len <= m->most) {
		buf_add(out, text, len);
		return 0;
	}
	snprintf(after, sizeof(after),
	    " would have more than %zu bytes, its limit. Overwrite it with what is worth keeping.", m->most);
	return path_error_set(why, "LIMIT_REACHED", "TOO_LARGE", "", m->shown, after);
}

/* The folder stays locked while its descriptor is open. */
static int lock_folder(const struct memory *m, struct write_target *p, struct path_error *why)
{
	while (flock(p->folder, LOCK_EX) < 0)
		if (errno != EINTR)
			return path_error_write(why, m->shown);
	return write_target_refresh(p, m->shown, why);
}

static int store_in(struct write_target *p, const struct memory *m, const char *text, size_t len, bool append,
    struct path_error *why)
{
	struct write_target_content whole = {.data = text, .len = len, .mode = 0600};
	struct buf joined = BUF_INIT;
	int rc = 0;

	if (lock_folder(m, p, why) < 0)
		return -1;
	if (append && p->exists) {
		rc = join(m, p, text, len, &joined, why);
		whole.data = joined.data;
		whole.len = joined.len;
	}
	if (rc == 0)
		rc = write_target_replace(p, m->shown, &whole, why);
	buf_clear(&joined);
	return rc;
}

int memory_store(const struct memory *m, const char *text, size_t len, bool append, struct path_error *why)
{
	take_over(m);
	struct roots *r = open_root(m, why);
	struct write_target p;

	if (!r)
		return -1;
	int rc = write_target_open(r, m->path, true, &p, why);
	if (rc == 0)
		rc = store_in(&p, m, text, len, append, why);
	write_target_clear(&p);
	roots_unref(r);
	return rc;
}

/* Copies the text without the paragraphs that contain the folded text, and without the blank lines after
 * them. */
static size_t leave_out(const char *text, const struct buf *folded, struct buf *out)
{
	const char *next = text, *paragraph;
	size_t match_count = 0, len;

	while ((paragraph = paragraph_next(&next, &len))) {
		bool holds = paragraph_holds(paragraph, len, folded);
		match_count += holds;
		if (!holds)
			buf_addf(out, "%s%.*s\n", out->len > 0 ? "\n" : "", (int)len, paragraph);
	}
	return match_count;
}

static int drop_in(struct write_target *p, const struct memory *m, const struct buf *folded, bool all,
    size_t *match_count, struct path_error *why)
{
	struct buf text = BUF_INIT, rest = BUF_INIT;
	int rc = lock_folder(m, p, why);

	if (rc == 0 && p->exists)
		rc = write_target_read(p, m->shown, LOAD_MAX, &text, why) < 0 ? -1 : 0;
	if (rc == 0)
		*match_count = leave_out(text.data, folded, &rest);
	struct write_target_content whole = {.data = rest.data, .len = rest.len, .mode = 0600};
	if (rc == 0 && *match_count > 0 && (*match_count == 1 || all))
		rc = write_target_replace(p, m->shown, &whole, why);
	buf_clear(&text);
	buf_clear(&rest);
	return rc;
}

int memory_drop(
    const struct memory *m, const struct buf *folded, bool all, size_t *match_count, struct path_error *why)
{
	struct roots *r;
	struct write_target p;

	*match_count = 0;
	int rc = notes_open(m, &r, &p, why);
	if (rc <= 0)
		return rc;
	rc = drop_in(&p, m, folded, all, match_count, why);
	notes_close(r, &p);
	return rc;
}

int64_t memory_written_ms(const struct memory *m)
{
	char *path = xasprintf("%s/%s", m->root, m->path);
	struct stat st;
	int rc = lstat(path, &st);

	free(path);
	return rc < 0 ? 0 : (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
}
