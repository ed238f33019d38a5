#include "tools/prompt/skills.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/prompt/folder_watch.h"
#include "tools/prompt/front_matter.h"
#include "tools/files/trusted_file.h"

/* The folder in the workspace. */
#define FOLDER "skills"
/* Further entries of a folder are ignored. */
#define ENTRIES_MAX 1000

static void skill_clear(struct skill *s)
{
	free(s->name);
	free(s->description);
	free(s->problem);
}

void skill_list_clear(struct skill_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		skill_clear(&l->items[i]);
	free(l->items);
	*l = (struct skill_list){0};
}

const struct skill *skill_find(const struct skill_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (!l->items[i].problem && strcmp(l->items[i].name, name) == 0)
			return &l->items[i];
	return NULL;
}

void skills_scan_init(struct skills_scan *s, const struct tools *ts)
{
	*s = (struct skills_scan){.own = ts->skill_roots ? roots_ref(ts->skill_roots) : NULL,
	    .workspace = roots_ref(ts->roots),
	    .workspace_counts = ts->prompt.workspace_skills,
	    .most = (size_t)ts->prompt.skills_max};
}

void skills_scan_clear(struct skills_scan *s)
{
	roots_unref(s->own);
	roots_unref(s->workspace);
}

static int read_file(const struct skills_scan *s, const struct untrusted_user *by, bool workspace,
    const char *name, const char *file, struct buf *out, struct path_error *why)
{
	char *path = xasprintf("%s%s/%s", workspace ? FOLDER "/" : "", name, file);
	size_t size;
	int rc = trusted_file_read(
	    workspace ? s->workspace : s->own, path, workspace ? NULL : by, out, &size, why);

	free(path);
	return rc;
}

int skill_read(const struct skills_scan *s, const struct untrusted_user *by, const struct skill *skill,
    const char *file, struct buf *out, struct path_error *why)
{
	*why = (struct path_error){0};
	return read_file(s, by, skill->workspace, skill->name, file, out, why);
}

/* Reads name and description from the text of a SKILL.md. */
static void take_head(struct skill *s, const char *text)
{
	struct skill_front_matter head;

	if (skill_front_matter_read(text, &head) < 0)
		s->problem = xstrdup(head.problem);
	else if (strcmp(head.name, s->name) != 0)
		s->problem =
		    xasprintf("It calls itself \"%s\", and its folder \"%.64s\": give both the same name.",
			head.name, s->name);
	else
		s->description = xstrdup(head.description);
	skill_front_matter_clear(&head);
}

/* A folder without the file is not a skill. */
static void look(const struct skills_scan *scan, const struct untrusted_user *by, bool workspace,
    const char *name, struct skill_list *out)
{
	struct skill s = {.workspace = workspace};
	struct buf text = BUF_INIT;
	struct path_error why = {0};

	if (read_file(scan, by, workspace, name, SKILL_FILE, &text, &why) < 0) {
		if (strcmp(why.code, "NOT_FOUND") == 0 ||
		    (why.cause && strcmp(why.cause, "NOT_A_DIRECTORY") == 0))
			return;
		s.problem = xstrdup(why.text);
	}
	s.name = xstrdup(name);
	if (!s.problem && workspace && !scan->workspace_counts)
		s.problem = xstrdup("It is in the workspace, where the agent itself can write. Move its "
				    "folder to prompt.skills, or set prompt.workspace_skills.");
	else if (!s.problem)
		take_head(&s, text.data);
	buf_clear(&text);
	out->items = xrealloc(out->items, (out->count + 1) * sizeof(*out->items));
	out->items[out->count++] = s;
}

/* Before its file is read. What is no folder is no skill, and a link may lead to what changes unnoticed. */
static void watch_skill(int folder, const char *name, struct folder_watch *watch)
{
	int own = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (own < 0 || fstat(own, &st) < 0 || S_ISLNK(st.st_mode)) {
		watch->partial = true;
	} else if (S_ISDIR(st.st_mode)) {
		folder_watch_add(watch, own);
		folder_watch_file(watch, own, SKILL_FILE);
	}
	if (own >= 0)
		close(own);
}

/* Takes folder. */
static void scan_folder(const struct skills_scan *scan, const struct untrusted_user *by, bool workspace,
    int folder, struct folder_watch *watch, struct skill_list *out)
{
	DIR *dir;
	struct dirent *entry;

	if (watch)
		folder_watch_add(watch, folder);
	dir = fdopendir(folder);
	if (!dir) {
		close(folder);
		return;
	}
	for (size_t i = 0; i < ENTRIES_MAX && (entry = readdir(dir)); i++) {
		if (entry->d_name[0] == '.')
			continue;
		if (watch)
			watch_skill(folder, entry->d_name, watch);
		look(scan, by, workspace, entry->d_name, out);
	}
	closedir(dir);
}

/* The operator's skill comes first. */
static int compare(const void *a, const void *b)
{
	const struct skill *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (int)x->workspace - (int)y->workspace;
}

static void refuse(struct skill *s, const char *problem)
{
	free(s->description);
	s->description = NULL;
	s->problem = xstrdup(problem);
}

static void settle(const struct skills_scan *scan, struct skill_list *out)
{
	size_t good = 0;

	if (out->count > 0)
		qsort(out->items, out->count, sizeof(*out->items), compare);
	for (size_t i = 0; i < out->count; i++) {
		struct skill *s = &out->items[i];
		if (s->problem)
			continue;
		if (i > 0 && strcmp(out->items[i - 1].name, s->name) == 0)
			refuse(s, "The operator has one of this name.");
		else if (good++ >= scan->most)
			refuse(s, "There are more skills than prompt.skills_limit.");
	}
}

void skills_scan_run(const struct skills_scan *s, const struct untrusted_user *by, struct folder_watch *watch,
    struct skill_list *out)
{
	struct path_error why;
	int folder;

	if (s->own && (folder = root_open_folder(s->own, ".", &why)) >= 0)
		scan_folder(s, by, false, folder, watch, out);
	if ((folder = root_open_folder(s->workspace, FOLDER, &why)) >= 0)
		scan_folder(s, by, true, folder, watch, out);
	settle(s, out);
}
