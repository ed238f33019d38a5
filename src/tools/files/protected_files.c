#include "tools/files/protected_files.h"

#include <string.h>

#include "base/mem.h"

/* Absolute paths, and the copies that editors and shadow-utils leave beside them. */
static const char *const files[] = {
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/passwd",
    "/etc/passwd-",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/sudoers",
};
static const char *const folders[] = {"/etc/sudoers.d"};
/* Matches at the end of any path. */
static const char *const ends[] = {"/.aws/credentials", "/.git-credentials", "/.netrc"};
/* Matches anywhere in a path. */
static const char *const parts[] = {"/.gnupg/", "/.ssh/"};

bool protected_files_within(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

bool protected_files_has(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		if (strcmp(path, files[i]) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		if (protected_files_within(path, folders[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (str_ends_with(path, ends[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}
