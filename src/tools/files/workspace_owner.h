#ifndef TOOLS_FILES_WORKSPACE_OWNER_H
#define TOOLS_FILES_WORKSPACE_OWNER_H
/*
 * Gives the workspace to the user of commands when we run as root. Only what is ours to give: a folder
 * that we created, and the path to it through our own state. May block.
 */

/* Gives path to the user when we are root and the user is not; opens state (may be NULL) for traversal when
 * path lies in it. A failure shows when the sandbox is tested. */
void workspace_owner_set(const char *user, const char *path, const char *state);

#endif
