#ifndef TOOLS_PROMPT_SKILLS_H
#define TOOLS_PROMPT_SKILLS_H
/*
 * Skills: folders with a SKILL.md whose front matter has the name and description (agentskills.io).
 * Those in prompt.skills are the operator's; those in the workspace's folder skills count only if
 * prompt.workspace_skills allows them.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct folder_watch;
struct path_error;
struct roots;
struct untrusted_user;
struct tools;

#define SKILL_FILE "SKILL.md"

struct skill {
	char *name;        /* its folder's name when it has a problem */
	char *description; /* one line; NULL with a problem */
	char *problem;     /* why it is not usable: a sentence; NULL when it is */
	bool workspace;    /* from the workspace, not the operator's */
};

struct skill_list {
	struct skill *items; /* in byte order of name */
	size_t count;
};

void skill_list_clear(struct skill_list *l);
/* Returns a usable skill; NULL for none. */
const struct skill *skill_find(const struct skill_list *l, const char *name);

/* Where to scan; created and cleared on the loop's thread. */
struct skills_scan {
	struct roots *own, *workspace; /* own NULL: no folder is configured */
	bool workspace_counts;
	size_t most;
};

void skills_scan_init(struct skills_scan *s, const struct tools *ts);
void skills_scan_clear(struct skills_scan *s);
/* On a worker thread: lists the current skills. watch: notes a change of them; NULL for none. */
void skills_scan_run(const struct skills_scan *s, const struct untrusted_user *by, struct folder_watch *watch,
    struct skill_list *out);
/* On a worker thread: appends the text of a file in the skill's folder. Returns -1 with why. */
int skill_read(const struct skills_scan *s, const struct untrusted_user *by, const struct skill *skill,
    const char *file, struct buf *out, struct path_error *why);

#endif
