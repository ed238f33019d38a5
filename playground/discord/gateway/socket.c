#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* it takes what it compresses as const */
#include <zlib.h>
#include <zstd.h>

#include "playground/discord/gateway/etf.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/server/websocket.h"

#define WINDOW_LOG 17 /* of a zstd stream: a connection takes less than 1 MiB */
/* Discord: events/gateway, Payload Compression: "not all" are compressed. Undocumented: which; a choice. */
#define COMPRESSED_MIN 1024

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

bool cord_socket_compress(struct cord_socket *s, const char *method)
{
	if (strcmp(method, "zlib-stream") == 0) {
		s->deflate = xcalloc(1, sizeof(*s->deflate));
		if (deflateInit(s->deflate, Z_DEFAULT_COMPRESSION) != Z_OK)
			mem_exhausted(sizeof(*s->deflate));
	} else if (strcmp(method, "zstd-stream") == 0) {
		s->zstd = ZSTD_createCCtx();
		if (!s->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_windowLog, WINDOW_LOG)))
			mem_exhausted(1 << WINDOW_LOG);
	}
	return s->deflate || s->zstd;
}

void cord_socket_clear(struct cord_socket *s)
{
	if (s->deflate)
		deflateEnd(s->deflate);
	free(s->deflate);
	s->deflate = NULL;
	ZSTD_freeCCtx(s->zstd);
	s->zstd = NULL;
}

/* Each payload ends with an empty block (00 00 FF FF). */
static void add_deflated(struct buf *out, z_stream *z, const char *data, size_t len)
{
	char piece[4096];

	z->next_in = (const unsigned char *)data;
	z->avail_in = (unsigned)len;
	do {
		z->next_out = (unsigned char *)piece;
		z->avail_out = sizeof(piece);
		deflate(z, Z_SYNC_FLUSH);
		buf_add(out, piece, sizeof(piece) - z->avail_out);
	} while (z->avail_out == 0);
}

/* Each payload is complete, and the frame goes on. */
static void add_zstd(struct buf *out, ZSTD_CCtx *zstd, const char *data, size_t len)
{
	ZSTD_inBuffer in = {data, len, 0};
	char piece[4096];
	size_t left;

	do {
		ZSTD_outBuffer o = {piece, sizeof(piece), 0};

		left = ZSTD_compressStream2(zstd, &o, &in, ZSTD_e_flush);
		buf_add(out, piece, o.pos);
	} while (left > 0 && !ZSTD_isError(left));
}

/* A zlib stream of its own. */
static void add_compressed(struct buf *out, const char *data, size_t len)
{
	uLongf size = compressBound(len);

	buf_reserve(out, size);
	if (compress((unsigned char *)out->data, &size, (const unsigned char *)data, len) != Z_OK)
		mem_exhausted(size);
	out->len = size;
}

/* Discord: events/gateway, Encoding and Compression. */
void cord_socket_post(struct cord_socket *s, const char *text, size_t len)
{
	struct buf term = BUF_INIT, packed = BUF_INIT;
	struct json_object *o;

	if (s->closing) /* wakes its reader when it is closed */
		return;
	if (s->etf) {
		o = json_parse(text, len, NULL);
		etf_write(&term, o);
		json_object_put(o);
		text = term.data;
		len = term.len;
	}
	if (s->deflate)
		add_deflated(&packed, s->deflate, text, len);
	else if (s->zstd)
		add_zstd(&packed, s->zstd, text, len);
	else if (s->session && s->session->compress && !s->etf && len >= COMPRESSED_MIN)
		add_compressed(&packed, text, len);
	if (packed.len > 0)
		websocket_peer_post_binary(s->peer, packed.data, packed.len, NULL);
	else if (s->etf)
		websocket_peer_post_binary(s->peer, text, len, NULL);
	else
		websocket_peer_post_fragments(s->peer, text, len, (size_t)s->world->settings.fragments, NULL);
	buf_clear(&term);
	buf_clear(&packed);
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

	list_each_entry(&w->sockets, struct cord_socket, s, link) {
		s->closing = true;
		websocket_peer_abort(s->peer);
	}
}
