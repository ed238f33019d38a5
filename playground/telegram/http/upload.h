#ifndef PLAYGROUND_TELEGRAM_HTTP_UPLOAD_H
#define PLAYGROUND_TELEGRAM_HTTP_UPLOAD_H
/* An InputFile: a part of the multipart body, attach://NAME of such a part, or a known file_id. Bot API,
 * "Sending files": at most 50 MB; photos 10 MB, width + height up to 10,000, ratio up to 20. */
#include <stddef.h>

#include "playground/telegram/world/media.h"

struct call;
struct json_object;

struct upload {
	enum media_kind kind;
	const struct file *known; /* the file of a file_id, or NULL: */
	const char *name, *data;  /* borrowed from the request */
	size_t len;
};

/* value: the parameter, or the member of an InputMedia. Returns -1 after call_fail or call_refuse. */
int upload_read(struct call *call, struct json_object *value, enum media_kind kind, struct upload *u);
/* Returns the file for a message. */
struct file *upload_keep(struct call *call, const struct upload *u);

#endif
