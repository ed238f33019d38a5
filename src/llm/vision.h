#ifndef LLM_VISION_H
#define LLM_VISION_H
/* Which models accept images, and how many they are shown. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config;
struct config_section;
struct llm;
struct llm_history;
struct llm_provider;

extern const struct config_section llm_images_section; /* "llm.images" */

struct llm_vision_settings {
	int64_t bytes; /* maximum of one image as models get it */
	int64_t count; /* maximum images per request */
	/* The provider that describes images for models without vision; NULL for none. */
	char *describe_with;
	int64_t edge;          /* maximum pixels of the longer side */
	int64_t memory;        /* maximum memory in bytes for the images of all current requests */
	int64_t pixels;        /* maximum pixels of an original image */
	int64_t request_bytes; /* maximum bytes of all images of one request */
};

void llm_vision_read(struct config *cfg, struct llm_vision_settings *out);
void llm_vision_clear(struct llm_vision_settings *s);
const struct llm_vision_settings *llm_vision(const struct llm *l);
/* Guesses from a model's name whether it has vision: true unless it is known to have none. */
bool llm_model_has_vision(const char *model);
/* Returns true when the provider is shown images: not after it refused them all. */
bool llm_has_vision(const struct llm_provider *p);
/* Returns the provider to ask first: the one of that name, else the default; NULL for none. */
const struct llm_provider *llm_first(const struct llm *l, const char *name);
/* Returns the provider that describes images, if it has vision; NULL for none. */
const struct llm_provider *llm_describer(const struct llm *l);
/* Marks images that exceed the limits, oldest first, and all when the first provider has no vision. Works
 * in steps of half the limit, so that not every new image invalidates the provider's prompt cache. */
void llm_vision_choose(const struct llm *l, const char *provider, struct llm_history *h);

#endif
