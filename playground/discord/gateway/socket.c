#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* it takes what it compresses as const */
#include <zlib.h>

#include "playground/discord/gateway/gateway.h"
#include "playground/server/websocket.h"

static const struct {
	unsigned code;
	bool resumable;
	const char *words;
} closes[] = {
    {CORD_CLOSE_UNKNOWN, true, "Unknown error."},
    {CORD_CLOSE_UNKNOWN_OP, true, "Unknown opcode."},
    {CORD_CLOSE_DECODE, true, "Error while decoding payload."},
    {CORD_CLOSE_NOT_AUTHENTICATED, true, "Not authenticated."},
    {CORD_CLOSE_AUTHENTICATION_FAILED, false, "Authentication failed."},
    {CORD_CLOSE_ALREADY_AUTHENTICATED, true, "Already authenticated."},
    {CORD_CLOSE_INVALID_SEQ, false, "Invalid seq."},
    {CORD_CLOSE_RATE_LIMITED, true, "Rate limited."},
    {CORD_CLOSE_TIMED_OUT, false, "Session timed out."},
    {CORD_CLOSE_INVALID_SHARD, false, "Invalid shard."},
    {CORD_CLOSE_SHARDING_REQUIRED, false, "Sharding required."},
    {CORD_CLOSE_INVALID_VERSION, false, "Invalid API version."},
    {CORD_CLOSE_INVALID_INTENTS, false, "Invalid intent(s)."},
    {CORD_CLOSE_DISALLOWED_INTENTS, false, "Disallowed intent(s)."},
};

void cord_socket_compress(struct cord_socket *s)
{
	s->deflate = xcalloc(1, sizeof(*s->deflate));
	if (deflateInit(s->deflate, Z_DEFAULT_COMPRESSION) != Z_OK)
		mem_exhausted(sizeof(*s->deflate));
}

void cord_socket_clear(struct cord_socket *s)
{
	if (s->deflate)
		deflateEnd(s->deflate);
	free(s->deflate);
	s->deflate = NULL;
}

/* Discord: events/gateway, Transport Compression: each payload ends with an empty block (00 00 FF FF). */
static void post_compressed(struct cord_socket *s, const char *text, size_t len)
{
	struct buf out = BUF_INIT;
	z_stream *z = s->deflate;
	char piece[4096];

	z->next_in = (const unsigned char *)text;
	z->avail_in = (unsigned)len;
	do {
		z->next_out = (unsigned char *)piece;
		z->avail_out = sizeof(piece);
		deflate(z, Z_SYNC_FLUSH);
		buf_add(&out, piece, sizeof(piece) - z->avail_out);
	} while (z->avail_out == 0);
	websocket_peer_post_binary(s->peer, out.data, out.len, NULL);
	buf_clear(&out);
}

void cord_socket_post(struct cord_socket *s, const char *text, size_t len)
{
	size_t frames = (size_t)s->world->settings.fragments;

	if (s->closing) /* wakes its reader when it is closed */
		return;
	if (s->deflate)
		post_compressed(s, text, len);
	else
		websocket_peer_post_fragments(s->peer, text, len, frames, NULL);
}

void cord_socket_op(struct cord_socket *s, enum cord_op op, const char *d)
{
	char text[160];

	snprintf(text, sizeof(text), "{\"t\":null,\"s\":null,\"op\":%d,\"d\":%s}", (int)op, d);
	cord_socket_post(s, text, strlen(text));
}

void cord_socket_end(struct cord_socket *s, unsigned code, bool resumable)
{
	const char *words = "";

	for (size_t i = 0; i < ARRAY_LEN(closes); i++)
		if (closes[i].code == code)
			words = closes[i].words;
	if (!resumable)
		cord_session_free(s->session);
	s->closing = true;
	websocket_peer_shut(s->peer, code, words);
}

void cord_socket_close(struct cord_socket *s, unsigned code)
{
	bool resumable = true;

	for (size_t i = 0; i < ARRAY_LEN(closes); i++)
		if (closes[i].code == code)
			resumable = closes[i].resumable;
	cord_socket_end(s, code, resumable);
}

void cord_sockets_abort(void *self)
{
	struct cord_world *w = self;

	list_each(&w->sockets, it, tmp) {
		struct cord_socket *s = list_entry(it, struct cord_socket, link);

		s->closing = true;
		websocket_peer_abort(s->peer);
	}
}
