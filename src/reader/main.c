/* myna-reader html|text CHARSET URL: what comes on standard input, as readable text in UTF-8. CHARSET is what the server
 * says, or "". Started for each page by web_fetch, so that what a stranger wrote is not parsed in the daemon. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "reader/charset.h"
#include "reader/confine.h"
#include "reader/reader.h"

#define INPUT_MOST  (16UL * 1024 * 1024)
#define OUTPUT_MOST (1024UL * 1024)
#define CPU_S 5
#define MEMORY_BYTES (1024UL * 1024 * 1024)

static int read_all(struct buf *in)
{
	char chunk[64 * 1024];
	ssize_t n;

	while ((n = read(STDIN_FILENO, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			buf_add(in, chunk, (size_t)n);
		if (in->len > INPUT_MOST)
			return -1;
	}
	return 0;
}

static int write_all(const struct buf *out)
{
	for (size_t at = 0; at < out->len;) {
		ssize_t n = write(STDOUT_FILENO, out->data + at, out->len - at);
		if (n < 0 && errno != EINTR)
			return -1;
		at += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct buf in = BUF_INIT, text = BUF_INIT, page = BUF_INIT;

	if (argc != 4 || (strcmp(argv[1], "html") != 0 && strcmp(argv[1], "text") != 0)) {
		fputs("usage: myna-reader html|text CHARSET URL <PAGE\n", stderr);
		return 2;
	}
	if (read_all(&in) < 0)
		return 3;
	struct charset *charset = charset_open(in.data, in.len, argv[2]);
	if (confine(CPU_S, MEMORY_BYTES) < 0) {
		perror("myna-reader: this process cannot be confined");
		return 4;
	}
	charset_convert(charset, &text, in.data, in.len);
	if (strcmp(argv[1], "html") == 0)
		reader_read(&page, text.data, text.len, &(struct reader_options){.url = argv[3], .most = OUTPUT_MOST});
	/* Without what runs at an ordinary end, which is not allowed any more. */
	_exit(write_all(strcmp(argv[1], "html") == 0 ? &page : &text) < 0 ? 5 : 0);
}
