#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/shared/blank.h"
#include "channels/slack/emoji.h"
#include "channels/slack/render.h"

static const struct {
	const char *markdown, *mrkdwn;
} goldens[] = {
    {"plain", "plain"},
    {"**bold** *it* ~~no~~ `code`", "*bold* _it_ ~no~ `code`"},
    {"***both***", "_*both*_"},
    {"a**b**c",
	"a\xe2\x80\x8b*b*\xe2\x80\x8b"
	"c"},
    {"# Title\ntext", "*Title*\ntext"},
    {"# **Title**", "*Title*"},
    {"a < b & c > d", "a &lt; b &amp; c &gt; d"},
    {"<!channel> <@U1> <#C1>", "&lt;!channel&gt; &lt;@U1&gt; &lt;#C1&gt;"},
    {"`<!here>`", "`&lt;!here&gt;`"},
    {"[Myna](https://x.io/a?b=1&c=2)", "<https://x.io/a?b=1&amp;c=2|Myna>"},
    {"<https://x.io>", "<https://x.io>"},
    {"[x](https://x.io/%7C|b)", "<https://x.io/%7C%7Cb|x>"},
    {"[x](javascript:alert)", "x (javascript:alert)"},
    {"[<!channel>](https://x.io)", "<https://x.io|&lt;!channel&gt;>"},
    {"[x](!channel)", "x (!channel)"},
    {"![cat](https://x.io/c.png)", "<https://x.io/c.png|cat>"},
    {"- a\n- b\n  - c", "• a\n• b\n    ◦ c"},
    {"1. a\n2. b", "1. a\n2. b"},
    {"- [x] done\n- [ ] open", "☑ done\n☐ open"},
    {"> quote\n> more", "> quote\n> more"},
    {"```c\nint a < b;\n```", "```\nint a &lt; b;\n```"},
    {"- item\n\n  ```\n  x\n  ```", "• item\n\n```\nx\n```"},
    {"a\n\n---\n\nb", "a\n\n──────────\n\nb"},
    {"| a | b |\n|---|--:|\n| 1 | 22 |\n| <x> | 3 |",
	"```\na   |  b\n----+---\n1   | 22\n&lt;x&gt; |  3\n```"},
    {"| k | v |\n|---|---|\n| one | [l](https://x.io) |", "*k: one*\nv: <https://x.io|l>"},
    /* A header that cannot be aligned is not lost when no row below it holds anything. */
    {"| [l](https://x.io) | v |\n|---|---|\n| | |", "<https://x.io|l> | v"},
    {"||secret||", "secret"},
    {"[a]: https://x.io", "[a]: https://x.io"},
};

static void markdown_becomes_mrkdwn(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(goldens); i++) {
		char *got = slack_render(goldens[i].markdown);

		if (strcmp(got, goldens[i].mrkdwn) != 0)
			fail_msg(
			    "\"%s\" became\n%s\nwanted\n%s", goldens[i].markdown, got, goldens[i].mrkdwn);
		free(got);
	}
}

/* Whatever is rendered, "<" stands only in front of a link. */
static void check_harmless(const char *mrkdwn)
{
	for (const char *at = mrkdwn; (at = strchr(at, '<')); at++)
		if (strncmp(at, "<https://", 9) != 0 && strncmp(at, "<http://", 8) != 0 &&
		    strncmp(at, "<mailto:", 8) != 0)
			fail_msg("this may mention somebody: %.40s", at);
}

static const char *const pieces[] = {"**bold** ", "<!channel>", "<@U1>", "`code` ", "\n\n", "- item\n",
    "```\ncode < 1\n```\n", "word ", "[l](https://x.io/<b>)", "é漢🐦 ", "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "> quote\n", "# head\n", "longlonglonglong", "&lt;", "*", "_", "~~", "[", "](", "<", "\xff"};

static char *mixture(unsigned seed, size_t parts)
{
	struct buf text = BUF_INIT;

	while (parts-- > 0) {
		seed = seed * 1664525u + 1013904223u;
		buf_addstr(&text, pieces[seed / 65536 % ARRAY_LEN(pieces)]);
	}
	return buf_take(&text);
}

static void every_part_is_one_that_slack_takes(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 60; seed++) {
		char *text = mixture(seed, seed * 20);
		char **parts = slack_split(text);

		assert_non_null(parts[0]);
		for (size_t i = 0; parts[i]; i++) {
			char *mrkdwn = slack_render(parts[i]);

			assert_true(
			    utf8_count(mrkdwn, strlen(mrkdwn), UTF8_UTF16) + strlen(SLACK_REPEAT_MARK) <=
			    SLACK_TEXT_UNITS);
			assert_false(text_is_blank(mrkdwn));
			check_harmless(mrkdwn);
			free(mrkdwn);
			free(parts[i]);
		}
		free(parts);
		free(text);
	}
}

static void entities_count_in_full(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;
	size_t count = 0;

	(void)state;
	for (int i = 0; i < 500; i++)
		buf_addstr(&text, "if a & b && c < d ");
	parts = slack_split(text.data);
	for (; parts[count]; count++)
		free(parts[count]);
	/* 9,000 characters, and 16,000 more for their entities. */
	assert_in_range(count, 5, 8);
	free(parts);
	buf_clear(&text);
}

static void emoji_have_names(void **state)
{
	char own[16];

	(void)state;
	assert_string_equal(slack_emoji_name("👀", own, sizeof(own)), "eyes");
	assert_string_equal(slack_emoji_name("❤️", own, sizeof(own)), "heart");
	assert_string_equal(slack_emoji_name(":party_parrot:", own, sizeof(own)), "party_parrot");
	assert_string_equal(slack_emoji_name("eyes", own, sizeof(own)), "eyes");
	assert_null(slack_emoji_name("🦚", own, sizeof(own)));
	assert_null(slack_emoji_name("a b", own, sizeof(own)));
	assert_null(slack_emoji_name("", own, sizeof(own)));
	assert_null(slack_emoji_name("abcdefghijklmnopq", own, sizeof(own)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(markdown_becomes_mrkdwn),
	    cmocka_unit_test(every_part_is_one_that_slack_takes),
	    cmocka_unit_test(entities_count_in_full),
	    cmocka_unit_test(emoji_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
