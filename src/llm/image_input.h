#ifndef LLM_IMAGE_INPUT_H
#define LLM_IMAGE_INPUT_H
/* What one request shows of the images in its history to the provider that is asked: their bytes while it is
 * built and on its way, and the words that stand for those that are not shown. Private to the llm layer. */
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
	struct llm_image_input_item *items; /* those that are shown, in the order of the history */
	size_t count;
	size_t held; /* of the memory that all requests share */
	enum llm_image_input_stage
	    stage;  /* what is left out because the provider refused the request with it */
	bool sees;  /* may it be shown any? */
	bool blind; /* it said that it sees none */
	char *why;  /* its words */
};

/* Loads what is to be shown, when there is memory for it. 0, also when some could not be loaded; -1:
 * cancelled. To be closed in any case. */
int llm_image_input_open(struct task *t, struct llm_image_input *v, struct error *err);
void llm_image_input_close(struct llm_image_input *v);
/* The request was refused: may it have been for an image? Then the next one shows less. */
bool llm_image_input_blame(struct llm_image_input *v, enum llm_error_class class, const struct error *err);
/* At the end of all tries. accepted: what was left out was the reason, and is left out from now on. Frees.
 * True when the provider did not take images that it was shown. */
bool llm_image_input_settle(struct llm_image_input *v, bool accepted);

/* Base64 of an image that is shown, else NULL. v may be NULL: nothing is. */
const struct buf *llm_image_input_data(const struct llm_image_input *v, const struct llm_image *i);
/* Does it show any of the message's? */
bool llm_image_input_shows(const struct llm_image_input *v, const struct llm_message *m);
/* Appends the text of the message, and a line for each image that is not shown, as a JSON string. */
void llm_image_input_add_text(struct buf *out, const struct llm_image_input *v, struct llm_message *m);
/* Appends before, its type, between, base64, after for each that is shown. */
struct llm_image_input_format {
	const char *before, *between, *after;
};
void llm_image_input_add_images(struct buf *out, const struct llm_image_input *v, const struct llm_message *m,
    const struct llm_image_input_format *form);

#endif
