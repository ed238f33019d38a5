/* reader: the text of any page is valid UTF-8 without controls and not longer than it may be. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "helpers/reader/charset.h"
#include "helpers/reader/html.h"

#define TEXT_MAX 4096
/* What is said of a page that is nested too deep. */
#define NOTE_MAX 100

void fuzz_reader(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf text = BUF_INIT, page = BUF_INIT;
	size_t len;
	char *said = fuzz_until(&in, '\n', &len), *body = fuzz_rest(&in, &len);
	struct charset *charset = charset_open(body, len, said);

	charset_convert(charset, &text, body, len);
	HOLDS(utf8_valid(text.data, text.len));
	HOLDS(strlen(text.data) == text.len);
	html_to_markdown(&page, text.data, text.len,
	    &(struct html_options){.url = "https://example.com/a/b?c", .max = TEXT_MAX});
	HOLDS(page.len <= TEXT_MAX + NOTE_MAX);
	HOLDS(utf8_valid(page.data, page.len));
	for (size_t i = 0; i < page.len; i++)
		HOLDS((unsigned char)page.data[i] >= ' ' || strchr("\n\t\r", page.data[i]));
	charset_close(charset);
	buf_clear(&text);
	buf_clear(&page);
	free(said);
	free(body);
}

FUZZ_PROGRAM(fuzz_reader)
