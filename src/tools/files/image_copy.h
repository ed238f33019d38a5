#ifndef TOOLS_FILES_IMAGE_COPY_H
#define TOOLS_FILES_IMAGE_COPY_H
/* Converts images for models with the program myna-image, and stores the copies beside the files that
 * people sent. */
#include <stdbool.h>
#include <stdint.h>

struct address;
struct buf;
struct error;
struct llm_image;
struct llm_vision_settings;
struct task;
struct tools;

/* Returns true when the first bytes belong to a supported image format. */
bool image_copy_supports(const char *data, size_t len);

struct image_copy_source {
	const struct address *chat;
	const char *path;   /* path of the original; the copy gets a similar name */
	int64_t folder_max; /* as in incoming_file_store */
};
/* Makes the copy, stores it in the chat's folder, and fills out (the caller owns its strings). Equal bytes
 * give the same copy. Returns -1 with an error sentence (ERROR_REFUSED: no image, broken or too large).
 * Suspends. */
int image_copy_make(struct task *t, const struct tools *ts, const struct llm_vision_settings *limits,
    const struct image_copy_source *from, const struct buf *bytes, struct llm_image *out, struct error *err);

#endif
