#ifndef TOOLS_FILES_WORKSPACE_OWNER_H
#define TOOLS_FILES_WORKSPACE_OWNER_H
/*
 * Started as root, commands of tools run as somebody else: the workspace is given to him. Only what is ours
 * to give: a folder that we made, and the way to it through our own state. May block.
 */

/* Gives path to the user when we are root and he is not; state (may be NULL) is opened for passing through
 * when path lies in it. What cannot be done shows when the sandbox is proved. */
void workspace_owner_set(const char *user, const char *path, const char *state);

#endif
