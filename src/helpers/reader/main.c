/* myna-reader html|text CHARSET URL: converts standard input to readable text in UTF-8. CHARSET is what the
 * server declares, or "". web_fetch starts it for each page, so that the daemon never parses a stranger's
 * page itself. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "helpers/reader/charset.h"
#include "helpers/reader/confine.h"
#include "helpers/reader/html.h"
#include "base/io_full.h"

#define INPUT_MAX    (16UL * 1024 * 1024)
#define OUTPUT_MAX   (1024UL * 1024)
#define CPU_S        5
#define MEMORY_BYTES (1024UL * 1024 * 1024)

int main(int argc, char **argv)
{
	struct buf in = BUF_INIT, text = BUF_INIT, page = BUF_INIT;

	if (argc != 4 || (strcmp(argv[1], "html") != 0 && strcmp(argv[1], "text") != 0)) {
		fputs("usage: myna-reader html|text CHARSET URL <PAGE\n", stderr);
		return 2;
	}
	if (io_read_full(STDIN_FILENO, &in, INPUT_MAX) < 0)
		return 3;
	struct charset *charset = charset_open(in.data, in.len, argv[2]);
	if (confine(CPU_S, MEMORY_BYTES) < 0) {
		perror("myna-reader: this process cannot be confined");
		return 4;
	}
	charset_convert(charset, &text, in.data, in.len);
	if (strcmp(argv[1], "html") == 0)
		html_to_markdown(
		    &page, text.data, text.len, &(struct html_options){.url = argv[3], .max = OUTPUT_MAX});
	else
		page = text;
	/* _exit skips the exit handlers, which seccomp no longer allows. */
	_exit(io_write_full(STDOUT_FILENO, page.data, page.len) < 0 ? 5 : 0);
}
