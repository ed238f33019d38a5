#include "base/pcre.h"

#include <stdbool.h>

#include "base/library.h"
#include "base/mem.h"

struct pcre pcre;

int pcre_load(struct error *err)
{
	/* Each name in the header stands for one with the width of a character. */
	static const struct library_function functions[] = {
#define PCRE_FUNCTION(name) {#name "_8", &pcre.name},
	    PCRE_EACH(PCRE_FUNCTION)
#undef PCRE_FUNCTION
	};
	static const struct library library = {"libpcre2-8.so.0", "the library of regular expressions",
	    "libpcre2-8-0", functions, ARRAY_LEN(functions)};
	static bool loaded;

	loaded = loaded || library_load(&library, err) == 0;
	return loaded ? 0 : -1;
}
