#ifndef CHANNELS_SHARED_PREVIEW_H
#define CHANNELS_SHARED_PREVIEW_H
/* Helpers for adapters that show a live preview by editing a message. */
#include <stddef.h>
#include <stdint.h>

#include "base/text/utf8.h"

struct preview;

/* Ends the text of an unfinished preview. */
#define PREVIEW_MARK " …"
/* After this many failed frames in a row the preview stops. */
#define PREVIEW_FAILURES_MAX 3

/* Records that len bytes of the text were shown: those of the call, which may be fewer than there are now. */
void preview_frame_shown(struct preview *p, size_t len);
/* Records a frame that failed temporarily. Returns what channel_ops.preview returns: every_ms or -1. */
int preview_frame_failed(struct preview *p, int every_ms);
/* The platform asked for a pause of ms. Returns what channel_ops.preview returns. */
int preview_frame_paused(uint64_t ms);
/* Returns the ms until after_ms of the turn have passed, 0 if they have. */
int preview_too_early(const struct preview *p, uint64_t after_ms);
/* Returns the start of the text, at most that many units. The caller frees it. */
char *preview_beginning(const struct preview *p, size_t units, enum utf8_unit unit);

#endif
