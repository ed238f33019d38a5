#include "channels/telegram/upload.h"

#include <string.h>

#include "base/mem.h"
#include "bus/attachment.h"

/* Bot API, sendPhoto: at most 10 MB. */
#define PHOTO_MAX (10 << 20)

/* Formats that Telegram shows or plays; everything else is a document, the last row. */
static const struct {
	const char *mime;
	struct telegram_upload upload;
	int64_t max;
} ways[] = {
    {"audio/mp4", {"sendAudio", "audio"}, TELEGRAM_UPLOAD_MAX},
    {"audio/mpeg", {"sendAudio", "audio"}, TELEGRAM_UPLOAD_MAX},
    {"audio/ogg", {"sendVoice", "voice"}, TELEGRAM_UPLOAD_MAX},
    {"image/gif", {"sendAnimation", "animation"}, TELEGRAM_UPLOAD_MAX},
    {"image/jpeg", {"sendPhoto", "photo"}, PHOTO_MAX},
    {"image/png", {"sendPhoto", "photo"}, PHOTO_MAX},
    {"image/webp", {"sendPhoto", "photo"}, PHOTO_MAX},
    {"video/mp4", {"sendVideo", "video"}, TELEGRAM_UPLOAD_MAX},
};

static const struct telegram_upload document = {"sendDocument", "document"};

const struct telegram_upload *telegram_upload_choose(const struct attachment *file, bool plain)
{
	for (size_t i = 0; file->mime && !plain && i < ARRAY_LEN(ways); i++)
		if (strcmp(ways[i].mime, file->mime) == 0 && file->size <= ways[i].max)
			return &ways[i].upload;
	return &document;
}
