#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "net/child/child.h"

static const char *first_folder;

void helper_set_folder(const char *dir)
{
	first_folder = dir;
}

/* Returns the folder of the running executable, malloc'd; NULL when it is unknown. */
static char *own_folder(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	return slash ? xstrndup(path, (size_t)(slash - path)) : NULL;
}

char *helper_path(const char *name, struct error *err)
{
	char *own = own_folder();
	const char *const folders[] = {first_folder, own, PKGLIBEXECDIR};
	char *path = NULL;

	for (size_t i = 0; i < ARRAY_LEN(folders) && !path; i++) {
		path = folders[i] ? xasprintf("%s/%s", folders[i], name) : NULL;
		if (path && access(path, X_OK) != 0) {
			free(path);
			path = NULL;
		}
	}
	free(own);
	if (!path) {
		error_set(err, ERROR_OURS,
		    "The helper program %s is missing: it belongs into %s (make install puts it there).",
		    name, PKGLIBEXECDIR);
		if (err)
			err->code = ENOENT;
	}
	return path;
}
