/* Folders that tools may use must not hold what tools must never see: hiding it by its path is undone by a
 * rename of a folder above it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "tools/files/protected_files.h"
#include "tools/tools_internal.h"

/* The parts that exist, without links; the rest as it stands. NULL for what is no path. */
static char *real_path(const char *path)
{
	char real[PATH_MAX], *start, *slash;

	if (!path || !*path)
		return NULL;
	if (realpath(path, real))
		return xstrdup(real);
	start = xstrdup(path);
	while ((slash = strrchr(start, '/')) && slash > start) {
		*slash = '\0';
		if (realpath(start, real)) {
			char *whole =
			    xasprintf("%s%s", strcmp(real, "/") == 0 ? "" : real, path + (slash - start));
			free(start);
			return whole;
		}
	}
	free(start);
	return xstrdup(path);
}

struct look {
	const char *folder; /* real */
	char *what;         /* the first that was found; NULL: nothing */
};

static void look_at(struct look *l, const char *name, const char *path)
{
	char *real = l->what ? NULL : real_path(path);

	if (real && (strcmp(l->folder, "/") == 0 || protected_files_within(real, l->folder)))
		l->what = xasprintf("%s (%s)", name, path);
	free(real);
}

static void look_at_secret(void *arg, const char *path)
{
	look_at(arg, "a secret", path);
}

/* Returns what the folder exposes, malloc'd; NULL for nothing. */
static char *find_exposed(const struct tools *ts, const char *control, const char *folder)
{
	char *real = real_path(folder);
	struct look l = {.folder = real};

	look_at(&l, "the state", ts->state);
	look_at(&l, "the configuration", ts->config_file);
	look_at(&l, "the control socket", control);
	secret_each_file(look_at_secret, &l);
	free(real);
	return l.what;
}

#define EXPOSED                                                                                            \
	"tools may use %s, which holds %s: they must never see that. Name a folder beside it, or move it " \
	"out."

void tools_check_folders(const struct tools *ts, struct config *cfg, const char *control)
{
	const struct tools_settings *s = &ts->settings;

	for (size_t i = 0; i <= s->roots.count; i++) {
		const char *folder = i < s->roots.count ? s->roots.items[i] : s->workspace;
		char *what = folder ? find_exposed(ts, control, folder) : NULL,
		     *path =
			 i < s->roots.count ? xasprintf("tools.roots[%zu]", i) : xstrdup("tools.workspace");

		if (what)
			config_error(cfg, path, EXPOSED, folder, what);
		free(what);
		free(path);
	}
}
