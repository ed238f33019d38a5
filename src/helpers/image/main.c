/* myna-image EDGE BYTES PIXELS: converts the image on standard input (JPEG, PNG, WebP, or the first frame of
 * a GIF) for a model: its longer side at most EDGE pixels, upright, without metadata, as JPEG or PNG of at
 * most BYTES. The first line of the output is "MIME WIDTH HEIGHT WIDTH HEIGHT", the latter two being the
 * original size; then the bytes follow. Images of more than PIXELS are refused before they are decoded. The
 * daemon starts it for each image, so that it never decodes a stranger's image itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "helpers/image/picture.h"
#include "helpers/reader/confine.h"
#include "base/io_full.h"

#define INPUT_MAX    (256UL * 1024 * 1024)
#define CPU_S        10
#define MEMORY_BYTES (1536UL * 1024 * 1024)

static int convert(
    const struct buf *in, const struct picture_limits *limits, struct buf *out, struct error *err)
{
	struct buf image = BUF_INIT;
	struct picture p;
	const char *mime;

	if (picture_read(&p, in, limits, err) < 0)
		return -1;
	picture_shrink(&p, limits->edge);
	picture_turn(&p);
	if (picture_write(&p, limits, &image, &mime, err) < 0)
		return -1;
	buf_addf(out, "%s %u %u %u %u\n", mime, p.width, p.height, p.full_width, p.full_height);
	buf_add(out, image.data, image.len);
	return 0;
}

/* Parses a number; 0 when it is invalid. */
static unsigned long number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	return *end == '\0' && *text >= '0' && *text <= '9' ? n : 0;
}

int main(int argc, char **argv)
{
	struct buf in = BUF_INIT, out = BUF_INIT;
	struct error err = {0};
	struct picture_limits limits = {0};

	if (argc == 4)
		limits = (struct picture_limits){
		    .edge = (uint32_t)number(argv[1]), .bytes = number(argv[2]), .pixels = number(argv[3])};
	if (limits.edge == 0 || limits.bytes == 0 || limits.pixels == 0) {
		fputs("usage: myna-image EDGE BYTES PIXELS <IMAGE\n", stderr);
		return 2;
	}
	if (io_read_full(STDIN_FILENO, &in, INPUT_MAX) < 0)
		return 3;
	if (confine(CPU_S, MEMORY_BYTES) < 0) {
		perror("myna-image: this process cannot be confined");
		return 4;
	}
	/* _exit skips the exit handlers, which seccomp no longer allows. */
	if (convert(&in, &limits, &out, &err) < 0) {
		io_write_full(STDERR_FILENO, err.text, strlen(err.text));
		_exit(1);
	}
	_exit(io_write_full(STDOUT_FILENO, out.data, out.len) < 0 ? 5 : 0);
}
