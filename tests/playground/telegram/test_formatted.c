#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/telegram/text/formatted.h"

typedef int parse_fn(const char *s, size_t len, struct formatted *out, struct error *err);

/* Entities as "type@offset+length" and what else they hold, separated by blanks. */
static char *describe(const struct formatted *f)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < f->count; i++) {
		const struct entity *e = &f->entities[i];

		buf_addf(
		    &out, "%s%s@%d+%d", i > 0 ? " " : "", entity_type_name(e->type), e->offset, e->length);
		if (e->text)
			buf_addf(&out, "(%s)", e->text);
		if (e->number != 0)
			buf_addf(&out, "#%lld", (long long)e->number);
	}
	return buf_take(&out);
}

static void check(parse_fn *parse, const char *source, const char *text, const char *entities)
{
	struct formatted f = FORMATTED_INIT;
	struct error err = {0};
	char *found;

	if (parse(source, strlen(source), &f, &err) != 0)
		fail_msg("%s: %s", source, err.text);
	formatted_finish(&f);
	found = describe(&f);
	if (strcmp(f.text.data, text) != 0 || strcmp(found, entities) != 0)
		fail_msg("%s\nbecame %s\nwith %s", source, f.text.data, found);
	free(found);
	formatted_clear(&f);
}

static void check_error(parse_fn *parse, const char *source, const char *sentence)
{
	struct formatted f = FORMATTED_INIT;
	struct error err = {0};

	assert_int_equal(parse(source, strlen(source), &f, &err), -1);
	assert_string_equal(err.text, sentence);
	formatted_clear(&f);
}

static int plain(const char *s, size_t len, struct formatted *out, struct error *err)
{
	(void)err;
	buf_add(&out->text, s, len);
	return 0;
}

static void html_tags_become_entities(void **state)
{
	(void)state;
	check(html_parse, "<b>b</b> <strong>s</strong> <i>i</i> <em>e</em>", "b s i e",
	    "bold@0+1 bold@2+1 italic@4+1 italic@6+1");
	check(html_parse, "<u>u</u><ins>u</ins><s>s</s><del>d</del><strike>x</strike>", "uusdx",
	    "underline@0+1 underline@1+1 strikethrough@2+1 strikethrough@3+1 strikethrough@4+1");
	check(html_parse, "<tg-spoiler>a</tg-spoiler><span class=\"tg-spoiler\">b</span>", "ab",
	    "spoiler@0+1 spoiler@1+1");
	check(html_parse, "<a href=\"https://a.example/?x=1&amp;y=2\">link</a>", "link",
	    "text_link@0+4(https://a.example/?x=1&y=2)");
	check(html_parse, "<a href='tg://user?id=77'>Ann</a>", "Ann", "text_mention@0+3#77");
	check(html_parse, "<blockquote>q</blockquote>\n<blockquote expandable>e</blockquote>", "q\ne",
	    "blockquote@0+1 expandable_blockquote@2+1");
	check(html_parse, "<tg-emoji emoji-id=\"5368324170671202286\">x</tg-emoji>", "x",
	    "custom_emoji@0+1(5368324170671202286)");
}

static void html_code_blocks_keep_their_language(void **state)
{
	(void)state;
	check(html_parse, "<code>x &lt; y</code>", "x < y", "code@0+5");
	check(html_parse, "<pre>a\nb</pre>", "a\nb", "pre@0+3");
	check(html_parse, "<pre><code class=\"language-c\">int x;</code></pre>", "int x;", "pre@0+6(c)");
	check(html_parse, "<code class=\"language-c\">x</code>", "x", "code@0+1");
}

static void html_references_are_decoded_and_others_stay(void **state)
{
	(void)state;
	check(html_parse, "&lt;&gt;&amp;&quot; &#65;&#x42; &nbsp; & &lt", "<>&\" AB &nbsp; & <", "");
}

static void html_errors_are_the_platforms(void **state)
{
	(void)state;
	check_error(html_parse, "a <b>x", "Can't find end tag corresponding to start tag \"b\"");
	check_error(html_parse, "a </b>", "Unexpected end tag at byte offset 2");
	check_error(html_parse, "<b>x<i>y</b></i>",
	    "Unmatched end tag at byte offset 8, expected \"</i>\", found \"</b>\"");
	check_error(html_parse, "x <h1>y</h1>", "Unsupported start tag \"h1\" at byte offset 2");
	check_error(html_parse, "1 < 2", "Unsupported start tag \"\" at byte offset 2");
	check_error(html_parse, "1 <2", "Unclosed start tag at byte offset 2");
	check_error(html_parse, "<a href>x</a>",
	    "Expected equal sign in declaration of an attribute of the tag \"a\" at byte offset 0");
	check_error(html_parse, "<span class=\"x\">y</span>",
	    "Tag \"span\" must have class \"tg-spoiler\" at byte offset 0");
}

static void offsets_count_two_units_beyond_the_basic_plane(void **state)
{
	(void)state;
	check(html_parse, "ä€<b>x</b>", "ä€x", "bold@2+1");
	check(html_parse, "😀<b>😀x</b>&#128512;<i>y</i>", "😀😀x😀y", "bold@2+3 italic@7+1");
	check(markdown_parse_v2, "😀*😀x* y", "😀😀x y", "bold@2+3");
	check(plain, "😀 @ann_b", "😀 @ann_b", "mention@3+6");
}

static void nested_entities_are_listed_outside_in(void **state)
{
	(void)state;
	check(html_parse, "<b>a<i>b</i></b>", "ab", "bold@0+2 italic@1+1");
	check(html_parse, "<i><b>a</b></i>", "a", "bold@0+1 italic@0+1");
	check(html_parse, "<code>a<b>b</b></code>", "ab", "code@0+2");
	check(html_parse, "<blockquote>a<blockquote>b</blockquote></blockquote>", "ab", "blockquote@0+2");
}

static void ends_are_trimmed(void **state)
{
	(void)state;
	check(html_parse, " \n <b>x</b> y \n", "x y", "bold@0+1");
	check(html_parse, "x<b> </b>", "x", "");
	check(plain, "a\tb\r\nc", "a b\nc", "");
	check(html_parse, "<i>\r</i>x<b>\ry</b>", "xy", "bold@1+1");
}

static void markdown_v2_marks_become_entities(void **state)
{
	(void)state;
	check(markdown_parse_v2, "*b* _i_ __u__ ~s~ ||p|| `c`", "b i u s p c",
	    "bold@0+1 italic@2+1 underline@4+1 strikethrough@6+1 spoiler@8+1 code@10+1");
	check(markdown_parse_v2, "*b _i __u__ i_ b*", "b i u i b", "bold@0+9 italic@2+5 underline@4+1");
	check(markdown_parse_v2, "```c\nx = 1;\n```", "x = 1;", "pre@0+6(c)");
	check(markdown_parse_v2, "[a](https://b.example/\\)) \\_x\\_", "a _x_",
	    "text_link@0+1(https://b.example/))");
	check(markdown_parse_v2, ">q1\n>q2\nno", "q1\nq2\nno", "blockquote@0+5");
	check(markdown_parse_v2, ">q||\nno", "q\nno", "expandable_blockquote@0+1");
	check(markdown_parse_v2, "[Ann](tg://user?id=7)", "Ann", "text_mention@0+3#7");
}

static void markdown_v2_errors_are_the_platforms(void **state)
{
	(void)state;
	check_error(markdown_parse_v2, "a.b",
	    "Character '.' is reserved and must be escaped with the preceding '\\'");
	check_error(markdown_parse_v2, "x - y",
	    "Character '-' is reserved and must be escaped with the preceding '\\'");
	check_error(markdown_parse_v2, "x *y", "Can't find end of Bold entity at byte offset 2");
	check_error(markdown_parse_v2, "`x", "Can't find end of Code entity at byte offset 0");
	check_error(markdown_parse_v2, "[x](http://y", "Can't find end of a URL at byte offset 4");
	check_error(markdown_parse_v2, "![x](http://y)", "Custom emoji entity must contain a tg://emoji URL");
}

static void legacy_markdown_is_read_too(void **state)
{
	(void)state;
	check(markdown_parse_legacy, "*b* _i_ `c` [l](http://x.example) a.b-c!", "b i c l a.b-c!",
	    "bold@0+1 italic@2+1 code@4+1 text_link@6+1(http://x.example/)");
	check(markdown_parse_legacy, "```py\nx\n```", "x", "pre@0+1(py)");
	check_error(
	    markdown_parse_legacy, "snake_case", "Can't find end of the entity starting at byte offset 5");
}

static void the_platform_finds_what_nobody_marked(void **state)
{
	(void)state;
	check(plain, "/start@myna_bot now, /help", "/start@myna_bot now, /help",
	    "bot_command@0+15 bot_command@21+5");
	check(plain, "a/b <b/> 1/2 //x", "a/b <b/> 1/2 //x", "");
	check(plain, "@ann_b, x@ann_b #tag #1 $USD", "@ann_b, x@ann_b #tag #1 $USD",
	    "mention@0+6 hashtag@16+4 cashtag@24+4");
	check(plain, "see https://a.example/x?y=(1). And b.org!", "see https://a.example/x?y=(1). And b.org!",
	    "url@4+24 url@35+5");
	check(plain, "mail ann@b.org or README.md", "mail ann@b.org or README.md", "email@5+9 url@18+9");
	check(html_parse, "<code>@ann_b b.org</code> <b>@bob_c</b>", "@ann_b b.org @bob_c",
	    "code@0+12 bold@13+6 mention@13+6");
}

static int read_entities(const char *text, const char *json, struct error *err)
{
	struct formatted f = FORMATTED_INIT;
	struct json_object *array = json_parse(json, strlen(json), NULL);
	int ret;

	buf_addstr(&f.text, text);
	ret = formatted_read_entities(&f, array, err);
	json_object_put(array);
	formatted_clear(&f);
	return ret;
}

static void given_entities_are_checked_against_the_text(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(read_entities("hello", "[{\"type\":\"bold\",\"offset\":0,\"length\":5}]", &err), 0);
	assert_int_equal(read_entities("hello", "[{\"type\":\"bold\",\"offset\":3,\"length\":5}]", &err), -1);
	assert_string_equal(err.text,
	    "entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 5");
	assert_int_equal(read_entities("😀x", "[{\"type\":\"bold\",\"offset\":1,\"length\":2}]", &err), -1);
	assert_int_equal(read_entities("x😀", "[{\"type\":\"bold\",\"offset\":0,\"length\":2}]", &err), -1);
	assert_int_equal(read_entities("x", "[{\"type\":\"shout\",\"offset\":0,\"length\":1}]", &err), -1);
	assert_int_equal(
	    read_entities("x", "[{\"type\":\"text_link\",\"offset\":0,\"length\":1}]", &err), -1);
}

static void crossing_entities_are_split(void **state)
{
	struct formatted f = FORMATTED_INIT;
	char *found;

	(void)state;
	buf_addstr(&f.text, "abcdef");
	formatted_add(&f, ENTITY_BOLD, 0, 4, NULL);
	formatted_add(&f, ENTITY_ITALIC, 2, 4, NULL);
	formatted_finish(&f);
	found = describe(&f);
	assert_string_equal(found, "bold@0+4 italic@2+2 italic@4+2");
	free(found);
	formatted_clear(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(html_tags_become_entities),
	    cmocka_unit_test(html_code_blocks_keep_their_language),
	    cmocka_unit_test(html_references_are_decoded_and_others_stay),
	    cmocka_unit_test(html_errors_are_the_platforms),
	    cmocka_unit_test(offsets_count_two_units_beyond_the_basic_plane),
	    cmocka_unit_test(nested_entities_are_listed_outside_in),
	    cmocka_unit_test(ends_are_trimmed),
	    cmocka_unit_test(markdown_v2_marks_become_entities),
	    cmocka_unit_test(markdown_v2_errors_are_the_platforms),
	    cmocka_unit_test(legacy_markdown_is_read_too),
	    cmocka_unit_test(the_platform_finds_what_nobody_marked),
	    cmocka_unit_test(given_entities_are_checked_against_the_text),
	    cmocka_unit_test(crossing_entities_are_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
