#include "store/postgres/libpq.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/error.h"
#include "base/mem.h"

#define LIBRARY "libpq.so.5"

struct libpq pq;

static struct error failure;

static void load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	const struct {
		const char *name;
		void *at;
	} functions[] = {
#define LIBPQ_FUNCTION(name) {#name, &pq.name},
	    LIBPQ_EACH(LIBPQ_FUNCTION)
#undef LIBPQ_FUNCTION
	};

	if (!library) {
		error_set(&failure, ERROR_OURS,
		    "cannot load PostgreSQL's client library (%s): install it (Debian: libpq5)", dlerror());
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		void *found = dlsym(library, functions[i].name);

		memcpy(functions[i].at, &found, sizeof(found));
		if (!found)
			error_set(&failure, ERROR_OURS,
			    "PostgreSQL's client library " LIBRARY " has no %s: install a newer one",
			    functions[i].name);
	}
}

int libpq_load(struct error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (failure.kind == ERROR_NONE)
		return 0;
	if (err)
		*err = failure;
	return -1;
}
