/* base/secret: a secret that stands in a text, however it is spelled, does not come out; a text without one
 * is not touched. */
#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "fuzz/fuzz.h"

/* Characters that encoders escape, and a token that is known by its shape alone. */
#define SECRET "k/7+\"\\ ~\xc3\xa9z"
#define TOKEN  "1234567:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX"

static void add_plain(struct buf *text, struct fuzz_input *in)
{
	size_t len = fuzz_below(in, 16);

	for (size_t i = 0; i < len && in->at < in->end; i++)
		buf_addch(text, *in->at++);
}

static void add_secret(struct buf *text, struct fuzz_input *in)
{
	(void)in;
	buf_addstr(text, SECRET);
}

static void add_token(struct buf *text, struct fuzz_input *in)
{
	(void)in;
	buf_addstr(text, TOKEN);
}

/* What a URL must escape, and whatever else the encoder likes to. */
static void add_url(struct buf *text, struct fuzz_input *in)
{
	for (const char *c = SECRET; *c != '\0'; c++) {
		bool plain = strchr("kz7~", *c) || (*c == '/' && fuzz_below(in, 2) == 1);

		if (plain)
			buf_addch(text, *c);
		else if (*c == ' ' && fuzz_below(in, 2) == 1)
			buf_addch(text, '+');
		else
			buf_addf(text, fuzz_below(in, 2) == 1 ? "%%%02X" : "%%%02x", (unsigned char)*c);
	}
}

static void add_json(struct buf *text, struct fuzz_input *in)
{
	for (const char *c = SECRET; *c != '\0'; c++) {
		if (*c == '"' || *c == '\\' || (*c == '/' && fuzz_below(in, 2) == 1))
			buf_addf(text, "\\%c", *c);
		else if (*c == '+' && fuzz_below(in, 2) == 1)
			buf_addstr(text, "\\u002B");
		else if (*c == '\xc3' && fuzz_below(in, 2) == 1)
			buf_addstr(text, *++c == '\xa9' ? "\\u00e9" : "");
		else
			buf_addch(text, *c);
	}
}

/* The secret within something that was encoded as a whole. */
static void add_base64(struct buf *text, struct fuzz_input *in)
{
	struct buf whole = BUF_INIT;

	add_plain(&whole, in);
	buf_addstr(&whole, SECRET);
	add_plain(&whole, in);
	base64_encode(text, whole.data, whole.len);
	buf_clear(&whole);
}

static void (*const pieces[])(struct buf *text, struct fuzz_input *in) = {
    add_plain,
    add_secret,
    add_token,
    add_url,
    add_json,
    add_base64,
};

void fuzz_secret(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf text = BUF_INIT, out = BUF_INIT;
	bool hidden = false;

	secret_register(SECRET);
	while (in.at < in.end && text.len < 4096) {
		size_t piece = fuzz_below(&in, ARRAY_LEN(pieces));

		/* A word of its own: beside digits or letters it could be the middle of another token. */
		if (pieces[piece] == add_token)
			buf_addch(&text, ' ');
		hidden |= pieces[piece] != add_plain;
		pieces[piece](&text, &in);
	}
	secret_redact(&out, text.data, text.len);
	HOLDS(!hidden || secret_in(text.data, text.len));
	HOLDS(secret_in(text.data, text.len) ||
	    (out.len == text.len && memcmp(out.data, text.data, out.len) == 0));
	HOLDS(!secret_in(out.data, out.len));
	HOLDS(!memmem(out.data, out.len, SECRET, strlen(SECRET)));
	HOLDS(!memmem(out.data, out.len, TOKEN, strlen(TOKEN)));
	buf_clear(&text);
	buf_clear(&out);
}

FUZZ_PROGRAM(fuzz_secret)
