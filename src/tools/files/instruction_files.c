/* Finds the workspace files that a model gets as instructions by their identity, not by the path's text. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>
#include <limits.h>

#include "base/config/config.h"
#include "base/mem.h"
#include "tools/files/path_error.h"
#include "tools/files/protected_files.h"
#include "tools/files/roots_internal.h"

#define SKILLS "skills"

/* A file of instructions may be a link to another file of the workspace. */
static bool is_file(const struct roots *r, const char *name, const struct stat *st)
{
	struct stat found;
	int fd = root_open_in(r, &r->items[0], name, O_PATH);
	bool same =
	    fd >= 0 && fstat(fd, &found) == 0 && found.st_dev == st->st_dev && found.st_ino == st->st_ino;

	if (fd >= 0)
		close(fd);
	return same;
}

static bool is_in_skills(const struct roots *r, const char *real)
{
	char skills[2 * PATH_MAX];
	struct path_error why;
	int fd = root_open_folder_in(r, &r->items[0], SKILLS);
	bool within = fd >= 0 && root_real_path(fd, SKILLS, skills, sizeof(skills), &why) == 0 &&
	    protected_files_within(real, skills);

	if (fd >= 0)
		close(fd);
	return within;
}

bool root_is_prompt_file(const struct roots *r, const char *real, const struct stat *st)
{
	const char *workspace = r->items[0].real;
	bool below = protected_files_within(real, workspace) && real[strlen(workspace)] == '/';
	const char *rest = below ? real + strlen(workspace) + 1 : "";

	for (size_t i = 0; i < r->instructions.count; i++) {
		const char *name = r->instructions.items[i];
		if (strcasecmp(rest, name) == 0 || (st && is_file(r, name, st)))
			return true;
	}
	if (!r->skills)
		return false;
	size_t len = strlen(SKILLS);
	return (strncasecmp(rest, SKILLS, len) == 0 && (rest[len] == '/' || rest[len] == '\0')) ||
	    is_in_skills(r, real);
}
