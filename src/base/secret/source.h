#ifndef BASE_SECRET_SOURCE_H
#define BASE_SECRET_SOURCE_H
/* Reads the source of a secret setting: a file, a systemd credential, or the setting itself. */
#include <stdbool.h>

struct error;
struct stat;

#define SECRET_SOURCE_MAX 4096

/* Fills value by the rules in base/secret/secret.h. Blocks for one small file. */
int secret_source_read(const char *setting, char value[SECRET_SOURCE_MAX + 1], struct error *err);
/* Returns true when only we and root can read the file. A file of root's that our own group may read
 * (root:myna, 0640) is private too. */
bool secret_source_is_private(const struct stat *st);

#endif
