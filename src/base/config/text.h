#ifndef BASE_CONFIG_TEXT_H
#define BASE_CONFIG_TEXT_H
/*
 * A configuration file and all that it includes, checked and put together into one text,
 * which knows where each of its lines came from. libconfig sees this text alone: it would
 * look for included files in one folder only, and read what is not a regular file.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct error;

#define CONFIG_BYTES_MAX (1024 * 1024) /* one file, and all files together */
#define CONFIG_FILES_MAX 64
#define CONFIG_NESTING   8 /* includes within includes */

struct config_source {
	char *file;
	unsigned mode; /* permission bits */
	bool exposed;  /* others than we and root can read it */
};

/* Where a line of the text comes from. */
struct config_origin {
	size_t source;
	unsigned line;
};

struct config_text {
	struct buf text;
	struct buf origins; /* a struct config_origin for each line of text */
	struct config_source *sources;
	size_t source_count;
};

void config_text_init(struct config_text *t);
void config_text_clear(struct config_text *t);
/* -1 with err FILE:LINE: message. Reads files, so it may block: for start and reload. */
int config_text_load(struct config_text *t, const char *file, struct error *err);
int config_text_parse(struct config_text *t, const char *name, const char *text, struct error *err);

/* Place and source of a line of the text; the last one when there are fewer. Borrowed. */
struct config_origin config_text_origin(const struct config_text *t, unsigned line);
const struct config_source *config_text_source(const struct config_text *t, unsigned line);

#endif
