#ifndef HELPERS_SANDBOX_TEMP_DIR_H
#define HELPERS_SANDBOX_TEMP_DIR_H
/* A temporary folder for a program without its own /tmp. */

/* Returns its path, which we own. Exits on failure. */
const char *temp_dir_make(void);
/* Removes it with its contents. */
void temp_dir_remove(const char *path);

#endif
