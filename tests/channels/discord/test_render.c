/* Markdown as Discord's flavour of it, and cut into messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdlib.h>
#include <time.h>

#include "channels/shared/blank.h"
#include "config.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "channels/discord/render.h"
#include "channels/discord/split.h"

static char *render(const char *markdown)
{
	struct buf out = BUF_INIT;

	discord_render(&out, markdown);
	return buf_take(&out);
}

static void each_construct_becomes_what_discord_knows(void **state)
{
	static const struct {
		const char *markdown, *text;
	} rows[] = {
	    {"hello", "hello"},
	    {"a **b** *c* ~~d~~ ||e|| `f*g`", "a **b** *c* ~~d~~ ||e|| `f*g`"},
	    {"__b__ _c_", "**b** *c*"},
	    {"# One\n\n## Two\n\n### Three\n\n#### Four\n\nx", "# One\n## Two\n### Three\n**Four**\nx"},
	    {"para\n\n- a\n- b\n  - c\n\n3. x\n4. y", "para\n\n- a\n- b\n  - c\n\n3. x\n4. y"},
	    {"- [x] done\n- [ ] open", "- ☑ done\n- ☐ open"},
	    {"> a\n> b\n>> c", "> a\n> b\n> \n> c"},
	    {"```c\nint x;\n```", "```c\nint x;\n```"},
	    {"```not a language\nx\n```", "```not\nx\n```"},
	    {"~~~\na ``` b\n~~~", "```\na `\xe2\x80\x8b`\xe2\x80\x8b`\xe2\x80\x8b b\n```"},
	    {"[text](https://e.org/a_(b))", "[text](https://e.org/a_%28b%29)"},
	    {"<https://e.org/a_b_c>", "https://e.org/a_b_c"},
	    {"[https://good.org](https://evil.org)", "https://good.org (https://evil.org)"},
	    {"![alt](https://e.org/i.png)", "[alt](https://e.org/i.png)"},
	    {"[x](javascript:alert)", "x (javascript:alert)"},
	    {"| a | b |\n|---|--:|\n| 1 | 22 |", "```\na |  b\n--+---\n1 | 22\n```"},
	    {"a\n\n---\n\nb", "a\n\n──────────\n\nb"},
	    {"snake_case_name and https://e.org/a_b*", "snake_case_name and https://e.org/a_b*"},
	    {"a\\*b\\*", "a\\*b\\*"},
	    {"5 \\* 3 \\_x\\_ \\~\\~no\\~\\~ a|b \\|\\|c\\|\\|",
		"5 \\* 3 \\_x\\_ \\~\\~no\\~\\~ a|b \\|\\|c\\|\\|"},
	    {"\\# no heading", "\\# no heading"},
	    {"1\\. no list\n\n\\- none", "1\\. no list\n\n\\- none"},
	    {"C:\\dir \\\\*x", "C:\\dir \\\\\\*x"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = render(rows[i].markdown);

		if (strcmp(text, rows[i].text) != 0)
			fail_msg("%s\nbecame\n%s\ninstead of\n%s", rows[i].markdown, text, rows[i].text);
		free(text);
	}
}

static void nothing_becomes_a_mention(void **state)
{
	static const char *const rows[] = {
	    "<@42>", "<@!42>", "<@&42>", "<#42>", "<:x:42>", "<a:x:42>", "</x:42>", "<t:42>", "<id:guide>"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf texts = BUF_INIT, literal = BUF_INIT;
		const char *at;

		escape_markdown(&literal, rows[i]);
		discord_render(&texts, literal.data);
		discord_render(&texts, rows[i]);
		assert_true(texts.len > 4);
		for (at = texts.data; (at = strstr(at, rows[i])); at++)
			assert_true(at > texts.data && at[-1] == '\\');
		buf_clear(&texts);
		buf_clear(&literal);
	}
	char *text = render("@everyone and **@here** a@here.org");
	assert_null(strstr(text, "@everyone"));
	assert_null(strstr(text, "@here"));
	free(text);
}

static void a_text_that_markdown_hides_is_shown(void **state)
{
	char *text = render("[a]: https://e.org");

	(void)state;
	assert_false(text_is_blank(text));
	free(text);
	assert_true(text_is_blank(" \n\xe2\x80\x8b"));
}

/* Every part is one that Discord takes; fences are closed in each. */
static void check_parts(const char *name, const char *markdown, struct buf *all)
{
	char **parts = discord_split(markdown);

	assert_non_null(parts[0]);
	for (size_t i = 0; parts[i]; i++) {
		char *text = render(parts[i]), *at = text;
		unsigned fences = 0;

		if (discord_render_chars(text, strlen(text)) >
		    DISCORD_TEXT_CHARS - strlen(DISCORD_REPEAT_MARK))
			fail_msg("%s: part %zu has too many characters", name, i);
		if (parts[1] && text_is_blank(text))
			fail_msg("%s: part %zu is blank", name, i);
		for (; (at = strstr(at, "```")); at += 3, fences++)
			if (at > text && at[-1] != '\n' && at[-1] != ' ')
				fail_msg("%s: part %zu has a fence within a line:\n%.*s", name, i,
				    (int)(at + 3 - text), text);
		if (fences % 2 != 0)
			fail_msg("%s: part %zu leaves a fence open:\n%s", name, i, text);
		if (all)
			buf_addf(all, "%s\n", text);
		free(text);
		free(parts[i]);
	}
	free(parts);
}

static char *read_file(const char *path)
{
	struct buf out = BUF_INIT;
	char bytes[4096];
	FILE *in = fopen(path, "r");
	size_t n;

	assert_non_null(in);
	while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		buf_add(&out, bytes, n);
	fclose(in);
	return buf_take(&out);
}

static void every_text_of_the_renderer_tests_fits(void **state)
{
	DIR *dir = opendir(SOURCE_DIR "/tests/channels/render");
	size_t count = 0;

	(void)state;
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		size_t len = strlen(e->d_name);
		char *path, *text;

		if (len < 4 || strcmp(e->d_name + len - 3, ".md") != 0)
			continue;
		path = xasprintf("%s/%s", SOURCE_DIR "/tests/channels/render", e->d_name);
		text = read_file(path);
		check_parts(e->d_name, text, NULL);
		free(text);
		free(path);
		count++;
	}
	closedir(dir);
	assert_true(count > 50);
}

static void a_long_text_loses_no_word(void **state)
{
	struct buf text = BUF_INIT, all = BUF_INIT;
	char word[32];

	(void)state;
	for (unsigned i = 0; i < 2000; i++)
		buf_addf(&text, "%sword%u%s", i % 97 == 0 ? "\n\n```python\n" : " ", i,
		    i % 97 == 40 ? "\n```\n\n" :
			i % 7    ? "" :
				   "\n");
	check_parts("words", text.data, &all);
	for (unsigned i = 0; i < 2000; i++) {
		snprintf(word, sizeof(word), "word%u", i);
		if (!strstr(all.data, word))
			fail_msg("%s is lost", word);
	}
	buf_clear(&text);
	buf_clear(&all);
}

static void emoji_count_as_one(void **state)
{
	struct buf text = BUF_INIT;
	char **parts;

	(void)state;
	for (int i = 0; i < 1900; i++)
		buf_addstr(&text, "😀");
	parts = discord_split(text.data);
	assert_null(parts[1]);
	free(parts[0]);
	free(parts);
	buf_clear(&text);
}

static void random_texts_fit(void **state)
{
	static const char *const bits[] = {"*", "**", "`", "```\n", "\n", "\n\n", "> ", "- ", "1. ", "# ",
	    "word ", "ä😀 ", "[a](", "https://e.org/x) ", "|", "||", "\n| a | b |\n|--|--|\n| c | d |\n", "~~",
	    "_", "\\", "<@1>", "@everyone ", "<", "    "};
	struct buf text = BUF_INIT;

	(void)state;
	clock_fake(0, 7);
	for (int i = 0; i < 150; i++) {
		buf_reset(&text);
		for (uint64_t n = clock_random_below(900); n > 0; n--)
			buf_addstr(&text, bits[clock_random_below(ARRAY_LEN(bits))]);
		check_parts("random", text.data, NULL);
	}
	buf_clear(&text);
}

/* Minutes of the processor when each looks for a target to the end of the text. */
static void brackets_without_a_target_take_no_time(void **state)
{
	struct buf text = BUF_INIT;
	clock_t began = clock();
	char *shown;

	(void)state;
	while (text.len < 512 * 1024)
		buf_addch(&text, '[');
	shown = render(text.data);
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
	assert_string_equal(shown, text.data);
	free(shown);
	buf_clear(&text);
	shown = render("[a and [b]&#40;c) and [d");
	assert_string_equal(shown, "\\[a and \\[b](c) and [d");
	free(shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_construct_becomes_what_discord_knows),
	    cmocka_unit_test(nothing_becomes_a_mention),
	    cmocka_unit_test(a_text_that_markdown_hides_is_shown),
	    cmocka_unit_test(every_text_of_the_renderer_tests_fits),
	    cmocka_unit_test(a_long_text_loses_no_word),
	    cmocka_unit_test(emoji_count_as_one),
	    cmocka_unit_test(random_texts_fit),
	    cmocka_unit_test(brackets_without_a_target_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
