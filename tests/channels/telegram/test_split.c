#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/write.h"
#include "channels/shared/blank.h"
#include "channels/telegram/render.h"
#include "channels/telegram/split.h"
#include "playground/telegram/text/formatted.h"

#define ROOM (TELEGRAM_TEXT_UNITS - (sizeof(TELEGRAM_REPEAT_MARK) - 1))

static void parts_free(char **parts)
{
	for (size_t i = 0; parts[i]; i++)
		free(parts[i]);
	free(parts);
}

static size_t parts_count(char *const *parts)
{
	size_t n = 0;

	while (parts[n])
		n++;
	return n;
}

/* What is to be read in the text, without blanks. */
static void add_solid(struct buf *out, const char *markdown)
{
	struct buf clean = BUF_INIT;
	struct markdown doc;

	utf8_sanitize(&clean, markdown, strlen(markdown));
	markdown_parse(&doc, clean.data, clean.len);
	markdown_solid(out, doc.root, NULL);
	markdown_clear(&doc);
	buf_clear(&clean);
}

/* Is all of it there, in order? What is repeated, such as the header of a table, may stand between. */
static bool is_whole(const char *whole, const char *parts)
{
	for (; *whole != '\0' && *parts != '\0'; parts++)
		whole += *whole == *parts;
	return *whole == '\0';
}

static void check_part(const char *part, size_t units)
{
	struct formatted f = FORMATTED_INIT;
	struct telegram_rendering r;
	struct error err = {0};

	assert_true(utf8_valid(part, strlen(part)));
	telegram_render(&r, part);
	assert_true(r.units <= units);
	assert_false(text_is_blank(r.plain));
	if (html_parse(r.html, strlen(r.html), &f, &err) != 0)
		fail_msg("%s in\n%s", err.text, r.html);
	assert_true(formatted_units(&f) <= units);
	formatted_clear(&f);
	telegram_rendering_clear(&r);
}

static void check_parts(const char *text, size_t units)
{
	char **parts = telegram_split_to(text, units);
	struct buf whole = BUF_INIT, all = BUF_INIT;

	add_solid(&whole, text);
	for (size_t i = 0; parts[i]; i++) {
		check_part(parts[i], units);
		add_solid(&all, parts[i]);
	}
	/* One part is the text itself; nothing is repeated unless there is a table. */
	if (parts[1] && !strchr(text, '|') && strcmp(whole.data, all.data) != 0)
		fail_msg("of\n%s\nonly this is there:\n%s", whole.data, all.data);
	if (parts[1] && !is_whole(whole.data, all.data))
		fail_msg("something is missing of\n%s\nin\n%s", whole.data, all.data);
	parts_free(parts);
	buf_clear(&whole);
	buf_clear(&all);
}

static const char *const blocks[] = {
    "# Heading %u\n",
    "Word%u and **bold** and *slanted* text.\n\n",
    "- item %u\n",
    "  - nested %u\n    ",
    "%u. numbered\n",
    "```py\nprint(%u)\n",
    "```\n",
    "> quoted %u\n",
    "| a | b%u |\n|---|---|\n",
    "| %u | x |\n",
    "---\n",
    "[link %u](https://e.x/)",
    "`code %u` ",
    "**b%u ",
    "** ",
    "_",
    "~~",
    "\n",
    "\n\n",
    "    indented %u\n",
    "漢字%u。",
    "😀%u",
    "@name%u ",
    "&amp;%u ",
    "<br>",
    "<b>%u",
    "[x]: y%u\n",
    "- [x] done %u\n",
    "![i%u](http://e.x/i.png)",
    "$x_%u$ ",
    "\\(y\\) ",
    "||s%u|| ",
    "**重要：**次%u",
    "long%uwordwithoutanyblanksthatgoesonandonandonandonandonandonandonandonandonandonandonandon",
    "a\\*%u",
};

static char *random_markdown(size_t pieces)
{
	struct buf out = BUF_INIT;

	while (pieces-- > 0) {
		const char *piece = blocks[clock_random_below(ARRAY_LEN(blocks))];

		for (; *piece != '\0'; piece++) {
			if (piece[0] == '%' && piece[1] == 'u')
				buf_addf(&out, "%u", (unsigned)clock_random_below(100000)), piece++;
			else
				buf_addch(&out, *piece);
		}
	}
	return buf_take(&out);
}

static void random_markdown_is_delivered_whole_in_order_within_the_limit(void **state)
{
	(void)state;
	clock_fake(0, 20261121);
	for (int i = 0; i < 300; i++) {
		char *text = random_markdown(1 + clock_random_below(600));

		if (!text_is_blank(text))
			check_parts(text, i % 2 ? ROOM : TELEGRAM_SPLIT_MIN + clock_random_below(1000));
		free(text);
	}
}

static char *random_bytes(size_t pieces)
{
	static const char marks[] = "*_`~|[]()<>#-+.!\\&$@:=\"' \n\t0a";
	struct buf out = BUF_INIT;

	while (pieces-- > 0) {
		if (clock_random_below(4) > 0)
			buf_addch(&out, marks[clock_random_below(sizeof(marks) - 1)]);
		else
			utf8_encode(&out, (uint32_t)(1 + clock_random_below(0x2ffff)));
	}
	return buf_take(&out);
}

static void random_bytes_are_delivered_whole_in_order_within_the_limit(void **state)
{
	(void)state;
	clock_fake(0, 1121);
	for (int i = 0; i < 150; i++) {
		char *text = random_bytes(1 + clock_random_below(6000));

		if (!text_is_blank(text))
			check_parts(text, i % 2 ? ROOM : TELEGRAM_SPLIT_MIN);
		free(text);
	}
}

static void text_without_a_place_to_cut_is_cut_between_characters(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	for (int i = 0; i < 10000; i++)
		buf_addstr(&text, "😀"); /* 2 units each */
	check_parts(text.data, ROOM);
	parts = telegram_split(text.data);
	assert_true(utf8_count(parts[0], strlen(parts[0]), UTF8_UTF16) > ROOM - 100);
	parts_free(parts);
	buf_clear(&text);
}

static void short_text_is_one_part_as_it_is(void **state)
{
	char **parts = telegram_split("Hello\n\n  there **you**");

	(void)state;
	assert_string_equal(parts[0], "Hello\n\n  there **you**");
	assert_null(parts[1]);
	parts_free(parts);
}

static void every_part_has_room_for_the_repeat_mark(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	for (int i = 0; i < 4096; i++)
		buf_addch(&text, 'x');
	parts = telegram_split(text.data);
	assert_non_null(parts[1]);
	for (size_t i = 0; parts[i]; i++)
		assert_true(strlen(parts[i]) + strlen(TELEGRAM_REPEAT_MARK) <= TELEGRAM_TEXT_UNITS);
	parts_free(parts);
	buf_clear(&text);
}

static void a_long_gap_gives_no_blank_part(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	buf_addstr(&text, "before");
	for (int i = 0; i < 20000; i++)
		buf_addstr(&text, i % 2 ? "\xc2\xa0" : "\n");
	buf_addstr(&text, "after");
	parts = telegram_split(text.data);
	for (size_t i = 0; parts[i]; i++)
		check_part(parts[i], ROOM);
	parts_free(parts);
	buf_clear(&text);
}

static void blank_text_gives_one_blank_part(void **state)
{
	static const char *const texts[] = {"", " \n\t ", "\xe2\x80\x8b", "\xe3\x80\x80"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		char **parts = telegram_split(texts[i]);

		assert_true(text_is_blank(parts[0]));
		assert_null(parts[1]);
		parts_free(parts);
	}
	assert_false(text_is_blank(" . "));
}

static void bad_bytes_are_cleaned(void **state)
{
	char **parts = telegram_split("a\xff\xed\xa0\x80"
				      "b\x01");

	(void)state;
	assert_true(utf8_valid(parts[0], strlen(parts[0])));
	assert_int_equal(parts[0][0], 'a');
	assert_int_equal(parts[0][strlen(parts[0]) - 1], 'b');
	parts_free(parts);
}

/* So many lines of the piece, as one part each of at most 600 units. */
static char **split_lines(const char *before, const char *line, int count)
{
	struct buf text = BUF_INIT;
	char **parts;

	buf_addstr(&text, before);
	for (int i = 0; i < count; i++)
		buf_addstr(&text, line);
	check_parts(text.data, 600);
	parts = telegram_split_to(text.data, 600);
	buf_clear(&text);
	return parts;
}

static void a_fence_is_closed_and_opened_again_with_its_language(void **state)
{
	char **parts = split_lines("```python\n", "print(\"some line of a program\")\n", 60);

	(void)state;
	assert_true(parts_count(parts) > 2);
	for (size_t i = 0; parts[i]; i++) {
		assert_memory_equal(parts[i], "```python\nprint(", 16);
		assert_string_equal(parts[i] + strlen(parts[i]) - 4, "\n```");
	}
	parts_free(parts);
}

static void a_table_repeats_its_header(void **state)
{
	char **parts = split_lines("| Key | Value |\n|---|---|\n", "| some key | some value |\n", 60);

	(void)state;
	assert_true(parts_count(parts) > 2);
	for (size_t i = 0; parts[i]; i++)
		assert_memory_equal(parts[i], "| Key | Value |\n|---|---|\n| some key |", 38);
	parts_free(parts);
}

static void a_list_keeps_its_numbers(void **state)
{
	char **parts = split_lines("", "1. some item of a list that is rather long\n", 60);
	unsigned next = 1;

	(void)state;
	assert_true(parts_count(parts) > 2);
	for (size_t i = 0; parts[i]; i++) {
		char *mark = xasprintf("%u. some item", next);

		assert_memory_equal(parts[i], mark, strlen(mark));
		for (const char *c = parts[i]; (c = strstr(c, "some item")); c++)
			next++;
		free(mark);
	}
	assert_int_equal(next, 61);
	parts_free(parts);
}

static void what_is_bold_stays_bold(void **state)
{
	char **parts = split_lines("**begin ", "and so on ", 200);

	(void)state;
	parts_free(parts);
	parts = split_lines("**begin** and ", "*all of it* is [linked](https://e.x/) and `coded`, ", 60);
	for (size_t i = 0; parts[i]; i++) {
		struct telegram_rendering r;

		telegram_render(&r, parts[i]);
		assert_non_null(strstr(r.html,
		    "<i>all of it</i> is <a href=\"https://e.x/\">linked</a> and <code>coded</code>"));
		assert_null(strchr(r.plain, '*'));
		assert_null(strchr(r.plain, '`'));
		telegram_rendering_clear(&r);
	}
	parts_free(parts);
}

static void a_span_longer_than_a_message_is_opened_again(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	buf_addstr(&text, "**");
	for (int i = 0; i < 300; i++)
		buf_addstr(&text, "so on ");
	buf_addstr(&text, "end**");
	check_parts(text.data, 600);
	parts = telegram_split_to(text.data, 600);
	for (size_t i = 0; parts[i]; i++) {
		assert_memory_equal(parts[i], "**", 2);
		assert_string_equal(parts[i] + strlen(parts[i]) - 2, "**");
	}
	parts_free(parts);
	buf_clear(&text);
}

static void a_heading_is_not_left_behind(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	for (int i = 0; i < 50; i++)
		buf_addf(&text,
		    "## Title %d\n\nSome sentences of a section. They are not long. Yet they count.\n\n", i);
	check_parts(text.data, 600);
	parts = telegram_split_to(text.data, 600);
	for (size_t i = 0; parts[i]; i++)
		assert_memory_equal(parts[i], "## Title", 8);
	parts_free(parts);
	buf_clear(&text);
}

static void a_very_long_text_is_split_too(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	while (text.len < 400 * 1024)
		buf_addstr(&text, "A line of a very long text, **which** is no longer read as Markdown.\n");
	check_parts(text.data, ROOM);
	buf_clear(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_markdown_is_delivered_whole_in_order_within_the_limit),
	    cmocka_unit_test(random_bytes_are_delivered_whole_in_order_within_the_limit),
	    cmocka_unit_test(text_without_a_place_to_cut_is_cut_between_characters),
	    cmocka_unit_test(short_text_is_one_part_as_it_is),
	    cmocka_unit_test(every_part_has_room_for_the_repeat_mark),
	    cmocka_unit_test(a_long_gap_gives_no_blank_part),
	    cmocka_unit_test(blank_text_gives_one_blank_part),
	    cmocka_unit_test(bad_bytes_are_cleaned),
	    cmocka_unit_test(a_fence_is_closed_and_opened_again_with_its_language),
	    cmocka_unit_test(a_table_repeats_its_header),
	    cmocka_unit_test(a_list_keeps_its_numbers),
	    cmocka_unit_test(what_is_bold_stays_bold),
	    cmocka_unit_test(a_span_longer_than_a_message_is_opened_again),
	    cmocka_unit_test(a_heading_is_not_left_behind),
	    cmocka_unit_test(a_very_long_text_is_split_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
