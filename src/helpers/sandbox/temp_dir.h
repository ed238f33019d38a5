#ifndef HELPERS_SANDBOX_TEMP_DIR_H
#define HELPERS_SANDBOX_TEMP_DIR_H
/* A folder for temporary files of one program, where it has no /tmp of its own. */

/* Its path, which stays ours. Ends the process when it cannot be made. */
const char *temp_dir_make(void);
/* Removes it with all that is in it. */
void temp_dir_remove(const char *path);

#endif
