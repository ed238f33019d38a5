#ifndef LLM_VISION_H
#define LLM_VISION_H
/* Which models see, and how much they are shown. */
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
	int64_t bytes;         /* of one image as models get it */
	int64_t count;         /* images of one request */
	char *describe_with;   /* the provider that describes images for models that do not see; NULL: nobody
				  does */
	int64_t edge;          /* pixels of the longer side */
	int64_t memory;        /* bytes that the images of all requests under way take in memory */
	int64_t pixels;        /* of an image as it comes */
	int64_t request_bytes; /* of all images of one request */
};

void llm_vision_read(struct config *cfg, struct llm_vision_settings *out);
void llm_vision_clear(struct llm_vision_settings *s);
const struct llm_vision_settings *llm_vision(const struct llm *l);
/* Where the configuration does not say it: does a model of this name see? Those that are known not to do
 * not. */
bool llm_model_has_vision(const char *model);
/* Is it shown images? Not one whose provider refused them all. */
bool llm_has_vision(const struct llm_provider *p);
/* Who is asked first: the provider of that name, else the default one; NULL: there is none. */
const struct llm_provider *llm_first(const struct llm *l, const char *name);
/* Who describes what is on images, if it sees; NULL: nobody. */
const struct llm_provider *llm_describer(const struct llm *l);
/* Marks the images that newer ones leave no place for, and all where the first who is asked sees none. In
 * steps of half of what may be shown, so that not every new image changes what a provider has in its
 * cache. */
void llm_vision_choose(const struct llm *l, const char *provider, struct llm_history *h);

#endif
