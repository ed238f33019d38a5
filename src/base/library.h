#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H
/* Shared libraries that are loaded when they are needed: most runs need none of them, and each takes memory
 * and time of every start. */
#include <stddef.h>

struct error;

struct library {
	const char *file;    /* "libpq.so.5" */
	const char *title;   /* "PostgreSQL's client library" */
	const char *package; /* Debian's */
	const struct library_function {
		const char *name;
		void *at; /* a pointer to a function, which is set */
	} * functions;
	size_t count;
};

/* Loads the library for the rest of the process and sets the pointers. May be called again; not by two
 * threads at once. Returns -1 (ERROR_OURS) when the library or a function is missing: then no pointer may be
 * used. */
int library_load(const struct library *l, struct error *err);

#endif
