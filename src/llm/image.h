#ifndef LLM_IMAGE_H
#define LLM_IMAGE_H
/* Images in a conversation. The transcript holds a reference and metadata; the bytes are in a file, a copy
 * that was converted for models once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llm_image {
	char *path;                   /* of the copy, for struct llm_image_loader */
	char *hash;                   /* SHA-256 of the copy in hexadecimal: a changed file is not shown */
	char *name;                   /* original file name */
	char *mime;                   /* of the copy: image/jpeg or image/png */
	int64_t width, height, bytes; /* of the copy */
	/* A provider's reason for refusing it: it is not shown any more. NULL while it may be shown. */
	char *refused;
	char *description; /* description by a vision model; NULL for none */
	/* Not stored: */
	bool superseded;            /* superseded by newer images in requests */
	bool unseen;                /* the requested model has no vision */
	bool changed;               /* refused or description differ from the stored ones */
	bool description_requested; /* a description was requested */
};

/* Frees the strings; all fields become NULL and 0. */
void llm_image_clear(struct llm_image *i);
void llm_image_copy(struct llm_image *to, const struct llm_image *from);
struct llm_image *llm_images_copy(const struct llm_image *list, size_t count);
void llm_images_free(struct llm_image *list, size_t count);
/* Appends an empty image; invalidates pointers into the list. */
struct llm_image *llm_images_add(struct llm_image **list, size_t *count);
/* Convert images to a malloc'd JSON array text (NULL for none), and back, appended to the list; incomplete
 * ones are left out. */
char *llm_images_text(const struct llm_image *list, size_t count);
void llm_images_parse(const char *text, struct llm_image **list, size_t *count);
/* A rough upper estimate for all providers: Anthropic counts width * height / 750. */
size_t llm_image_tokens(const struct llm_image *i);

#endif
