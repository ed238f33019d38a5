#ifndef BASE_CONFIG_TEXT_H
#define BASE_CONFIG_TEXT_H
/*
 * Loads a configuration file with all its includes into one text that knows the origin of each line.
 * libconfig parses this text alone: by itself it would search for included files in one folder only, and
 * read files that are not regular.
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
	bool exposed;  /* users other than us and root can read it */
};

/* The origin of a line of the text. */
struct config_origin {
	size_t source;
	unsigned line;
};

struct config_text {
	struct buf text;
	struct buf origins; /* one struct config_origin for each line of text */
	struct config_source *sources;
	size_t source_count;
};

void config_text_init(struct config_text *t);
void config_text_clear(struct config_text *t);
/* Returns -1 with err as FILE:LINE: message. May block: for startup and reload only. */
int config_text_load(struct config_text *t, const char *file, struct error *err);
int config_text_parse(struct config_text *t, const char *name, const char *text, struct error *err);

/* Return the origin and the source of a line; of the last line when there are fewer. Borrowed. */
struct config_origin config_text_origin(const struct config_text *t, unsigned line);
const struct config_source *config_text_source(const struct config_text *t, unsigned line);

#endif
