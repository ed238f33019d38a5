#ifndef LLM_IMAGE_INPUT_H
#define LLM_IMAGE_INPUT_H
/* The images of one request: their bytes while it is built and sent, and the text that replaces those that
 * are not shown. Internal to src/llm. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "llm/llm.h"

struct llm_image_input_item {
	const struct llm_image *image;
	struct buf data; /* base64 */
};

enum llm_image_input_stage { LLM_IMAGE_INPUT_ALL, LLM_IMAGE_INPUT_WITHOUT_NEW, LLM_IMAGE_INPUT_NONE };

struct llm_image_input {
	struct llm *llm;
	const struct llm_provider *provider;
	const struct llm_request *req;
	struct llm_image_input_item *items; /* shown images, in the order of the history */
	size_t count;
	size_t held; /* bytes of the memory budget that all requests share */
	/* What is left out because the provider refused a request with it. */
	enum llm_image_input_stage stage;
	bool shows_images; /* it may be shown images */
	bool no_images;    /* the provider said that it takes none */
	char *why;         /* the provider's reason */
};

/* Loads the images to show, waiting for memory. Returns 0 even if some could not be loaded, -1 when
 * cancelled. Close it in any case. */
int llm_image_input_open(struct task *t, struct llm_image_input *v, struct error *err);
void llm_image_input_close(struct llm_image_input *v);
/* After a refusal: returns true when an image may be the cause; the next request then shows fewer. */
bool llm_image_input_blame(struct llm_image_input *v, enum llm_error_class class, const struct error *err);
/* Call it after the last attempt; frees. accepted: the omitted images were the cause and stay omitted from
 * now on. Returns true when the provider refused images. */
bool llm_image_input_settle(struct llm_image_input *v, bool accepted);

/* Returns the base64 of a shown image, else NULL. v may be NULL for none. */
const struct buf *llm_image_input_data(const struct llm_image_input *v, const struct llm_image *i);
/* Returns true when it shows any of the message's images. */
bool llm_image_input_shows(const struct llm_image_input *v, const struct llm_message *m);
/* Appends the message's text as a JSON string, with a line for each image that is not shown. */
void llm_image_input_add_text(struct buf *out, const struct llm_image_input *v, struct llm_message *m);
/* For each shown image, appends before, its type, between, its base64, after. */
struct llm_image_input_format {
	const char *before, *between, *after;
};
void llm_image_input_add_images(struct buf *out, const struct llm_image_input *v, const struct llm_message *m,
    const struct llm_image_input_format *form);

#endif
