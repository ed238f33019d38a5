#ifndef PLAYGROUND_TELEGRAM_HTTP_UPLOAD_H
#define PLAYGROUND_TELEGRAM_HTTP_UPLOAD_H
/*
 * An InputFile as a bot gives it: a part of the multipart body, attach://NAME for such a part, or the file_id
 * of what the platform has already. Bot API, "Sending files": at most 50 MB, photos 10 MB with width + height
 * up to 10,000 and a ratio of at most 20.
 */
#include <stddef.h>

#include "playground/telegram/world/media.h"

struct call;
struct json_object;

struct upload {
	enum media_kind kind;
	const struct file *known; /* what a file_id meant, or NULL: */
	const char *name, *data;  /* borrowed from the request */
	size_t len;
};

/* value: the parameter, or the member of an InputMedia. -1 after call_fail or call_refuse. */
int upload_read(struct call *call, struct json_object *value, enum media_kind kind, struct upload *u);
/* The file that a message will carry. */
struct file *upload_keep(struct call *call, const struct upload *u);

#endif
