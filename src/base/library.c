#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

int library_load(const struct library *l, struct error *err)
{
	void *library = dlopen(l->file, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return error_set(err, ERROR_OURS, "cannot load %s (%s): install it (Debian: %s)", l->title,
		    dlerror(), l->package);
	for (size_t i = 0; i < l->count; i++) {
		void *found = dlsym(library, l->functions[i].name);

		if (!found)
			return error_set(err, ERROR_OURS, "%s %s has no %s: install a newer one", l->title,
			    l->file, l->functions[i].name);
		memcpy(l->functions[i].at, &found, sizeof(found));
	}
	return 0;
}
