#ifndef BASE_SECRET_SOURCE_H
#define BASE_SECRET_SOURCE_H
/* Where a secret setting leads: a file, a systemd credential, or itself. */
#include <stdbool.h>

struct error;
struct stat;

#define SECRET_SOURCE_MAX 4096

/* Fills value with what setting stands for (base/secret/secret.h says how). Blocks for one small file. */
int secret_source_read(const char *setting, char value[SECRET_SOURCE_MAX + 1], struct error *err);
/* Can nobody but us and root read the file? One of root's that our own group may read (root:myna, 0640) is
 * private, too. */
bool secret_source_is_private(const struct stat *st);

#endif
