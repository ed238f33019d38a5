#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "playground/model/api.h"
#include "playground/world/image.h"

#define ANTHROPIC_BYTES  5242880
#define ANTHROPIC_EDGE   8000
#define ANTHROPIC_IMAGES 100
/* With more images than this, all have to be smaller. */
#define MANY_IMAGES      20
#define MANY_EDGE        2000
#define OPENAI_BYTES     (20 * 1024 * 1024)
#define LONG_EDGE        1568
#define PIXELS_PER_TOKEN 750
#define BLIND            "-blind"

static const struct format {
	const char *mime, *name, *magic;
	size_t len, at;
} formats[] = {
    {"image/gif", "GIF", "GIF8", 4, 0},
    {"image/jpeg", "JPEG", "\xff\xd8\xff", 3, 0},
    {"image/png", "PNG", "\x89PNG\r\n\x1a\n", 8, 0},
    {"image/webp", "WebP", "WEBP", 4, 8},
};

struct image {
	struct buf bytes;
	const struct format *declared,
	    *detected; /* by its media type, and by its bytes; NULL: none of these */
	unsigned width, height;
	bool anthropic, is_base64;
};

static const struct format *find_mime(const char *mime, size_t len)
{
	for (size_t i = 0; mime && i < ARRAY_LEN(formats); i++)
		if (strlen(formats[i].mime) == len && memcmp(formats[i].mime, mime, len) == 0)
			return &formats[i];
	return NULL;
}

static void look(struct image *image, const char *text, size_t len)
{
	struct buf *b = &image->bytes;

	image->is_base64 = text && len > 0 && len % 4 == 0 && base64_decode(b, text, len) == 0;
	for (size_t i = 0; i < ARRAY_LEN(formats) && !image->detected; i++)
		if (b->len >= formats[i].at + formats[i].len &&
		    memcmp(b->data + formats[i].at, formats[i].magic, formats[i].len) == 0)
			image->detected = &formats[i];
	if (image->detected && !image_size(b->data, b->len, &image->width, &image->height))
		image->detected = NULL;
}

static void open_url(struct image *image, const char *url)
{
	const char *comma = url ? strchr(url, ',') : NULL, *end = url ? strstr(url, ";base64,") : NULL;

	if (!comma || !end || end > comma || strncmp(url, "data:", 5) != 0)
		return;
	image->declared = find_mime(url + 5, (size_t)(end - url - 5));
	look(image, comma + 1, strlen(comma + 1));
}

/* Returns false when the part is not an image. Clear image->bytes in any case. */
static bool open_image(struct image *image, struct json_object *part)
{
	const char *type = json_get_str(part, "type");
	struct json_object *source = json_get_object(part, "source");

	*image = (struct image){.bytes = BUF_INIT};
	if (!type)
		return false;
	if (strcmp(type, "image") == 0) {
		const char *data = json_get_str(source, "data"), *mime = json_get_str(source, "media_type");

		image->anthropic = true;
		image->declared = find_mime(mime, mime ? strlen(mime) : 0);
		look(image, data, data ? strlen(data) : 0);
		return true;
	}
	if (strcmp(type, "image_url") == 0)
		open_url(image, json_get_str(json_get_object(part, "image_url"), "url"));
	else if (strcmp(type, "input_image") == 0)
		open_url(image, json_get_str(part, "image_url"));
	else
		return false;
	return true;
}

static int check_anthropic(
    struct json_object *part, const struct image *image, const char *where, struct refusal *r)
{
	const char *type = json_get_str(json_get_object(part, "source"), "type");

	if (!type || strcmp(type, "base64") != 0)
		return refuse(r, NULL, where,
		    "%s.image.source: Input tag '%.40s' is not taken here: use 'base64'", where,
		    type ? type : "");
	if (!image->declared)
		return refuse(r, NULL, where,
		    "%s.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', "
		    "'image/gif' or 'image/webp'",
		    where);
	if (!image->is_base64)
		return refuse(r, NULL, where, "%s.image.source.base64.data: Invalid base64 data", where);
	if (image->bytes.len > ANTHROPIC_BYTES)
		return refuse(r, NULL, where,
		    "%s.image.source.base64: image exceeds 5 MB maximum: %zu bytes > %d bytes", where,
		    image->bytes.len, ANTHROPIC_BYTES);
	if (!image->detected)
		return refuse(r, NULL, where, "Could not process image");
	if (image->detected != image->declared)
		return refuse(r, NULL, where,
		    "%s.image.source.base64.data: Image does not match the provided media type %s", where,
		    image->declared->mime);
	if (image->width > ANTHROPIC_EDGE || image->height > ANTHROPIC_EDGE)
		return refuse(r, NULL, where,
		    "%s.image.source.base64.data: At least one of the image dimensions exceed max allowed "
		    "size: %d pixels",
		    where, ANTHROPIC_EDGE);
	return 0;
}

static int check_openai(const struct image *image, const char *where, struct refusal *r)
{
	if (!image->is_base64)
		return refuse(r, "invalid_base64", where, "Invalid base64 image_url.");
	if (image->bytes.len > OPENAI_BYTES || !image->declared || image->detected != image->declared)
		return refuse(r, "invalid_image_format", where,
		    "You uploaded an unsupported image. Please make sure your image is below 20 MB in size "
		    "and is of one the following formats: ['png', 'jpeg', 'gif', 'webp'].");
	return 0;
}

/* A walk over all images of a request. */
struct walk {
	struct refusal *r;
	bool blind;
	size_t count, large; /* number of images, and of those too large if there are many */
	bool anthropic;
};

static int check_image(struct walk *w, struct json_object *part, const struct image *image, const char *where)
{
	if (w->blind) {
		refuse(w->r, NULL, NULL, "No endpoints found that support image input");
		w->r->status = 404;
		return -1;
	}
	w->count++;
	w->anthropic = image->anthropic;
	w->large += image->width > MANY_EDGE || image->height > MANY_EDGE;
	return image->anthropic ? check_anthropic(part, image, where, w->r) :
				  check_openai(image, where, w->r);
}

/* The parts of a content, including those of results. */
static int check_content(struct walk *w, struct json_object *content, size_t i)
{
	size_t count = json_object_is_type(content, json_type_array) ? json_count(content) : 0;
	char where[64];
	int rc = 0;

	for (size_t k = 0; k < count && rc == 0; k++) {
		struct json_object *part = json_at(content, k);
		struct image image;

		snprintf(where, sizeof(where), "messages.%zu.content.%zu", i, k);
		if (open_image(&image, part))
			rc = check_image(w, part, &image, where);
		buf_clear(&image.bytes);
		if (rc == 0)
			rc = check_content(w, json_get(part, "content"), i);
	}
	return rc;
}

int images_check(struct json_object *request, struct refusal *r)
{
	struct json_object *list = json_get_array(request, "messages");
	const char *model = json_get_str(request, "model");
	size_t len = model ? strlen(model) : 0;
	struct walk w = {
	    .r = r, .blind = len > strlen(BLIND) && strcmp(model + len - strlen(BLIND), BLIND) == 0};

	if (!list)
		list = json_get_array(request, "input");
	for (size_t i = 0; i < json_count(list); i++) {
		struct json_object *item = json_at(list, i);

		if (check_content(&w, json_get(item, "content"), i) != 0 ||
		    check_content(&w, json_get(item, "output"), i) != 0)
			return -1;
	}
	if (w.anthropic && w.count > ANTHROPIC_IMAGES)
		return refuse(
		    r, NULL, "messages", "messages: too many images: %zu > %d", w.count, ANTHROPIC_IMAGES);
	if (w.anthropic && w.count > MANY_IMAGES && w.large > 0)
		return refuse(r, NULL, "messages",
		    "messages: At least one of the image dimensions exceed max allowed size for many-image "
		    "requests: %d pixels",
		    MANY_EDGE);
	return 0;
}

/* By the pixels after scaling to LONG_EDGE, as Anthropic's documentation says; the others are near that. */
static size_t tokens_of(const struct image *image)
{
	size_t width = image->width, height = image->height, edge = width > height ? width : height;

	if (edge > LONG_EDGE) {
		width = width * LONG_EDGE / edge;
		height = height * LONG_EDGE / edge;
	}
	return width * height / PIXELS_PER_TOKEN + 1;
}

static size_t content_tokens(struct json_object *content, size_t *text_len)
{
	size_t count = json_object_is_type(content, json_type_array) ? json_count(content) : 0;
	size_t tokens = 0;

	for (size_t k = 0; k < count; k++) {
		struct json_object *part = json_at(content, k);
		struct image image;

		if (open_image(&image, part) && image.detected) {
			tokens += tokens_of(&image);
			*text_len += (image.bytes.len + 2) / 3 * 4;
		}
		buf_clear(&image.bytes);
		tokens += content_tokens(json_get(part, "content"), text_len);
	}
	return tokens;
}

size_t images_tokens(struct json_object *request, size_t *text_len)
{
	struct json_object *list = json_get_array(request, "messages");
	size_t tokens = 0;

	*text_len = 0;
	if (!list)
		list = json_get_array(request, "input");
	json_each(list, item) {
		tokens += content_tokens(json_get(item, "content"), text_len);
		tokens += content_tokens(json_get(item, "output"), text_len);
	}
	return tokens;
}

int images_read(struct json_object *content, struct conversation *d)
{
	size_t count = json_object_is_type(content, json_type_array) ? json_count(content) : 0;
	int found = 0;

	for (size_t k = 0; k < count; k++) {
		struct json_object *part = json_at(content, k);
		struct image image;

		if (open_image(&image, part) && image.detected) {
			char *seen = xasprintf("%ux%u %s", image.width, image.height, image.detected->name);

			conversation_add_image(d, seen);
			free(seen);
			found++;
		}
		buf_clear(&image.bytes);
		found += images_read(json_get(part, "content"), d);
	}
	return found;
}
