/*
 * The renderer against texts as models write them: tests/channels/render/NAME.md, and in NAME.html what a
 * person wants to see. `test_render --update` writes the .html anew: read what has changed before it
 * is committed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "channels/shared/blank.h"
#include "channels/telegram/render.h"
#include "channels/telegram/split.h"
#include "playground/telegram/text/formatted.h"

#define BETWEEN "\n<!-- the next message -->\n"

static bool updating;

static char *read_file(const char *path)
{
	struct buf out = BUF_INIT;
	char bytes[4096];
	FILE *in = fopen(path, "r");
	size_t n;

	if (!in)
		return NULL;
	while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		buf_add(&out, bytes, n);
	fclose(in);
	return buf_take(&out);
}

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

/* Telegram's own rules: it takes the HTML, and counts what we count. */
static void check_accepted(const struct telegram_rendering *r, const char *name)
{
	struct formatted f = FORMATTED_INIT;
	struct error err = {0};
	size_t html, plain = utf8_count(r->plain, strlen(r->plain), UTF8_UTF16);

	if (html_parse(r->html, strlen(r->html), &f, &err) != 0)
		fail_msg("%s: %s in\n%s", name, err.text, r->html);
	html = formatted_units(&f);
	assert_int_equal(r->units, html > plain ? html : plain);
	assert_true(r->units <= TELEGRAM_TEXT_UNITS - strlen(TELEGRAM_REPEAT_MARK));
	formatted_finish(&f);
	for (size_t i = 0; i < f.count; i++) {
		if (f.entities[i].type == ENTITY_MENTION || f.entities[i].type == ENTITY_TEXT_MENTION)
			fail_msg("%s: somebody is mentioned in\n%s", name, r->html);
	}
	formatted_clear(&f);
}

static char *render_parts(const char *markdown, const char *name)
{
	char **parts = telegram_split(markdown);
	struct buf out = BUF_INIT;
	struct telegram_rendering r;

	for (size_t i = 0; parts[i]; i++) {
		telegram_render(&r, parts[i]);
		check_accepted(&r, name);
		if (i > 0)
			buf_addstr(&out, BETWEEN);
		buf_addf(&out, "%s\n", r.html);
		telegram_rendering_clear(&r);
		free(parts[i]);
	}
	free(parts);
	return buf_take(&out);
}

static bool check_golden(const char *name)
{
	char *from = xasprintf("%s/%s", SOURCE_DIR "/tests/channels/render", name),
	     *to = xasprintf("%.*shtml", (int)strlen(from) - 2, from);
	char *markdown = read_file(from), *want = read_file(to), *got = render_parts(markdown, name);
	/* Where md4c 0.5 reads it otherwise than 0.4. */
	char *newer = xasprintf("%.*smd4c-0.5.html", (int)strlen(from) - 2, from),
	     *want_newer = read_file(newer);
	bool same = (want && strcmp(want, got) == 0) || (want_newer && strcmp(want_newer, got) == 0);

	if (!same && updating)
		write_file(to, got);
	else if (!same)
		print_error("%s: expected\n%s\ngot\n%s\n", name, want ? want : "(no file)", got);
	free(from);
	free(to);
	free(markdown);
	free(want);
	free(got);
	free(newer);
	free(want_newer);
	return same || updating;
}

static void texts_of_models_look_as_a_person_wants_them(void **state)
{
	DIR *dir = opendir(SOURCE_DIR "/tests/channels/render");
	const struct dirent *e;
	size_t count = 0, wrong = 0;

	(void)state;
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		size_t len = strlen(e->d_name);

		if (len < 4 || strcmp(e->d_name + len - 3, ".md") != 0)
			continue;
		wrong += !check_golden(e->d_name);
		count++;
	}
	closedir(dir);
	assert_true(count >= 200);
	assert_int_equal(wrong, 0);
}

static void expect(const char *markdown, const char *html, const char *plain)
{
	struct telegram_rendering r;

	telegram_render(&r, markdown);
	assert_string_equal(r.html, html);
	assert_string_equal(r.plain, plain);
	check_accepted(&r, markdown);
	telegram_rendering_clear(&r);
}

static void plain_text_has_what_html_keeps_in_tags(void **state)
{
	(void)state;
	expect("**b** [l](https://e.x)", "<b>b</b> <a href=\"https://e.x\">l</a>", "b l (https://e.x)");
	expect("<https://e.x>", "<a href=\"https://e.x\">https://e.x</a>", "https://e.x");
	expect("> q\n> r\n\n`@a`", "<blockquote>q\nr</blockquote>\n\n<code>@a</code>",
	    "> q\n> r\n\n@\xe2\x81\xa0"
	    "a");
	expect("1. a\n   - b\n2. c", "1. a\n    ◦ b\n2. c", "1. a\n    ◦ b\n2. c");
	expect("```c\nx\n```", "<pre><code class=\"language-c\">x</code></pre>", "x");
}

static void nothing_is_rendered_to_nothing(void **state)
{
	static const char *const texts[] = {
	    "[a]: b", "#", "-", ">", "```\n```", "<!-- -->", "[](<>)", "***", "| a |\n|---|"};
	struct telegram_rendering r;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		telegram_render(&r, texts[i]);
		assert_false(text_is_blank(r.plain));
		telegram_rendering_clear(&r);
	}
	expect("", "", "");
}

static void our_own_texts_are_shown_as_they_are(void **state)
{
	static const char *const texts[] = {
	    "You are *Ann* _B_ `C` [x](https://e.x), id \"77\" on channel main_2.",
	    "- a\n+ b\n# c\n> d\n---\n===\n= e",
	    "a\\*b \\(x\\) \\[y\\] $1$ ~~z~~ ||s|| <br> <https://e.x> &amp; [^1]: [a]: b",
	    "C:\\dir\\_x_ __init__ *.conf **",
	    "channel main (telegram): ready\nturns running: 0",
	    "/new - begin\n/help [me] - what",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct telegram_rendering r;
		struct buf text = BUF_INIT;

		escape_markdown(&text, texts[i]);
		telegram_render(&r, text.data);
		assert_string_equal(r.plain, texts[i]);
		assert_null(strstr(r.html, "<b>"));
		telegram_rendering_clear(&r);
		buf_clear(&text);
	}
}

static void bad_bytes_are_rendered_clean(void **state)
{
	struct telegram_rendering r;

	(void)state;
	telegram_render(&r, "**a\xff\xc3** \xed\xa0\x80`\x01`");
	assert_true(utf8_valid(r.html, strlen(r.html)));
	assert_true(utf8_valid(r.plain, strlen(r.plain)));
	telegram_rendering_clear(&r);
}

/* Milliseconds that this thread computed: a busy machine adds none. */
static uint64_t time_of(const char *markdown)
{
	struct timespec begun, ended;
	struct telegram_rendering r;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
	telegram_render(&r, markdown);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
	telegram_rendering_clear(&r);
	return (uint64_t)((ended.tv_sec - begun.tv_sec) * 1000 + (ended.tv_nsec - begun.tv_nsec) / 1000000);
}

static char *repeat(const char *piece, size_t bytes)
{
	struct buf out = BUF_INIT;

	while (out.len < bytes)
		buf_addstr(&out, piece);
	return buf_take(&out);
}

static void no_text_takes_long(void **state)
{
	static const char *const pieces[] = {
	    "> ",
	    "- ",
	    "1. ",
	    "[",
	    "![",
	    "*",
	    "**a",
	    "_a*",
	    "`",
	    "``a`",
	    "<",
	    "<a",
	    "|",
	    "| a ",
	    "|a|b|\n|-|-|\n",
	    "~~",
	    "||",
	    "\\",
	    "&",
	    "&amp;",
	    "[a](",
	    "[a]: b\n",
	    "]",
	    "*a_ ",
	    "> - ",
	    "$",
	    "$$a",
	    "@",
	    "@a",
	    "#\n",
	    "a\n",
	    "\n",
	    "    ",
	    "```\n",
	    "<http://a",
	    "a\n---\n",
	    "[a][b]",
	    "- a\n",
	    "* * ",
	    "[^a]: b\n",
	    "<br>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		char *large = repeat(pieces[i], 1024 * 1024), *medium = repeat(pieces[i], 200 * 1024);
		uint64_t ms = time_of(large), medium_ms = time_of(medium);

		if (getenv("RENDER_TIMES"))
			print_message("%6llu ms for 1 MiB, %6llu ms for 200 KiB of %s\n",
			    (unsigned long long)ms, (unsigned long long)medium_ms, pieces[i]);
		/* With sanitizers on a slow machine: without, each is below 100 ms. */
		if (ms > 5000 || medium_ms > 5000)
			fail_msg("\"%s\" over and over takes %llu and %llu ms", pieces[i],
			    (unsigned long long)ms, (unsigned long long)medium_ms);
		free(large);
		free(medium);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_of_models_look_as_a_person_wants_them),
	    cmocka_unit_test(plain_text_has_what_html_keeps_in_tags),
	    cmocka_unit_test(nothing_is_rendered_to_nothing),
	    cmocka_unit_test(our_own_texts_are_shown_as_they_are),
	    cmocka_unit_test(bad_bytes_are_rendered_clean),
	    cmocka_unit_test(no_text_takes_long),
	};

	updating = argc > 1 && strcmp(argv[1], "--update") == 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
