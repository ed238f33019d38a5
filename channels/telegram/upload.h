#ifndef CHANNELS_TELEGRAM_UPLOAD_H
#define CHANNELS_TELEGRAM_UPLOAD_H
/* How a file is sent: the method and the field that fit its kind. Pure. */
#include <stdbool.h>

struct attachment;

/* Bot API, "Sending files". */
#define TELEGRAM_UPLOAD_MAX (50 << 20)
/* A caption has 1,024 units after parsing; ours grows a little when it is rendered. */
#define TELEGRAM_CAPTION_UNITS 900

struct telegram_upload {
	const char *method; /* "sendPhoto" */
	const char *field;  /* "photo" */
};

/* plain: as a document, whatever it is. */
const struct telegram_upload *telegram_upload_choose(const struct attachment *file, bool plain);

#endif
