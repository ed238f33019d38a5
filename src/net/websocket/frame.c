#include "net/websocket/frame.h"

#include <string.h>

#include "base/time/clock.h"

#define FINAL     0x80
#define RESERVED  0x70
#define OPCODE    0x0f
#define CONTROL   0x08
#define MASKED    0x80
#define LENGTH    0x7f
#define LENGTH_16 126
#define LENGTH_64 127
#define MASK_LEN  4

static size_t head_size(const struct frame_reader *f)
{
	unsigned length = f->head_len > 1 ? f->head[1] & LENGTH : 0;

	return length == LENGTH_64 ? 10 : length == LENGTH_16 ? 4 : 2;
}

/* Returns false when it breaks the protocol. */
static bool take_head(struct frame_reader *f)
{
	unsigned opcode = f->head[0] & OPCODE, length = f->head[1] & LENGTH;
	bool control = opcode & CONTROL;

	f->opcode = (enum frame_opcode)opcode;
	f->final = f->head[0] & FINAL;
	f->left = length < LENGTH_16 ? length : 0;
	for (size_t i = 2; i < f->head_len; i++)
		f->left = f->left << 8 | f->head[i];
	f->head_len = 0;
	f->in_payload = f->fresh = true;
	f->control_len = 0;
	if ((f->head[0] & RESERVED) || (f->head[1] & MASKED))
		return false;
	if (control)
		return f->final && length <= FRAME_CONTROL_MAX && opcode <= FRAME_PONG;
	if (opcode > FRAME_BINARY || f->continues != (opcode == FRAME_CONTINUATION))
		return false;
	if (opcode != FRAME_CONTINUATION)
		f->binary = opcode == FRAME_BINARY;
	f->continues = !f->final;
	return true;
}

/* Returns true when the head is whole. */
static bool read_head(struct frame_reader *f, const unsigned char **at, const unsigned char *end)
{
	while (*at < end && f->head_len < head_size(f))
		f->head[f->head_len++] = *(*at)++;
	return f->head_len == head_size(f);
}

enum frame_event frame_read(struct frame_reader *f, const unsigned char **at, const unsigned char *end)
{
	size_t len;

	if (f->bad)
		*at = end;
	if (f->bad || (!f->in_payload && !read_head(f, at, end)))
		return FRAME_MORE;
	if (!f->in_payload && !take_head(f)) {
		f->bad = true;
		return FRAME_BAD;
	}
	len = f->left < (uint64_t)(end - *at) ? (size_t)f->left : (size_t)(end - *at);
	if (len == 0 && f->left > 0 && !f->fresh)
		return FRAME_MORE;
	f->piece = *at;
	f->piece_len = len;
	*at += len;
	f->left -= len;
	f->fresh = false;
	f->in_payload = f->left > 0;
	if (!(f->opcode & CONTROL))
		return FRAME_PIECE;
	memcpy(f->control + f->control_len, f->piece, len);
	f->control_len += len;
	return f->in_payload ? FRAME_MORE : FRAME_CONTROL;
}

size_t frame_write(unsigned char *payload, size_t len, enum frame_opcode opcode)
{
	unsigned length = len < LENGTH_16 ? (unsigned)len : len <= UINT16_MAX ? LENGTH_16 : LENGTH_64;
	size_t bytes = length == LENGTH_64 ? 8 : length == LENGTH_16 ? 2 : 0, size = 2 + bytes + MASK_LEN;
	unsigned char *head = payload - size, *mask = payload - MASK_LEN;

	head[0] = (unsigned char)(FINAL | opcode);
	head[1] = (unsigned char)(MASKED | length);
	for (size_t i = 0; i < bytes; i++)
		head[2 + i] = (unsigned char)((uint64_t)len >> 8 * (bytes - 1 - i));
	clock_random(mask, MASK_LEN);
	for (size_t i = 0; i < len; i++)
		payload[i] ^= mask[i % MASK_LEN];
	return size;
}
