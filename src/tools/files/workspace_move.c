#include "tools/files/workspace_move.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/wrong.h"
#include "bus/address.h"
#include "tools/files/disk_usage.h"
#include "tools/files/roots.h"
#include "tools/files/roots_internal.h"
#include "tools/scope.h"
#include "tools/tools_internal.h"

#define INCOMING "files"

static const char *const kinds[] = {"chat", "person"};

struct mover {
	const struct tools *ts;
	bool apply;
	struct json_object *out;
	size_t failed;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns the names in a folder below the workspace ("" for itself), sorted; NULL-terminated, malloc'd. */
static char **names_in(const struct tools *ts, const char *below)
{
	char *path = xasprintf("%s/%s", roots_workspace(roots_base(ts->roots)), below);
	DIR *dir = opendir(path);
	char **names = xcalloc(1, sizeof(*names));
	size_t count = 0;

	for (const struct dirent *e; dir && (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		names = xrealloc(names, (count + 2) * sizeof(*names));
		names[count++] = xstrdup(e->d_name);
		names[count] = NULL;
	}
	if (dir)
		closedir(dir);
	qsort(names, count, sizeof(*names), compare);
	free(path);
	return names;
}

static void names_free(char **names)
{
	for (char **name = names; *name; name++)
		free(*name);
	free(names);
}

/* Makes the folder and those above it, like the first use by a chat. */
static int make_folder(const struct tools *ts, const char *below)
{
	struct roots *part = roots_part(ts->roots, below, NULL);
	int fd = root_open_folder_in(part, &part->items[0], "."), problem = errno;

	roots_unref(part);
	if (fd >= 0)
		close(fd);
	errno = problem;
	return fd < 0 ? -1 : 0;
}

static int rename_below(int workspace, const char *old, const char *new)
{
	if (!WRONG("move-in-two-steps") ||
	    renameat2(workspace, old, workspace, ".myna-moving", RENAME_NOREPLACE) < 0)
		return renameat2(workspace, old, workspace, new, RENAME_NOREPLACE);
	int rc = renameat2(workspace, ".myna-moving", workspace, new, RENAME_NOREPLACE), problem = errno;
	if (rc < 0)
		renameat(workspace, ".myna-moving", workspace, old);
	errno = problem;
	return rc;
}

/* Would the chat's folder, which is to or above it, hold more than its quota with what is moved there? */
static bool exceeds_quota(const struct tools *ts, const char *old, const char *to)
{
	const char *workspace = roots_workspace(roots_base(ts->roots)), *chat = strchr(to, '/');
	int64_t quota = ts->settings.workspace_quota;
	struct disk_usage used = {0};
	struct stat st;

	if (quota == 0 || strncmp(to, "chat/", 5) != 0)
		return false;
	char *item = xasprintf("%s/%s", workspace, old),
	     *folder = xasprintf("%s/%.*s", workspace, (int)(chat + 1 - to + strcspn(chat + 1, "/")), to);
	disk_usage_add_path(folder, &used);
	disk_usage_add_path(item, &used);
	if (lstat(item, &st) == 0)
		used.bytes += disk_usage_of_file(&st);
	free(item);
	free(folder);
	return used.bytes > quota;
}

/* to: NULL when it stays. problem: NULL for none. */
static void add_step(struct json_object *out, const char *from, const char *to, const char *problem)
{
	struct json_object *step = json_object_new_object();

	json_set_str(step, "from", from);
	json_set_str(step, "to", to);
	json_set_str(step, "problem", problem);
	json_object_array_add(out, step);
}

/* Moves name from one folder below the workspace into another one. */
static void move(struct mover *m, const char *from, const char *to, const char *name)
{
	const struct root *workspace = &roots_base(m->ts->roots)->items[0];
	const char *slash = *from ? "/" : "";
	char *old = xasprintf("%s%s%s", from, slash, name),
	     *new = xasprintf("%s%s%s", to, *to ? "/" : "", name);
	const char *problem = NULL;

	if (exceeds_quota(m->ts, old, to))
		problem = "the chat would have more than tools.workspace_quota";
	else if (m->apply &&
	    ((*to && make_folder(m->ts, to) < 0) || rename_below(workspace->fd, old, new) < 0))
		problem = errno == EEXIST ? "that is there already" : strerror(errno);
	add_step(m->out, old, new, problem);
	m->failed += problem != NULL;
	free(old);
	free(new);
}

static void move_all(struct mover *m, const char *from, const char *to)
{
	char **names = names_in(m->ts, from);

	for (char **name = names; *name; name++)
		move(m, from, to, *name);
	names_free(names);
}

static void remove_if_empty(const struct mover *m, const char *below)
{
	if (m->apply)
		unlinkat(roots_base(m->ts->roots)->items[0].fd, below, AT_REMOVEDIR);
}

/* Incoming files of a chat are in CHANNEL-CHAT (incoming_file_path), where '_' may stand for anything.
 * Returns the chat, and its channel with the longest name that fits; NULL for none. */
static const char *chat_of(const struct config_strings *channels, const char *name, const char **channel)
{
	size_t best = 0;

	for (size_t i = 0; i < channels->count; i++) {
		size_t len = strlen(channels->items[i]);
		if (len > best && strncmp(name, channels->items[i], len) == 0 && name[len] == '-' &&
		    name[len + 1] && !strchr(name + len + 1, '_')) {
			best = len;
			*channel = channels->items[i];
		}
	}
	return best > 0 ? name + best + 1 : NULL;
}

static void move_incoming(struct mover *m, const struct config_strings *channels)
{
	char **names = names_in(m->ts, INCOMING);

	for (char **name = names; *name; name++) {
		const char *channel = NULL, *chat = chat_of(channels, *name, &channel);
		char *from = xasprintf(INCOMING "/%s", *name);
		if (chat) {
			char *folder = scope_chat_folder(channel, chat),
			     *to = xasprintf("%s/%s", folder, from);
			move_all(m, from, to);
			remove_if_empty(m, from);
			free(folder);
			free(to);
		} else {
			add_step(m->out, from, NULL, "no chat of the configuration has that name");
		}
		free(from);
	}
	names_free(names);
	remove_if_empty(m, INCOMING);
}

static bool is_listed(const struct config_strings *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], name) == 0)
			return true;
	return false;
}

/* Returns true for a file or folder that was for all chats: no chat's, no instructions, not hidden. */
static bool is_of_all(const struct tools *ts, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(name, kinds[i]) == 0)
			return false;
	return strncmp(name, ".myna-", 6) != 0 && strcmp(name, INCOMING) != 0 &&
	    !is_listed(&ts->prompt.files, name) && !is_listed(&ts->prompt.notes, name);
}

size_t workspace_move(const struct tools *ts, const struct config_strings *channels, const struct address *to,
    bool apply, struct json_object *out)
{
	struct mover m = {.ts = ts, .apply = apply, .out = out};
	char *folder = to ? scope_chat_folder(to->channel, to->chat) : NULL, **names;

	move_incoming(&m, channels);
	names = names_in(ts, "");
	for (char **name = names; *name; name++) {
		if (!is_of_all(ts, *name))
			continue;
		if (folder)
			move(&m, "", folder, *name);
		else
			add_step(out, *name, NULL, "no chat sees it there: give it to one with --to ADDRESS");
	}
	names_free(names);
	free(folder);
	return m.failed;
}

static void share(struct mover *m, const char *kind, const char *name)
{
	char *folder = xasprintf("%s/%s", kind, name), *incoming = xasprintf("%s/" INCOMING, folder);
	char **chats = names_in(m->ts, incoming), **rest;

	for (char **chat = chats; *chat; chat++) {
		char *from = xasprintf("%s/%s", incoming, *chat), *to = xasprintf(INCOMING "/%s", *chat);
		move_all(m, from, to);
		remove_if_empty(m, from);
		free(from);
		free(to);
	}
	names_free(chats);
	remove_if_empty(m, incoming);
	rest = names_in(m->ts, folder);
	for (char **file = rest; *file; file++)
		if (m->apply || strcmp(*file, INCOMING) != 0)
			move(m, folder, name, *file);
	names_free(rest);
	remove_if_empty(m, folder);
	free(folder);
	free(incoming);
}

size_t workspace_share(const struct tools *ts, bool apply, struct json_object *out)
{
	struct mover m = {.ts = ts, .apply = apply, .out = out};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		char **names = names_in(ts, kinds[i]);
		for (char **name = names; *name; name++)
			share(&m, kinds[i], *name);
		names_free(names);
		remove_if_empty(&m, kinds[i]);
	}
	return m.failed;
}

/* "telegram%3A77" is telegram:77. */
static void add_address(struct buf *out, const char *name)
{
	unsigned byte;

	for (; *name; name++) {
		if (*name == '%' && sscanf(name + 1, "%2x", &byte) == 1) {
			buf_addch(out, (char)byte);
			name += 2;
		} else {
			buf_addch(out, *name);
		}
	}
}

static void add_folder(const struct tools *ts, const char *kind, const char *name, struct json_object *out)
{
	char *path = xasprintf("%s/%s/%s", roots_workspace(roots_base(ts->roots)), kind, name);
	struct json_object *folder = json_object_new_object();
	struct disk_usage used = {0};
	struct buf whose = BUF_INIT;

	disk_usage_add_path(path, &used);
	add_address(&whose, name);
	json_set_str(folder, "kind", kind);
	json_set_str(folder, "whose", whose.data);
	json_set_int(folder, "files", used.files);
	json_set_int(folder, "bytes", used.bytes);
	json_set_str(folder, "path", path);
	json_object_array_add(out, folder);
	buf_clear(&whose);
	free(path);
}

void workspace_list(const struct tools *ts, struct json_object *out)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		char **names = names_in(ts, kinds[i]);
		for (char **name = names; *name; name++)
			add_folder(ts, kinds[i], *name, out);
		names_free(names);
	}
}

const char *workspace_problem(const struct tools *ts)
{
	bool shared = ts->settings.workspace_scope == WORKSPACE_SHARED, of_chats = false, of_all = false;
	char **names = names_in(ts, "");

	for (char **name = names; *name; name++) {
		bool all = is_of_all(ts, *name) || strcmp(*name, INCOMING) == 0;
		of_all = of_all || all;
		of_chats = of_chats || strcmp(*name, kinds[0]) == 0 || strcmp(*name, kinds[1]) == 0;
	}
	names_free(names);
	if (shared && of_chats)
		return "All chats share the workspace, and so they see the folders that single chats had. "
		       "Look at "
		       "them with 'myna workspace list'; 'myna workspace share' makes them part of it.";
	if (!shared && of_all)
		return "The workspace has files from when all chats shared it, and no chat sees them now. "
		       "'myna workspace move' gives each chat its own.";
	return NULL;
}
