#include "chat/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"

#define PASTE_BEGIN "\033[200~"
#define PASTE_END   "\033[201~"
/* A paste without an end is accepted at this length. */
#define PASTE_MAX (1 << 20)

struct chat_input_handle {
	uv_poll_t poll;
	struct chat_input *in;
};

static void take_bytes(struct chat_input *in)
{
	char chunk[4096];
	ssize_t n = read(in->fd, chunk, sizeof(chunk));

	if (n > 0)
		buf_add(&in->bytes, chunk, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		in->ended = true;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct chat_input *in = ((struct chat_input_handle *)poll->data)->in;

	(void)events;
	if (status < 0)
		in->ended = true;
	else
		take_bytes(in);
	if (in->ended)
		uv_poll_stop(poll);
	if (in->reader)
		task_wake(in->reader);
}

int chat_input_open(struct chat_input *in, int fd)
{
	struct chat_input_handle *h = xcalloc(1, sizeof(*h));

	*in = (struct chat_input){.fd = fd};
	buf_init(&in->bytes);
	if (uv_poll_init(uv_default_loop(), &h->poll, fd) != 0) {
		free(h);
		return -1;
	}
	h->in = in;
	h->poll.data = h;
	in->handle = h;
	uv_poll_start(&h->poll, UV_READABLE, on_readable);
	return 0;
}

static void on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

void chat_input_close(struct chat_input *in)
{
	if (in->handle)
		uv_close((uv_handle_t *)&in->handle->poll, on_closed);
	in->handle = NULL;
	buf_clear(&in->bytes);
}

void chat_input_type(struct chat_input *in, const char *keys)
{
	buf_addstr(&in->bytes, keys);
	if (in->reader)
		task_wake(in->reader);
}

/* Terminals send \r as the newline of a paste. */
static void add_pasted(struct buf *out, const char *s, size_t len)
{
	struct buf clean = BUF_INIT;

	utf8_sanitize(&clean, s, len);
	for (size_t i = 0; i < clean.len; i++) {
		if (clean.data[i] != '\r')
			buf_addch(out, clean.data[i]);
		else if (i + 1 == clean.len || clean.data[i + 1] != '\n')
			buf_addch(out, '\n');
	}
	buf_clear(&clean);
}

static enum chat_key next_paste(struct chat_input *in, struct buf *text)
{
	char *end = memmem(in->bytes.data, in->bytes.len, PASTE_END, strlen(PASTE_END));
	size_t len = end ? (size_t)(end - in->bytes.data) : in->bytes.len;

	if (!end && !in->ended && len < PASTE_MAX)
		return CHAT_KEY_NONE;
	in->pasting = false;
	add_pasted(text, in->bytes.data, len);
	while (text->len > 0 && text->data[text->len - 1] == '\n')
		buf_truncate(text, text->len - 1);
	buf_consume(&in->bytes, end ? len + strlen(PASTE_END) : len);
	return CHAT_KEY_PASTE;
}

static enum chat_key next_character(struct chat_input *in, uint32_t *cp)
{
	size_t n = utf8_decode(in->bytes.data, in->bytes.len, cp);

	if (n == 0 && in->bytes.len < 4 && (in->bytes.data[0] & 0x80) && !in->ended)
		return CHAT_KEY_NONE;
	buf_consume(&in->bytes, n ? n : 1);
	if (n == 0)
		*cp = 0xfffd;
	return CHAT_KEY_CHARACTER;
}

enum chat_key chat_input_next(struct chat_input *in, uint32_t *cp, struct buf *text)
{
	size_t mark = strlen(PASTE_BEGIN);

	if (in->pasting)
		return next_paste(in, text);
	if (in->bytes.len == 0)
		return in->ended ? CHAT_KEY_END : CHAT_KEY_NONE;
	/* Alt-Enter */
	if (in->bytes.data[0] == '\033' && (in->bytes.data[1] == '\r' || in->bytes.data[1] == '\n')) {
		buf_consume(&in->bytes, 2);
		buf_addch(text, '\n');
		return CHAT_KEY_PASTE;
	}
	/* A lone Esc is Meta, which waits for the next key anyway. */
	if (strncmp(in->bytes.data, PASTE_BEGIN, in->bytes.len < mark ? in->bytes.len : mark) == 0 &&
	    !in->ended) {
		if (in->bytes.len < mark)
			return CHAT_KEY_NONE;
		buf_consume(&in->bytes, mark);
		in->pasting = true;
		return next_paste(in, text);
	}
	return next_character(in, cp);
}
