#include "net/egress.h"

#include <stddef.h>

static bool (*guard)(const void *arg);
static const void *guard_arg;

void egress_set_guard(bool (*may)(const void *arg), const void *arg)
{
	guard = may;
	guard_arg = arg;
}

bool egress_is_open(void)
{
	return !guard || guard(guard_arg);
}
