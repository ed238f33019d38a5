#ifndef CHANNELS_TELEGRAM_UPLOAD_H
#define CHANNELS_TELEGRAM_UPLOAD_H
/* Chooses the method and field for a file by its kind. Pure. */
#include <stdbool.h>

struct attachment;

/* Bot API, "Sending files". */
#define TELEGRAM_UPLOAD_MAX (50 << 20)
/* Telegram allows 1,024 units after parsing; rendering may add some. */
#define TELEGRAM_CAPTION_UNITS 900

struct telegram_upload {
	const char *method; /* "sendPhoto" */
	const char *field;  /* "photo" */
};

/* plain: send as a document regardless of kind. */
const struct telegram_upload *telegram_upload_choose(const struct attachment *file, bool plain);

#endif
