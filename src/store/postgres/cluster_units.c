/* Names of units on their way to the database. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "store/postgres/cluster_internal.h"

bool units_add(struct units *u, const char *unit)
{
	for (size_t i = 0; i < u->count; i++)
		if (strcmp(u->names[i], unit) == 0)
			return false;
	u->names = xrealloc(u->names, (u->count + 1) * sizeof(*u->names));
	u->names[u->count++] = xstrdup(unit);
	return true;
}

char *units_take(struct units *u)
{
	struct buf sql = BUF_INIT;

	for (size_t i = 0; i < u->count; i++) {
		buf_addf(&sql, "%s'%s'", i > 0 ? "," : "", u->names[i]);
		free(u->names[i]);
	}
	free(u->names);
	*u = (struct units){0};
	return sql.len > 0 ? buf_take(&sql) : NULL;
}
