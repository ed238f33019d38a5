/* What an agent says, as a terminal shows it. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chat/text.h"

#define B   "\033[1m"
#define C   "\033[36m"
#define D   "\033[2m"
#define I   "\033[3m"
#define BI  "\033[1;3m"
#define S   "\033[9m"
#define U   "\033[4m"
#define END "\033[0m"
#define BAR D "\u2502 " END

#define LINE12 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
#define LINE13 LINE12 "\u2500"

static void expect_at(size_t width, bool colour, const char *markdown, const char *rows)
{
	/* However the text is cut into pieces. */
	for (size_t piece = 1; piece <= 7; piece += 3) {
		struct chat_text x;
		size_t len = strlen(markdown);

		chat_text_init(&x, width, colour);
		for (size_t at = 0; at < len; at += piece)
			chat_text_add(&x, markdown + at, len - at < piece ? len - at : piece);
		chat_text_end(&x);
		assert_string_equal(x.rows.data, rows);
		chat_text_clear(&x);
	}
}

static void text_is_wrapped_at_blanks(void **state)
{
	(void)state;
	expect_at(20, true, "the quick brown fox jumps over it", "the quick brown fox\njumps over it\n");
	expect_at(20, true, "12345678901234567890 x", "12345678901234567890\nx\n");
	expect_at(10, true, "123456789012345", "1234567890\n12345\n");
	expect_at(20, true, "one\n\ntwo", "one\n\ntwo\n");
	expect_at(20, true, "", "");
	expect_at(12, true,
	    "\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad",
	    "\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\n\xe4\xb8\xad\n");
}

static void bold_and_code_and_headings_are_shown(void **state)
{
	(void)state;
	expect_at(40, true, "a **bold word** and `code here`.",
	    "a " B "bold" END " " B "word" END " and " C "code" END " " C "here" END ".\n");
	expect_at(40, true, "# Title here\ntext", B "Title" END " " B "here" END "\ntext\n");
	expect_at(40, true, "2**3 and a * b, 4 ** 5", "2**3 and a * b, 4 ** 5\n");
	expect_at(40, true, "#hash and ** open", "#hash and ** open\n");
	expect_at(40, true, "**never closed\nnext", B "never" END " " B "closed" END "\nnext\n");
	expect_at(40, true, "`a ** b`", C "a" END " " C "**" END " " C "b" END "\n");
}

static void italics_strikes_and_escapes_are_shown(void **state)
{
	(void)state;
	expect_at(60, true, "some *italic*, _also_, ~~struck~~ and ***both***",
	    "some " I "italic" END ", " I "also" END ", " S "struck" END " and " BI "both" END "\n");
	expect_at(60, true, "a*b*c, 2 * 3 * 4, snake_case_name, ~5 and ~ 6",
	    "a*b*c, 2 * 3 * 4, snake_case_name, ~5 and ~ 6\n");
	expect_at(60, true, "\\*no\\* C:\\dir\\ and\\", "*no* C:\\dir\\ and\\\n");
	expect_at(60, true, "`a\\*b*_c_[d](e)`", C "a\\*b*_c_[d](e)" END "\n");
}

static void links_tell_where_they_lead(void **state)
{
	(void)state;
	expect_at(60, true, "see [the page](https://example.org/a?b) now",
	    "see " U "the" END " " U "page" END " (https://example.org/a?b) now\n");
	expect_at(60, true, "[https://a.b](https://a.b)", U "https://a.b" END "\n");
	expect_at(60, true, "[1] and [x] (y) and a[i] and [open", "[1] and [x] (y) and a[i] and [open\n");
	expect_at(60, true, "[a [b](c) [d](e f", "[a " U "b" END " (c) [d](e f\n");
	expect_at(60, true, "- [ ] to do\n- [x] done", "\u2022 [ ] to do\n\u2022 [x] done\n");
}

static void quotations_have_a_bar_before_each_row(void **state)
{
	(void)state;
	expect_at(16, true, "> one two three four\n> - item\n> > inner\nafter",
	    BAR "one two three\n" BAR "four\n" BAR "\u2022 item\n" BAR BAR "inner\nafter\n");
}

static void a_rule_is_a_line(void **state)
{
	(void)state;
	expect_at(
	    12, true, "a\n---\nb\n***\n--\n- \n", "a\n" D LINE12 END "\nb\n" D LINE12 END "\n--\n\u2022\n");
}

static void tables_have_columns(void **state)
{
	(void)state;
	expect_at(40, true, "| Name | n |\n|:---|---:|\n| `a` | 1 |\n| long *name* | 22 |\nafter",
	    B "Name" END "       " B "n" END "\n" D LINE13 END "\n" C "a" END "          1\nlong " I
	      "name" END "  22\nafter\n");
	/* Without a head, with a bar in a cell. */
	expect_at(40, true, "| a\\|b | c |\n| d | e |", "a|b  c\nd    e\n");
	expect_at(16, true, "| Name | What it is |\n|---|---|\n| Ann | a person of some length |\n",
	    "\u2022 Name: Ann\n  What it is: a\n  person of some\n  length\n");
}

static void items_hang_below_their_text(void **state)
{
	(void)state;
	expect_at(16, true, "- one two three four\n- five", "\u2022 one two three\n  four\n\u2022 five\n");
	expect_at(16, true, "12. one two three", "12. one two\n    three\n");
	expect_at(16, true, "  * inner item here", "  \u2022 inner item\n    here\n");
	expect_at(16, true, "-not an item", "-not an item\n");
	expect_at(16, true, "3.5 is a number", "3.5 is a number\n");
}

static void code_blocks_keep_their_text(void **state)
{
	(void)state;
	expect_at(40, true, "```c\nint  **x;\n- 1\n```\nafter **b**",
	    C "int" END "  " C "**x;" END "\n" C "-" END " " C "1" END "\nafter " B "b" END "\n");
}

static void without_colours_markdown_stays(void **state)
{
	(void)state;
	expect_at(40, false, "# T\n**b** `c`\n- i\n```\nx\n```", "# T\n**b** `c`\n- i\n```\nx\n```\n");
}

static void nothing_controls_the_terminal(void **state)
{
	static const char evil[] = "a\033[2Jb\033]0;title\007c\xc2\x9b"
				   "31md\x7f\x08\r e\xe2\x80\xae"
				   "f\xff";
	static const char clean[] = "a[2Jb]0;titlec31md ef\xef\xbf\xbd";
	struct buf plain = BUF_INIT;

	(void)state;
	expect_at(60, true, evil, "a[2Jb]0;titlec31md ef\xef\xbf\xbd\n");
	expect_at(60, false, evil, "a[2Jb]0;titlec31md ef\xef\xbf\xbd\n");
	chat_text_plain(&plain, evil, sizeof(evil) - 1);
	assert_string_equal(plain.data, clean);
	buf_clear(&plain);
}

static void full_rows_are_never_taken_back(void **state)
{
	static const char text[] =
	    "some **bold words that go on for long** and `code that is long too` and then an end";
	struct chat_text x;
	struct buf before = BUF_INIT;

	(void)state;
	chat_text_init(&x, 20, true);
	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		chat_text_add(&x, &text[i], 1);
		assert_memory_equal(x.rows.data, before.data, before.len);
		buf_reset(&before);
		buf_add(&before, x.rows.data, x.rows.len);
	}
	buf_clear(&before);
	chat_text_clear(&x);
}

static void the_unfinished_row_fits(void **state)
{
	struct chat_text x;
	struct buf row = BUF_INIT;

	(void)state;
	chat_text_init(&x, 12, false);
	for (size_t i = 0; i < 200; i++) {
		chat_text_add(&x, i % 5 == 4 ? " " : "x", 1);
		buf_reset(&row);
		chat_text_unfinished(&x, &row);
		assert_true(row.len <= 12);
	}
	buf_clear(&row);
	chat_text_clear(&x);
}

static int use_utf8(void **state)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

	*state = locale;
	uselocale(locale);
	return locale ? 0 : -1;
}

static int drop_utf8(void **state)
{
	uselocale(LC_GLOBAL_LOCALE);
	freelocale(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_is_wrapped_at_blanks),
	    cmocka_unit_test(bold_and_code_and_headings_are_shown),
	    cmocka_unit_test(italics_strikes_and_escapes_are_shown),
	    cmocka_unit_test(links_tell_where_they_lead),
	    cmocka_unit_test(quotations_have_a_bar_before_each_row),
	    cmocka_unit_test(a_rule_is_a_line),
	    cmocka_unit_test(tables_have_columns),
	    cmocka_unit_test(items_hang_below_their_text),
	    cmocka_unit_test(code_blocks_keep_their_text),
	    cmocka_unit_test(without_colours_markdown_stays),
	    cmocka_unit_test(nothing_controls_the_terminal),
	    cmocka_unit_test(full_rows_are_never_taken_back),
	    cmocka_unit_test(the_unfinished_row_fits),
	};

	return cmocka_run_group_tests(tests, use_utf8, drop_utf8);
}
