#include "store/postgres/libpq.h"

#include <pthread.h>

#include "base/error.h"
#include "base/library.h"
#include "base/mem.h"

struct libpq pq;

static struct error failure;

static void load(void)
{
	static const struct library_function functions[] = {
#define LIBPQ_FUNCTION(name) {#name, &pq.name},
	    LIBPQ_EACH(LIBPQ_FUNCTION)
#undef LIBPQ_FUNCTION
	};
	static const struct library library = {
	    "libpq.so.5", "PostgreSQL's client library", "libpq5", functions, ARRAY_LEN(functions)};

	library_load(&library, &failure);
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
