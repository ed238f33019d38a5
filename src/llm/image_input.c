#include "llm/image_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task_cond.h"
#include "llm/llm_internal.h"
#include "llm/vision.h"

/* An image is in memory as base64, and again in the body of its request. */
#define MEMORY_OF(bytes) ((size_t)(bytes) / 3 * 8)

/* Texts of providers whose model does not accept images. */
static const char *const no_vision_phrases[] = {
    "support image",
    "image input",
    "unknown variant `image_url`",
    "mmproj",
    "multimodal",
    "must be a string",
    "support vision",
    "image_url is only supported",
    "accept image",
    "images are not supported",
    "vision is not",
    "image modality",
};
/* Texts of errors about an image, or possibly about one. */
static const char *const image_phrases[] = {"image", "vision", "mmproj", "multimodal", "base64"};

static bool contains_any(const char *text, const char *const *phrases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcasestr(text, phrases[i]))
			return true;
	return false;
}

/* Returns the first message that no model has answered. */
static size_t first_new(const struct llm_history *h)
{
	size_t i = h->count;

	while (i > 0 && (h->messages[i - 1]->role != LLM_ASSISTANT || !h->messages[i - 1]->provider))
		i--;
	return i;
}

static bool is_shown(const struct llm_image_input *v, const struct llm_image *i, bool is_new)
{
	return !i->superseded && !i->refused && v->stage != LLM_IMAGE_INPUT_NONE &&
	    !(v->stage == LLM_IMAGE_INPUT_WITHOUT_NEW && is_new);
}

/* Calls fn for each image that the request includes. */
static void each_shown(struct llm_image_input *v, void (*fn)(struct llm_image_input *v, struct llm_image *i))
{
	const struct llm_history *h = v->req->history;
	size_t fresh = first_new(h);

	v->shows_images = llm_has_vision(v->provider);
	if (!v->req->image_loader || v->no_images || !v->shows_images)
		return;
	for (size_t i = 0; i < h->count; i++)
		for (size_t k = 0; k < h->messages[i]->image_count; k++)
			if (is_shown(v, &h->messages[i]->images[k], i >= fresh))
				fn(v, &h->messages[i]->images[k]);
}

static void add_item(struct llm_image_input *v, struct llm_image *i)
{
	v->items = xrealloc(v->items, (v->count + 1) * sizeof(*v->items));
	v->items[v->count++] = (struct llm_image_input_item){.image = i, .data = BUF_INIT};
	v->held += MEMORY_OF(i->bytes);
}

/* Returns -1 when cancelled. An image that cannot be read is left out. */
static int load(struct task *t, struct llm_image_input *v, struct error *err)
{
	const struct llm_image_loader *image_loader = v->req->image_loader;
	size_t n = 0;

	for (size_t i = 0; i < v->count; i++) {
		struct llm_image_input_item *item = &v->items[i];
		if (image_loader->load(t, image_loader->arg, item->image, &item->data, err) == 0) {
			v->items[n++] = *item;
			continue;
		}
		buf_clear(&item->data);
		if (err->kind == ERROR_CANCELLED) {
			for (size_t k = i + 1; k < v->count; k++)
				buf_clear(&v->items[k].data);
			v->count = n;
			return -1;
		}
		log_warn("llm", "an image cannot be shown: %s: %s", item->image->path, err->text);
		error_clear(err);
	}
	v->count = n;
	return 0;
}

int llm_image_input_open(struct task *t, struct llm_image_input *v, struct error *err)
{
	const size_t all = (size_t)v->llm->vision.memory;
	size_t want;

	each_shown(v, add_item);
	if (v->count == 0)
		return 0;
	/* A request that needs more than the limit takes all of it. */
	want = v->held < all ? v->held : all;
	v->held = 0;
	if (task_semaphore_acquire(t, &v->llm->image_memory, want, err) < 0)
		return -1;
	v->held = want;
	return load(t, v, err);
}

void llm_image_input_close(struct llm_image_input *v)
{
	for (size_t i = 0; i < v->count; i++)
		buf_clear(&v->items[i].data);
	free(v->items);
	v->items = NULL;
	v->count = 0;
	task_semaphore_release(&v->llm->image_memory, v->held);
	v->held = 0;
}

/* The provider's message without the provider's name. */
static const char *refusal_text(const struct llm_image_input *v, const struct error *err)
{
	size_t len = strlen(v->provider->name);

	return strncmp(err->text, v->provider->name, len) == 0 ? err->text + len : err->text;
}

/* New images may be the reason for a permanent refusal, whatever its text says. */
static bool may_be_image(const char *text, enum llm_error_class class, const struct error *err)
{
	static const enum llm_error_class others[] = {LLM_ERROR_AUTH, LLM_ERROR_BILLING, LLM_ERROR_CANCELLED,
	    LLM_ERROR_RATE_LIMIT, LLM_ERROR_TRANSIENT};

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (class == others[i])
			return false;
	if (err->code >= 400 && err->code <= 500 &&
	    contains_any(text, image_phrases, ARRAY_LEN(image_phrases)))
		return true;
	return (class == LLM_ERROR_FATAL || class == LLM_ERROR_BAD_HISTORY || class == LLM_ERROR_REFUSAL) &&
	    (err->code == 400 || err->code == 415 || err->code == 422);
}

/* Returns how many of the included images are new. */
static size_t count_new(const struct llm_image_input *v)
{
	const struct llm_history *h = v->req->history;
	size_t n = 0;

	for (size_t i = first_new(h); i < h->count; i++)
		for (size_t k = 0; k < h->messages[i]->image_count; k++)
			n += llm_image_input_data(v, &h->messages[i]->images[k]) != NULL;
	return n;
}

bool llm_image_input_blame(struct llm_image_input *v, enum llm_error_class class, const struct error *err)
{
	const char *text = refusal_text(v, err);
	size_t fresh = count_new(v);

	if (v->count == 0 || !may_be_image(text, class, err))
		return false;
	if (contains_any(text, no_vision_phrases, ARRAY_LEN(no_vision_phrases)))
		v->no_images = true;
	else
		v->stage = v->stage == LLM_IMAGE_INPUT_ALL && fresh > 0 && fresh < v->count ?
		    LLM_IMAGE_INPUT_WITHOUT_NEW :
		    LLM_IMAGE_INPUT_NONE;
	free(v->why);
	v->why = xstrdup(err->text);
	log_warn("llm", "asking again without images: %s", err->text);
	return true;
}

/* Marks images that the accepted request left out and the refused one included. */
static void refuse_left_out(struct llm_image_input *v)
{
	const struct llm_history *h = v->req->history;

	for (size_t i = v->stage == LLM_IMAGE_INPUT_WITHOUT_NEW ? first_new(h) : 0; i < h->count; i++)
		for (size_t k = 0; k < h->messages[i]->image_count; k++) {
			struct llm_image *image = &h->messages[i]->images[k];
			if (image->superseded || image->refused)
				continue;
			image->refused = xstrdup(v->why);
			image->changed = true;
		}
}

bool llm_image_input_settle(struct llm_image_input *v, bool accepted)
{
	bool refused = accepted && v->why;

	if (refused && v->no_images)
		v->provider->learned->no_images = true;
	else if (refused)
		refuse_left_out(v);
	free(v->why);
	v->why = NULL;
	return refused;
}
