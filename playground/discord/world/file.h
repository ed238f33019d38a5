#ifndef PLAYGROUND_DISCORD_WORLD_FILE_H
#define PLAYGROUND_DISCORD_WORLD_FILE_H
/* Attachments and their CDN: URLs are signed and expire after a day. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct cord_world;
struct exchange;
struct json_object;

#define CORD_FILE_MAX (10 << 20) /* Discord: reference, Uploading Files */

struct cord_file {
	struct list link;
	uint64_t id, channel_id;
	char *name, *type; /* MIME type */
	char *description; /* NULL: none */
	char *data;        /* NULL: len zero bytes */
	size_t len;
	double duration; /* of a voice message, in seconds */
	char *waveform;  /* NULL: none */
};

/* Takes data. type NULL: guess from the file name. */
struct cord_file *cord_file_new(struct cord_world *w, uint64_t id, uint64_t channel_id, const char *name,
    const char *type, char *data, size_t len);
void cord_file_free(struct cord_file *f);
struct cord_file *cord_file_find(const struct cord_world *w, uint64_t id);
/* The Attachment object, with a URL that expires in a day. */
struct json_object *cord_file_json(const struct cord_world *w, const struct cord_file *f);
/* Serves GET of "attachments/CHANNEL/ID/NAME?ex=...&is=...&hm=..."; path is without the first segment. */
void cord_file_serve(struct cord_world *w, struct exchange *ex, const char *path, const char *query);

#endif
