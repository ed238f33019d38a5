#ifndef HELPERS_SANDBOX_USER_H
#define HELPERS_SANDBOX_USER_H
/* The user of the program. */

/* Started as root: becomes that user for good. Otherwise changes nothing. Exits on failure. */
void user_drop(const char *name);
/* Drops all capabilities for good, including those of a user namespace. */
void user_drop_capabilities(void);

#endif
