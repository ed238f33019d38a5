/* The text of pages, against what was read and found right; and pages that are made to hurt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "helpers/reader/charset.h"
#include "helpers/reader/confine.h"
#include "helpers/reader/html.h"

#define URL "https://docs.rs/tokio/latest/"

static void read_file(struct buf *out, const char *name, const char *ending)
{
	char *path = xasprintf("%s/%s%s", SOURCE_DIR "/tests/helpers/reader/pages", name, ending),
	     chunk[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		fail_msg("%s is missing", path);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(out, chunk, (size_t)n);
	close(fd);
	free(path);
}

static void read_page(struct buf *out, const char *html, size_t len, size_t most)
{
	html_to_markdown(out, html, len, &(struct html_options){.url = URL, .max = most});
}

static char *text_of(const char *html)
{
	struct buf out = BUF_INIT;

	read_page(&out, html, strlen(html), 65536);
	return buf_take(&out);
}

static void assert_text(const char *html, const char *want)
{
	char *text = text_of(html);

	assert_string_equal(text, want);
	free(text);
}

/* Each page has its text beside it. */
static void pages_read_as_they_should(void **state)
{
	DIR *dir = opendir(SOURCE_DIR "/tests/helpers/reader/pages");
	size_t pages = 0;

	(void)state;
	assert_non_null(dir);
	for (struct dirent *d; (d = readdir(dir));) {
		struct buf html = BUF_INIT, want = BUF_INIT, text = BUF_INIT;
		char *dot = strstr(d->d_name, ".html");
		if (!dot)
			continue;
		*dot = '\0';
		read_file(&html, d->d_name, ".html");
		read_file(&want, d->d_name, ".md");
		read_page(&text, html.data, html.len, 65536);
		buf_addch(&text, '\n');
		if (strcmp(text.data, want.data) != 0)
			fail_msg("%s reads:\n%s", d->d_name, text.data);
		buf_clear(&html);
		buf_clear(&want);
		buf_clear(&text);
		pages++;
	}
	closedir(dir);
	assert_true(pages >= 8);
}

static void small_things_are_right(void **state)
{
	(void)state;
	assert_text("", "");
	assert_text("plain", "plain");
	assert_text("<title>T</title>x", "# T\n\nx");
	assert_text("<title>The page - Site</title><h1>The page</h1>x", "# The page\n\nx");
	assert_text("<h1></h1><p></p><ul><li></li></ul>x", "x");
	assert_text("<ul><li><ul><li>a</ul></ul>", "- - a");
	assert_text("<ul><li></li><li>a</ul>", "- a");
	assert_text("<ol start=9><li>a<li>b</ol>", "9. a\n10. b");
	assert_text("<pre></pre>x<pre>\n\na\n</pre>", "x\n\n```\n\na\n```");
	assert_text("<blockquote><pre>a\n\nb</pre></blockquote>", "> ```\n> a\n>\n> b\n> ```");
	assert_text("<h2><a href=/x>t</a></h2>", "## [t](https://docs.rs/x)");
	assert_text("a<br>b<br><br>c", "a\nb\nc");
	assert_text("a&nbsp;&nbsp; b<p>&nbsp;</p>c&nbsp;", "a b\n\nc");
	assert_text("<table><tr><th>a<th>b<tr><td><ul><li>x</ul><td>y</table>", "a\nb\n\n- x\n\ny");
}

static void the_text_is_cut_at_its_limit(void **state)
{
	struct buf html = BUF_INIT, out = BUF_INIT;

	(void)state;
	for (int i = 0; i < 10000; i++)
		buf_addstr(&html, "<p>\xc3\xa4\xc3\xb6\xc3\xbc <a href=x>y</a>");
	read_page(&out, html.data, html.len, 1000);
	assert_in_range(out.len, 990, 1000);
	assert_true(utf8_valid(out.data, out.len));
	buf_clear(&html);
	buf_clear(&out);
}

/* A piece, so often that it makes bytes. */
static const struct {
	const char *piece;
	size_t bytes;
} heavy[] = {
    {"<", 1 << 20},
    {"<b>", 1 << 18},
    {"</x>", 1 << 17},
    {"<div>", 1 << 18},
    {"<table><tr><td>", 1 << 17},
    {"<ul><li>", 1 << 17},
    {"&amp;", 1 << 18},
    {"&", 1 << 17},
    {"<pre>", 1 << 17},
    {"<a href=x>", 1 << 17},
    {"<!--", 1 << 18},
    {"<p>x", 1 << 16},
    {"<blockquote>x", 1 << 17},
    {"<a ", 1 << 16},
    {"]]>", 1 << 17},
    {"<![CDATA[", 1 << 17},
    {"<?xml ", 1 << 17},
    {"<script>", 1 << 17},
    {"<title>", 1 << 17},
    {"<select><option>x", 1 << 16},
    {"<form><p><table><td>", 1 << 17},
    {"<!DOCTYPE x [<!ENTITY a \"&a;&a;\">]>&a;", 1 << 16},
    {"|", 1 << 16},
    {"`", 1 << 16},
    {"\n", 1 << 18},
    {"<h1><a href=x><code>", 1 << 16},
    {"<table><tr><td>a<td>b", 1 << 16},
    {"<svg><title>", 1 << 17},
    {"<base href=http://x>", 1 << 16},
};

static void pages_that_are_made_to_hurt_are_read_in_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(heavy); i++) {
		struct buf html = BUF_INIT, out = BUF_INIT;
		clock_t begun = clock();
		while (html.len < heavy[i].bytes)
			buf_addstr(&html, heavy[i].piece);
		read_page(&out, html.data, html.len, 65536);
		assert_true(utf8_valid(out.data, out.len));
		assert_true(out.len < 66000);
		/* Of the processor: under sanitizers some take a second. */
		if (clock() - begun > 20 * CLOCKS_PER_SEC)
			fail_msg("%s took %ld s", heavy[i].piece, (long)(clock() - begun) / CLOCKS_PER_SEC);
		buf_clear(&html);
		buf_clear(&out);
	}
}

static void what_is_nested_too_deep_is_said_to_be_left_out(void **state)
{
	struct buf html = BUF_INIT, out = BUF_INIT;

	(void)state;
	buf_addstr(&html, "<p>before");
	while (html.len < 100000)
		buf_addstr(&html, "<div>");
	buf_addstr(&html, "inside");
	read_page(&out, html.data, html.len, 65536);
	assert_string_equal(out.data, "before\n\n[The rest of the page is nested too deep to be read.]");
	buf_clear(&html);
	buf_clear(&out);
}

static void texts_become_utf8_by_what_they_are_said_to_be(void **state)
{
	static const struct {
		const char *data;
		size_t len;
		const char *said, *name, *want;
	} rows[] = {
	    {"caf\xc3\xa9", 5, "", "utf-8", "caf\xc3\xa9"},
	    {"caf\xe9", 4, "", "WINDOWS-1252", "caf\xc3\xa9"},
	    {"caf\xe9", 4, "iso-8859-1", "WINDOWS-1252", "caf\xc3\xa9"},
	    {"\x80", 1, "ISO-8859-1", "WINDOWS-1252", "\xe2\x82\xac"},
	    {"\xef\xbb\xbf"
	     "a\xc3\xa9",
		6, "iso-8859-1", "UTF-8", "a\xc3\xa9"},
	    {"\xff\xfe"
	     "a\0b\0",
		6, "utf-8", "UTF-16LE", "ab"},
	    {"\xfe\xff\0a", 4, "", "UTF-16BE", "a"},
	    {"\x93\xfa\x96\x7b", 4, "Shift_JIS", "CP932", "\xe6\x97\xa5\xe6\x9c\xac"},
	    {"<meta charset=gbk>\xc4\xe3", 20, "", "GB18030", "<meta charset=gbk>\xe4\xbd\xa0"},
	    {"<meta charset='utf-16'>a", 24, "", "UTF-8", "<meta charset='utf-16'>a"},
	    {"<?xml version='1.0' encoding=\"iso-8859-2\"?>\xb1", 44, "", "iso-8859-2",
		"<?xml version='1.0' encoding=\"iso-8859-2\"?>\xc4\x85"},
	    {"a\xff"
	     "b",
		3, "utf-8", "utf-8",
		"a\xef\xbf\xbd"
		"b"},
	    {"+ADw-", 5, "utf-7", "WINDOWS-1252", "+ADw-"},
	    {"plain", 5, "UTF-8//IGNORE", "utf-8", "plain"},
	    {"plain", 5, "../../tmp/x", "utf-8", "plain"},
	    {"plain", 5, "no-such-charset", "no-such-charset", "plain"},
	    {"a\0b\x01", 4, "utf-8", "utf-8", "ab"},
	    {"\xe9", 1, "no-such-charset", "WINDOWS-1252", "\xc3\xa9"},
	    {"", 0, "", "utf-8", ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct charset *c = charset_open(rows[i].data, rows[i].len, rows[i].said);
		struct buf out = BUF_INIT;
		charset_convert(c, &out, rows[i].data, rows[i].len);
		if (strcmp(charset_name(c), rows[i].name) != 0 || strcmp(out.data, rows[i].want) != 0)
			fail_msg("row %zu: %s \"%s\"", i, charset_name(c), out.data);
		charset_close(c);
		buf_clear(&out);
	}
}

static void open_a_file(void)
{
	open("/etc/hostname", O_RDONLY);
}

static void make_a_socket(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}

static void make_a_process(void)
{
	fork();
}

static void run_a_program(void)
{
	execl("/bin/true", "true", (char *)NULL);
}

static void end_another(void)
{
	kill(getppid(), 0);
}

static void write_a_word(void)
{
	if (write(STDERR_FILENO, "", 0) == 0)
		_exit(7);
}

static int confined(void (*act)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (confine(5, 1UL << 30) < 0)
			_exit(9);
		act();
		_exit(8);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void a_confined_process_can_do_nothing_but_read_and_write(void **state)
{
	static void (*const acts[])(void) = {
	    open_a_file, make_a_socket, make_a_process, run_a_program, end_another};
	int fine = confined(write_a_word);

	(void)state;
	assert_true(WIFEXITED(fine));
	assert_int_equal(WEXITSTATUS(fine), 7);
	for (size_t i = 0; i < ARRAY_LEN(acts); i++) {
		int status = confined(acts[i]);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
			fail_msg("act %zu: status %x", i, status);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pages_read_as_they_should),
	    cmocka_unit_test(small_things_are_right),
	    cmocka_unit_test(the_text_is_cut_at_its_limit),
	    cmocka_unit_test(pages_that_are_made_to_hurt_are_read_in_time),
	    cmocka_unit_test(what_is_nested_too_deep_is_said_to_be_left_out),
	    cmocka_unit_test(texts_become_utf8_by_what_they_are_said_to_be),
	    cmocka_unit_test(a_confined_process_can_do_nothing_but_read_and_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
