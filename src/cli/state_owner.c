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

int cli_become_owner(const char *state)
{
	char *name = geteuid() == 0 ? cli_other_owner(state) : NULL;
	const struct passwd *pw;
	struct stat st;

	if (!name)
		return 0;
	bool done = stat(state, &st) == 0 &&
	    ((pw = getpwuid(st.st_uid)) ? initgroups(pw->pw_name, st.st_gid) : setgroups(0, NULL)) == 0 &&
	    setgid(st.st_gid) == 0 && setuid(st.st_uid) == 0;
	if (done)
		fprintf(stderr, "This runs as the user %s, to whom %s belongs.\n", name, state);
	else
		fprintf(stderr, "myna: cannot run as the user %s, to whom %s belongs: %s\n", name, state,
		    strerror(errno));
	free(name);
	return done ? 0 : -1;
}
