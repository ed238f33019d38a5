#ifndef HELPERS_SANDBOX_USER_H
#define HELPERS_SANDBOX_USER_H
/* Whom the program runs as. */

/* Started as root: becomes the user of that name, for good. Else nothing changes. Ends the process when it
 * cannot. */
void user_drop(const char *name);
/* No capabilities, and none to be had: also those of a user namespace. */
void user_drop_capabilities(void);

#endif
