#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/cli.h"

char *cli_other_owner(const char *state)
{
	struct stat st;

	if (stat(state, &st) < 0 || st.st_uid == geteuid())
		return NULL;
	const struct passwd *pw = getpwuid(st.st_uid);
	return pw ? xstrdup(pw->pw_name) : xasprintf("%u", (unsigned)st.st_uid);
}

int cli_refuse_as_root(const char *state)
{
	char *owner = geteuid() == 0 ? cli_other_owner(state) : NULL;

	if (!owner)
		return 0;
	fprintf(stderr,
	    "myna: %s belongs to the user %s, who could not open what root writes there: start the service, "
	    "or "
	    "run this as %s (sudo -u %s ...)\n",
	    state, owner, owner, owner);
	free(owner);
	return -1;
}

static int become(const struct stat *owner, const char *name)
{
	int groups =
	    name[strspn(name, "0123456789")] != '\0' ? initgroups(name, owner->st_gid) : setgroups(0, NULL);

	return groups == 0 && setgid(owner->st_gid) == 0 && setuid(owner->st_uid) == 0 ? 0 : -1;
}

int cli_become_owner(const char *state)
{
	char *name = geteuid() == 0 ? cli_other_owner(state) : NULL;
	struct stat st;

	if (!name)
		return 0;
	int rc = stat(state, &st) == 0 ? become(&st, name) : -1;
	if (rc == 0)
		fprintf(stderr, "This runs as the user %s, to whom %s belongs.\n", name, state);
	else
		fprintf(stderr, "myna: cannot run as the user %s, to whom %s belongs: %s\n", name, state,
		    strerror(errno));
	free(name);
	return rc;
}
