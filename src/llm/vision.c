#include "llm/vision.h"

#include <string.h>

#include "base/config/config.h"
#include "base/mem.h"
#include "llm/history.h"
#include "llm/llm_internal.h"
#include "llm/providers.h"

#define MEBIBYTE (INT64_C(1) << 20)

static const struct config_key keys[] = {
    {.name = "count",
	.type = CONFIG_INT,
	.offset = offsetof(struct llm_vision_settings, count),
	.fallback = "20",
	.min = 0,
	.max = 100,
	.help = "Maximum number of images in one request; older ones are replaced by a line of text. 0: no "
		"images."},
    {.name = "describe_with",
	.type = CONFIG_STRING,
	.offset = offsetof(struct llm_vision_settings, describe_with),
	.help = "The name of a provider whose model accepts images. It describes each image once, in a few "
		"sentences, for models that do not."},
    {.name = "edge",
	.type = CONFIG_INT,
	.offset = offsetof(struct llm_vision_settings, edge),
	.fallback = "1568",
	.min = 64,
	.max = 8000,
	.help = "Maximum length of the longer side, in pixels. Larger images are scaled down before a model "
		"gets them."},
    {.name = "memory",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct llm_vision_settings, memory),
	.fallback = "96 MiB",
	.min = MEBIBYTE,
	.max = INT64_C(4096) * MEBIBYTE,
	.help =
	    "Maximum memory for the images of all running requests; a request waits until there is enough."},
    {.name = "pixels",
	.type = CONFIG_INT,
	.offset = offsetof(struct llm_vision_settings, pixels),
	.fallback = "64000000",
	.min = 10000,
	.max = 200000000,
	.help = "An image with more pixels is not decoded."},
    {.name = "request_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct llm_vision_settings, request_bytes),
	.fallback = "12 MiB",
	.min = 1024,
	.max = 20 * MEBIBYTE,
	.help = "Maximum size of all images of one request; the newest are kept."},
    {.name = "size_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct llm_vision_settings, bytes),
	.fallback = "1 MiB",
	.min = 1024,
	.max = 3 * MEBIBYTE,
	.help = "Maximum size of one image as a model gets it."},
};

const struct config_section llm_images_section = {
    .path = "llm.images",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "How models get the images that people send and that tools read. llm.providers says which models "
	    "accept images.",
};

/* Name patterns of models without image input whose vendors also have models with it. */
static const char *const blind[] = {
    "codestral",
    "command-r",
    "deepseek",
    "devstral",
    "gpt-3.5",
    "gpt-oss",
    "kimi-k2",
    "llama-3.1",
    "llama-3.3",
    "llama3.1",
    "llama3.2:1b",
    "llama3.2:3b",
    "llama3.3",
    "mixtral",
    "o1-mini",
    "o3-mini",
    "phi3:",
    "phi4:",
    "qwen-coder",
    "qwen2.5-coder",
    "qwen3-coder",
};

void llm_vision_read(struct config *cfg, struct llm_vision_settings *out)
{
	config_read(cfg, "llm.images", &llm_images_section, out);
}

void llm_vision_clear(struct llm_vision_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
}

const struct llm_vision_settings *llm_vision(const struct llm *l)
{
	return &l->vision;
}

bool llm_model_has_vision(const char *model)
{
	for (size_t i = 0; model && i < ARRAY_LEN(blind); i++)
		if (strcasestr(model, blind[i]))
			return false;
	return true;
}

bool llm_has_vision(const struct llm_provider *p)
{
	const struct llm_learned *learned = p->learned;

	if (learned && learned->no_images)
		return false;
	return !p->images_configured && learned && learned->vision != 0 ? learned->vision > 0 :
									  p->settings.images;
}

const struct llm_provider *llm_first(const struct llm *l, const char *name)
{
	const struct llm_provider *p = name ? llm_find(l, name) : NULL;

	return p ? p : llm_default(l);
}

const struct llm_provider *llm_describer(const struct llm *l)
{
	const struct llm_provider *p = l->vision.describe_with ? llm_find(l, l->vision.describe_with) : NULL;

	return p && llm_has_vision(p) ? p : NULL;
}

/* Returns how many of the oldest images are left out when this many may be included. */
static size_t left_out(size_t count, size_t most)
{
	size_t step = most > 1 ? most / 2 : 1, over = count > most ? count - most : 0;

	return most == 0 ? count : (over + step - 1) / step * step;
}

static size_t count_images(const struct llm_history *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->count; i++)
		for (size_t k = 0; k < h->messages[i]->image_count; k++)
			n += !h->messages[i]->images[k].refused;
	return n;
}

void llm_vision_choose(const struct llm *l, const char *provider, struct llm_history *h)
{
	const struct llm_provider *p = llm_first(l, provider);
	size_t count = count_images(h), keep = count - left_out(count, (size_t)l->vision.count);
	int64_t room = l->vision.request_bytes;

	for (size_t i = h->count; i-- > 0;)
		for (size_t k = h->messages[i]->image_count; k-- > 0;) {
			struct llm_image *image = &h->messages[i]->images[k];
			image->unseen = p && !llm_has_vision(p);
			if (image->refused)
				continue;
			image->superseded = keep == 0 || image->bytes > room;
			/* If one does not fit, older ones are left out, too. */
			keep = image->superseded ? 0 : keep - 1;
			room -= image->bytes;
		}
}
