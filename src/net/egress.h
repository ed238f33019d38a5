#ifndef NET_EGRESS_H
#define NET_EGRESS_H
/* Whether this process may still act on the world: asked just before the first byte of each HTTP request, and
 * before each start of a program. */
#include <stdbool.h>

/* may: on the loop; NULL: always. arg is borrowed until the next call. */
void egress_set_guard(bool (*may)(const void *arg), const void *arg);
bool egress_is_open(void);

#endif
