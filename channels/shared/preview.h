#ifndef CHANNELS_SHARED_PREVIEW_H
#define CHANNELS_SHARED_PREVIEW_H
/* What adapters have in common that show an answer while it is written in a message that they edit. */
#include <stddef.h>
#include <stdint.h>

#include "base/text/utf8.h"

struct preview;

/* Stands at the end of what is not finished. */
#define PREVIEW_MARK " …"
/* Frames that fail in a row before the answer is shown no more. */
#define PREVIEW_FAILURES_MAX 3

/* The text so far was shown. */
void preview_frame_shown(struct preview *p);
/* A frame failed for no lasting reason: what channel_ops.preview returns, every_ms or -1. */
int preview_frame_failed(struct preview *p, int every_ms);
/* The platform asks for a pause: what channel_ops.preview returns. */
int preview_frame_paused(uint64_t ms);
/* ms until a message may be shown that is not to be sent sooner than after_ms into the turn; 0: now. */
int preview_too_early(const struct preview *p, uint64_t after_ms);
/* The beginning of the text, at most so many units, to be freed. */
char *preview_beginning(const struct preview *p, size_t units, enum utf8_unit unit);

#endif
