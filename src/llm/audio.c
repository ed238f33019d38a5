#include "llm/audio.h"

#include <string.h>

#include "base/buf.h"

/* Bytes per second: of low-bitrate speech when nothing else is known, and the maximum and minimum that a
 * recording may claim. */
#define GUESSED_RATE 1500
#define RATE_MAX     192000
#define RATE_MIN     100
/* RFC 7845: positions of Opus in Ogg count 48000 per second. RFC 3533: offset of a page's position, and
 * length of its head. */
#define OPUS_RATE    48000
#define OGG_POSITION 6
#define OGG_HEAD     27

static int64_t position_of(const unsigned char *page)
{
	uint64_t n = 0;

	for (int i = 7; i >= 0; i--)
		n = n << 8 | page[OGG_POSITION + i];
	return n > INT64_MAX ? -1 : (int64_t)n;
}

/* Computed from the position of the last page; -1 when it is not Opus in Ogg. */
static int64_t ogg_seconds(const struct buf *b)
{
	const unsigned char *data = (const unsigned char *)b->data;

	if (b->len < OGG_HEAD + 9 || memcmp(data, "OggS", 4) != 0 ||
	    !memmem(data, b->len < 64 ? b->len : 64, "OpusHead", 8))
		return -1;
	for (size_t at = b->len - OGG_HEAD; at > 0; at--)
		if (memcmp(data + at, "OggS", 4) == 0 && position_of(data + at) > 0)
			return position_of(data + at) / OPUS_RATE + 1;
	return -1;
}

int64_t llm_audio_seconds(const struct llm_audio *audio, bool *guessed)
{
	int64_t bytes = (int64_t)audio->bytes->len, seconds = ogg_seconds(audio->bytes);

	if (seconds < 0)
		seconds = audio->stated_seconds;
	*guessed = seconds < 0 || seconds < bytes / RATE_MAX || seconds > bytes / RATE_MIN + 1;
	if (*guessed)
		seconds = bytes / GUESSED_RATE + 1;
	return seconds > 0 ? seconds : 1;
}
