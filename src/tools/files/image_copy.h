#ifndef TOOLS_FILES_IMAGE_COPY_H
#define TOOLS_FILES_IMAGE_COPY_H
/* Images made fit for models, by the program myna-image, and kept beside the files that people sent. */
#include <stdbool.h>
#include <stdint.h>

struct address;
struct buf;
struct error;
struct llm_image;
struct llm_vision_settings;
struct task;
struct tools;

/* Do the first bytes say that it is an image of a kind that can be shown? */
bool image_copy_supports(const char *data, size_t len);

struct image_copy_source {
	const struct address *chat;
	const char *path;   /* where the original is; the copy gets a name like it */
	int64_t folder_max; /* as incoming_file_store */
};
/* Makes the copy, keeps it in the folder of the chat, and fills out, whose strings are the caller's. The same
 * bytes have the same copy. -1 with a sentence why there is none (ERROR_REFUSED: the image is none, broken or
 * too large). */
int image_copy_make(struct task *t, const struct tools *ts, const struct llm_vision_settings *limits,
    const struct image_copy_source *from, const struct buf *bytes, struct llm_image *out, struct error *err);

#endif
