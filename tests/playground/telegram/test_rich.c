#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

/* "P" is a paragraph around a RichText. */
#define P(text) "{\"type\":\"paragraph\",\"text\":" text "}"
#define GROUP   "-1001"
#define BOB     "4712"

/* {"html": source}, or with markdown; more: further members, each after a comma. */
static char *rich(const char *field, const char *source, const char *more)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "{\"%s\":", field);
	json_quote(&out, source, strlen(source));
	buf_addf(&out, "%s}", more);
	return buf_take(&out);
}

static struct json_object *send_rich(const char *field, const char *source, const char *more, int status)
{
	char *text = rich(field, source, more);
	struct json_object *o = bot("sendRichMessage", status, "{\"chat_id\":77,\"rich_message\":%s}", text);

	free(text);
	return o;
}

/* What is sent, and the blocks that come of it. */
struct sample {
	const char *source, *blocks;
};

static void expect_blocks(const char *field, const char *source, const char *more, const char *blocks)
{
	struct json_object *o = send_rich(field, source, more, 200), *expected;
	char *text = xasprintf("[%s]", blocks), *got;

	expected = json_parse(text, strlen(text), NULL);
	assert_non_null(expected);
	got = json_text(client_object_at(o, "result.rich_message.blocks"));
	if (!json_object_equal(client_object_at(o, "result.rich_message.blocks"), expected))
		fail_msg("%s\nexpected %s\nbut it is %s", source, text, got);
	assert_string_equal(client_at(o, "result.text"), "");
	json_object_put(o);
	json_object_put(expected);
	free(text);
	free(got);
}

static void expect_samples(const char *field, const struct sample *samples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_blocks(field, samples[i].source, "", samples[i].blocks);
}

static void expect_refused(const char *field, const struct sample *samples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *says = xasprintf("Bad Request: %s", samples[i].blocks);

		expect_once(send_rich(field, samples[i].source, "", 400), "description", says);
		expect_verdict("telegram", "refused");
		free(says);
	}
}

static void html_marks_parts_of_a_text(void **state)
{
	static const struct sample samples[] = {
	    {"plain", P("\"plain\"")},
	    {"<b>a</b><strong>b</strong><i>c</i><em>d</em>",
		P("[{\"type\":\"bold\",\"text\":\"a\"},{\"type\":\"bold\",\"text\":\"b\"},"
		  "{\"type\":\"italic\",\"text\":\"c\"},{\"type\":\"italic\",\"text\":\"d\"}]")},
	    {"<u>a</u><s>b</s><mark>c</mark><sub>d</sub><sup>e</sup><tg-spoiler>f</tg-spoiler>",
		P("[{\"type\":\"underline\",\"text\":\"a\"},{\"type\":\"strikethrough\",\"text\":\"b\"},"
		  "{\"type\":\"marked\",\"text\":\"c\"},{\"type\":\"subscript\",\"text\":\"d\"},"
		  "{\"type\":\"superscript\",\"text\":\"e\"},{\"type\":\"spoiler\",\"text\":\"f\"}]")},
	    {"<b>a <i>b</i></b>",
		P("{\"type\":\"bold\",\"text\":[\"a \",{\"type\":\"italic\",\"text\":\"b\"}]}")},
	    {"<code>a  b</code>", P("{\"type\":\"code\",\"text\":\"a  b\"}")},
	    /* White space before a break goes, and with it what was marked in it alone. */
	    {"a<code>   </code><b><br>x<i>y</i>zzz</b>",
		P("[\"a\",{\"type\":\"bold\",\"text\":[\"\\nx\",{\"type\":\"italic\",\"text\":\"y\"},\"zzz\"]"
		  "}]")},
	    {" a \n\n b<br> c &lt;&#65;&hellip; ", P("\"a b\\nc <A\u2026\"")},
	    {"<a href=\"https://t.me/\">x</a>",
		P("{\"type\":\"url\",\"text\":\"x\",\"url\":\"https://t.me/\"}")},
	    {"<a href='mailto:a@b.de'>x</a>",
		P("{\"type\":\"email_address\",\"text\":\"x\",\"email_address\":\"a@b.de\"}")},
	    {"<a href='tel:+123'>x</a>",
		P("{\"type\":\"phone_number\",\"text\":\"x\",\"phone_number\":\"+123\"}")},
	    {"<a href='tg://user?id=9'>x</a>",
		P("{\"type\":\"text_mention\",\"text\":\"x\",\"user\":{\"id\":9,\"is_bot\":false,\"first_"
		  "name\":"
		  "\"\"}}")},
	    {"<a href='no link'>x</a>", P("\"x\"")},
	    {"a<a name='n'></a> <a href='#n'>x</a><a href='#'>top</a>",
		P("[\"a\",{\"type\":\"anchor\",\"name\":\"n\"},\" "
		  "\",{\"type\":\"anchor_link\",\"text\":\"x\","
		  "\"anchor_name\":\"n\"},{\"type\":\"anchor_link\",\"text\":\"top\",\"anchor_name\":\"\"}"
		  "]")},
	    {"<a href='#r'>x</a><tg-reference name='r'>y</tg-reference>",
		P("[{\"type\":\"reference_link\",\"text\":\"x\",\"reference_name\":\"r\"},"
		  "{\"type\":\"reference\",\"text\":\"y\",\"name\":\"r\"}]")},
	    {"<tg-emoji emoji-id='5'>👍</tg-emoji><img src='tg://emoji?id=6' alt='🎲'/>",
		P("[{\"type\":\"custom_emoji\",\"custom_emoji_id\":\"5\",\"alternative_text\":\"👍\"},"
		  "{\"type\":\"custom_emoji\",\"custom_emoji_id\":\"6\",\"alternative_text\":\"🎲\"}]")},
	    {"<tg-time unix='1647531900' format='wDT'>then</tg-time>",
		P("{\"type\":\"date_time\",\"text\":\"then\",\"unix_time\":1647531900,"
		  "\"date_time_format\":\"wDT\"}")},
	    {"<tg-math>x^2 &lt; *y*</tg-math>",
		P("{\"type\":\"mathematical_expression\",\"expression\":\"x^2 < *y*\"}")},
	};

	(void)state;
	expect_samples("html", samples, ARRAY_LEN(samples));
}

static void html_has_blocks(void **state)
{
#define ITEM(label, text) "{\"label\":\"" label "\",\"blocks\":[" P("\"" text "\"") "]"
#define CELL(text, more)  "{\"text\":\"" text "\",\"align\":\"left\",\"valign\":\"top\"" more "}"
	static const struct sample samples[] = {
	    {"<h1>a</h1><h6>b</h6>",
		"{\"type\":\"heading\",\"text\":\"a\",\"size\":1},{\"type\":\"heading\",\"text\":\"b\","
		"\"size\":6}"},
	    {"<p>a</p>b<hr/><footer>c</footer>",
		P("\"a\"") "," P("\"b\"") ",{\"type\":\"divider\"},{\"type\":\"footer\",\"text\":\"c\"}"},
	    {"<p>a<ul><li>b</li></ul></p>",
		P("\"a\"") ",{\"type\":\"list\",\"items\":[" ITEM("•", "b") "}]}"},
	    {"<pre>\n a\n  b\n</pre>", "{\"type\":\"pre\",\"text\":\" a\\n  b\"}"},
	    {"<pre><code class=\"language-c\">a;</code></pre>",
		"{\"type\":\"pre\",\"text\":\"a;\",\"language\":\"c\"}"},
	    {"<ol start=\"3\" type=\"a\"><li>x</li><li value=\"27\">y</li></ol>",
		"{\"type\":\"list\",\"items\":[" ITEM("c.", "x") ",\"value\":3,\"type\":\"a\"}," ITEM(
		    "aa.", "y") ",\"value\":27,\"type\":\"a\"}]}"},
	    {"<ol reversed><li>x</li><li type=\"I\">y</li></ol>",
		"{\"type\":\"list\",\"items\":[" ITEM("2.", "x") ",\"value\":2,\"type\":\"1\"}," ITEM(
		    "I.", "y") ",\"value\":1,\"type\":\"I\"}]}"},
	    {"<ol><li value=\"44\" type=\"i\">x</li></ol>",
		"{\"type\":\"list\",\"items\":[" ITEM("xliv.", "x") ",\"value\":44,\"type\":\"i\"}]}"},
	    {"<ul>\n<li><input type=\"checkbox\" checked>x</li>\n<li><input type=\"checkbox\">y</li>\n</ul>",
		"{\"type\":\"list\",\"items\":[" ITEM(
		    "•", "x") ",\"has_checkbox\":true,\"is_checked\":true}," ITEM("•",
		    "y") ",\"has_checkbox\":true}]}"},
	    {"<blockquote>a<br>b<cite>me</cite></blockquote>",
		"{\"type\":\"blockquote\",\"blocks\":[" P("\"a\\nb\"") "],\"credit\":\"me\"}"},
	    {"<blockquote expandable>a<cite>me</cite></blockquote>",
		"{\"type\":\"expandable_blockquote\",\"text\":\"a\",\"credit\":\"me\"}"},
	    {"<aside>a<cite>me</cite></aside>", "{\"type\":\"pullquote\",\"text\":\"a\",\"credit\":\"me\"}"},
	    {"<details open><summary>S</summary>a<hr></details>",
		"{\"type\":\"details\",\"summary\":\"S\",\"blocks\":[" P(
		    "\"a\"") ",{\"type\":\"divider\"}],\"is_open\":true}"},
	    {"<table bordered striped compact><caption>C</caption><tr><th>a</th><td colspan=\"2\" "
	     "rowspan=\"3\">b"
	     "</td></tr> <tr><td align=\"right\" valign=\"middle\">c</td><td></td></tr></table>",
		"{\"type\":\"table\",\"is_bordered\":true,\"is_striped\":true,\"is_compact\":true,"
		"\"caption\":\"C\","
		"\"cells\":[[" CELL("a", ",\"is_header\":true") "," CELL("b",
		    ",\"colspan\":2,\"rowspan\":3") "],["
						    "{\"text\":\"c\",\"align\":\"right\",\"valign\":"
						    "\"middle\"},{\"align\":\"left\",\"valign\":\"top\"}]]}"},
	    {"<a name=\"n\"></a><h2>x</h2>",
		"{\"type\":\"anchor\",\"name\":\"n\"},{\"type\":\"heading\",\"text\":\"x\",\"size\":2}"},
	    {"<tg-math-block>E = mc^2</tg-math-block>",
		"{\"type\":\"mathematical_expression\",\"expression\":\"E = mc^2\"}"},
	    {"<figure><tg-map lat=\"41.5\" long=\"12.5\" "
	     "zoom=\"14\"/><figcaption>M<cite>me</cite></figcaption>"
	     "</figure>",
		"{\"type\":\"map\",\"location\":{\"latitude\":41.5,\"longitude\":12.5},\"zoom\":14,\"width\":"
		"640,"
		"\"height\":360,\"caption\":{\"text\":\"M\",\"credit\":\"me\"}}"},
	};

	(void)state;
	expect_samples("html", samples, ARRAY_LEN(samples));
}

static void markdown_is_that_of_github_and_more(void **state)
{
	static const struct sample samples[] = {
	    {"**a** __b__ *c* _d_ ~~e~~ `f`",
		P("[{\"type\":\"bold\",\"text\":\"a\"},\" \",{\"type\":\"bold\",\"text\":\"b\"},\" \","
		  "{\"type\":\"italic\",\"text\":\"c\"},\" \",{\"type\":\"italic\",\"text\":\"d\"},\" \","
		  "{\"type\":\"strikethrough\",\"text\":\"e\"},\" \",{\"type\":\"code\",\"text\":\"f\"}]")},
	    {"==a **b**== ||c||, a == b == c, \\==d==, `==e==`",
		P("[{\"type\":\"marked\",\"text\":[\"a \",{\"type\":\"bold\",\"text\":\"b\"}]},\" \","
		  "{\"type\":\"spoiler\",\"text\":\"c\"},\", a == b == c, ==d==, \","
		  "{\"type\":\"code\",\"text\":\"==e==\"}]")},
	    {"$x^2$ costs $5 to $10",
		P("[{\"type\":\"mathematical_expression\",\"expression\":\"x^2\"},\" costs $5 to $10\"]")},
	    {"$$a<b$$\n\n```math\nE = 1\n```",
		"{\"type\":\"mathematical_expression\",\"expression\":\"a<b\"},"
		"{\"type\":\"mathematical_expression\",\"expression\":\"E = 1\"}"},
	    {"[a](https://t.me/) ![👍](tg://emoji?id=5) ![then](tg://time?unix=7&format=wDT) "
	     "[u](tg://user?id=9)",
		P("[{\"type\":\"url\",\"text\":\"a\",\"url\":\"https://t.me/\"},\" "
		  "\",{\"type\":\"custom_emoji\","
		  "\"custom_emoji_id\":\"5\",\"alternative_text\":\"👍\"},\" "
		  "\",{\"type\":\"date_time\",\"text\":"
		  "\"then\",\"unix_time\":7,\"date_time_format\":\"wDT\"},\" "
		  "\",{\"type\":\"text_mention\",\"text\":"
		  "\"u\",\"user\":{\"id\":9,\"is_bot\":false,\"first_name\":\"\"}}]")},
	    {"## T\n\na\nb  \nc\n\n---\n\n```c\nx;\n\ny;\n```",
		"{\"type\":\"heading\",\"text\":\"T\",\"size\":2}," P(
		    "\"a b\\nc\"") ",{\"type\":\"divider\"},{\"type\":\"pre\",\"text\":\"x;\\n\\ny;\","
				   "\"language\":\"c\"}"},
	    {"3. a\n4. b\n   - [x] c",
		"{\"type\":\"list\",\"items\":[" ITEM(
		    "3.", "a") ",\"value\":3,\"type\":\"1\"},{\"label\":\"4.\","
			       "\"blocks\":[" P("\"b\"") ",{\"type\":\"list\",\"items\":[" ITEM(
				   "•", "c") ",\"has_checkbox\":true,\"is_checked\":true}]}],\"value\":4,"
					     "\"type\":\"1\"}]}"},
	    {"> a\n>\n> > b",
		"{\"type\":\"blockquote\",\"blocks\":[" P("\"a\"") ",{\"type\":\"blockquote\",\"blocks\":[" P(
		    "\"b\"") "]}]}"},
	    {"| A | B |\n|:-|-:|\n| **1** |",
		"{\"type\":\"table\",\"cells\":[[" CELL(
		    "A", ",\"is_header\":true") ",{\"text\":\"B\",\"align\":"
						"\"right\",\"valign\":\"top\",\"is_header\":true}],[{"
						"\"text\":{\"type\":\"bold\",\"text\":\"1\"},"
						"\"align\":\"left\",\"valign\":\"top\"},{\"align\":\"right\","
						"\"valign\":\"top\"}]]}"},
	    {"x[^1][^none]\n\n[^1]: a *note*\n  of two lines\n\n```\n[^2]: code\n```",
		P("[\"x\",{\"type\":\"superscript\",\"text\":{\"type\":\"reference_link\",\"text\":\"1\","
		  "\"reference_name\":\"1\"}},\"[^none]\"]") "," P("{\"type\":\"reference\",\"name\":\"1\","
								   "\"text\":[\"a "
								   "\",{\"type\":\"italic\",\"text\":"
								   "\"note\"},"
								   "\" of two lines\"]}") ",{\"type\":"
											  "\"pre\",\"text\":"
											  "\"[^2]: code\"}"},
	    {"<details open><summary>S **b**</summary>\n\n- x\n\n</details>\n\nend",
		"{\"type\":\"details\",\"is_open\":true,\"summary\":[\"S "
		"\",{\"type\":\"bold\",\"text\":\"b\"}],"
		"\"blocks\":[{\"type\":\"list\",\"items\":[" ITEM("•", "x") "}]}]}," P("\"end\"")},
	    {"<u>a *b*</u> <odd>c</odd><!-- d -->",
		P("[{\"type\":\"underline\",\"text\":[\"a \",{\"type\":\"italic\",\"text\":\"b\"}]},\" "
		  "c\"]")},
	    {"1 < 2 & \"3\" &amp; <b>x</b>",
		P("[\"1 < 2 & \\\"3\\\" & \",{\"type\":\"bold\",\"text\":\"x\"}]")},
	};

	(void)state;
	expect_samples("markdown", samples, ARRAY_LEN(samples));
}

static void mentions_links_and_commands_are_found_unless_it_is_skipped(void **state)
{
	static const char source[] = "<b>@abc</b> /go #tag $USD a@b.de t.me <code>/no</code>";
	struct json_object *o;

	(void)state;
	expect_blocks("html", source, "",
	    P("[{\"type\":\"bold\",\"text\":{\"type\":\"mention\",\"text\":\"@abc\",\"username\":\"abc\"}},"
	      "\" \","
	      "{\"type\":\"bot_command\",\"text\":\"/go\",\"bot_command\":\"/go\"},\" \","
	      "{\"type\":\"hashtag\",\"text\":\"#tag\",\"hashtag\":\"#tag\"},\" \","
	      "{\"type\":\"cashtag\",\"text\":\"$USD\",\"cashtag\":\"$USD\"},\" \","
	      "{\"type\":\"email_address\",\"text\":\"a@b.de\",\"email_address\":\"a@b.de\"},\" \","
	      "{\"type\":\"url\",\"text\":\"t.me\",\"url\":\"t.me\"},\" "
	      "\",{\"type\":\"code\",\"text\":\"/no\"}]"));
	expect_blocks("markdown", "@abc /go", ",\"skip_entity_detection\":true", P("\"@abc /go\""));
	o = send_rich("html", "x", ",\"is_rtl\":true", 200);
	expect_at(o, "result.rich_message.is_rtl", "true");
	json_object_put(o);
}

/* before, then so many times each, then after. */
static char *repeated(const char *before, const char *each, size_t count, const char *after)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, before);
	while (count-- > 0)
		buf_addstr(&out, each);
	buf_addstr(&out, after);
	return buf_take(&out);
}

static void a_rich_message_has_limits(void **state)
{
	static const struct {
		const char *field, *before, *each, *after, *says;
		size_t max;
	} limits[] = {
	    {"markdown", "", "ä", "", "MESSAGE_TOO_LONG", 32768},
	    {"html", "<tg-math>", "x", "</tg-math>", "MESSAGE_TOO_LONG", 32768},
	    {"html", "", "<hr>", "", "rich message has more than 500 blocks", 500},
	    {"html", "<ul>", "<li></li>", "</ul>", "rich message has more than 500 blocks", 499},
	    {"html", "<table>", "<tr><td>x</td></tr>", "</table>", "rich message has more than 500 blocks",
		499},
	    {"html", "<table><tr>", "<td></td>", "</tr></table>",
		"rich message has a table with more than 20 columns", 20},
	    {"markdown", "", "> ", "x",
		"rich message has more than 16 levels of nested formatting and blocks", 16},
	    {"markdown", "", "- ", "x",
		"rich message has more than 16 levels of nested formatting and blocks", 16},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		char *most = repeated(limits[i].before, limits[i].each, limits[i].max, limits[i].after),
		     *more = repeated(limits[i].before, limits[i].each, limits[i].max + 1, limits[i].after);

		json_object_put(send_rich(limits[i].field, most, "", 200));
		expect_refused(limits[i].field, &(struct sample){more, limits[i].says}, 1);
		free(most);
		free(more);
	}
}

static void what_is_no_rich_message_is_refused(void **state)
{
#define PARSE "can't parse rich message: "
	static const struct sample html[] = {
	    {"", "rich message must be non-empty"},
	    {"<p> </p><br>", "rich message must be non-empty"},
	    {"a<x>", PARSE "Unsupported start tag \"x\" at byte offset 1"},
	    {"<b>a</i>", PARSE "Unmatched end tag, expected \"</b>\", found \"i\" at byte offset 4"},
	    {"<b>a", PARSE "Can't find end tag corresponding to start tag \"b\""},
	    {"<b", PARSE "Unclosed start tag \"b\" at byte offset 0"},
	    {"<ul>x</ul>", PARSE "text must not be inside of \"ul\""},
	    {"<li>x</li>", PARSE "tag \"li\" must not be inside of \"the message\""},
	    {"<table><tr><td><hr></td></tr></table>", PARSE "tag \"hr\" must not be inside of \"td\""},
	    {"<tg-emoji>x</tg-emoji>", PARSE "Invalid custom emoji identifier specified"},
	    {"<tg-time unix='x'>x</tg-time>", PARSE "Invalid Unix time specified"},
	    {"<tg-map lat='91' long='0'/>", "invalid location specified"},
	    {"<img src='https://a.example/a.jpg'>", "failed to get HTTP URL content"},
	    {"<img src='photo-1'>", PARSE "tag \"img\" must have an HTTP URL"},
	    {"<img src='tg://photo?id=1'>", PARSE "there is no media for \"tg://photo?id=1\""},
	    {"<tg-thinking>hm</tg-thinking>", PARSE "tag \"tg-thinking\" is allowed only in drafts"},
	    {"<tg-button type='disabled'>x</tg-button>",
		"buttons of rich messages are not simulated by the playground"},
	};
	static const struct sample markdown[] = {
	    {"a <b>c", PARSE "Can't find end tag corresponding to start tag \"b\""},
	    {"![](https://a.example/a.jpg)", "failed to get HTTP URL content"},
	};
	static const struct sample calls[] = {
	    {"{\"chat_id\":77}", "Bad Request: parameter \"rich_message\" is required"},
	    {"{\"chat_id\":77,\"rich_message\":{}}",
		"Bad Request: exactly one of the fields \"html\" and \"markdown\" must be specified in the "
		"rich message"},
	    {"{\"chat_id\":77,\"rich_message\":{\"html\":\"a\",\"markdown\":\"a\"}}",
		"Bad Request: exactly one of the fields \"html\" and \"markdown\" must be specified in the "
		"rich message"},
	    {"{\"chat_id\":77,\"rich_message\":{\"blocks\":[]}}",
		"Bad Request: \"blocks\" of rich messages is not simulated by the playground"},
	    {"{\"chat_id\":78,\"rich_message\":{\"html\":\"a\"}}", "Bad Request: chat not found"},
	};

	(void)state;
	expect_refused("html", html, ARRAY_LEN(html));
	expect_refused("markdown", markdown, ARRAY_LEN(markdown));
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		expect_once(
		    bot("sendRichMessage", 400, "%s", calls[i].source), "description", calls[i].blocks);
}

static void a_block_shows_a_file_of_the_playground(void **state)
{
	struct json_object *o, *file;
	char *url, *source;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"a.gif\",\"base64\":"
	    "\"R0lGODlhEAAQADs=\"}]}"));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	file = bot("getFile", 200, "{\"file_id\":\"%s\"}", client_at(o, "result.0.message.document.file_id"));
	url = xasprintf("%s/%s", at("/telegram/file/bot" TOKEN), client_at(file, "result.file_path"));
	json_object_put(o);
	json_object_put(file);
	source = xasprintf("<tg-collage><img src='%s'/><video src='%s'/><tg-document src='%s'/></tg-collage>"
			   "<figure><img src='%s' tg-spoiler/><figcaption>C</figcaption></figure>",
	    url, url, url, url);
	o = send_rich("html", source, "", 200);
	expect_at(o, "result.rich_message.blocks.0.type", "collage");
	expect_at(o, "result.rich_message.blocks.0.blocks.0.photo.0.width", "16");
	expect_at(o, "result.rich_message.blocks.0.blocks.1.type", "animation");
	expect_at(o, "result.rich_message.blocks.0.blocks.2.document.file_name", "a.gif");
	expect_at(o, "result.rich_message.blocks.1.has_spoiler", "true");
	expect_at(o, "result.rich_message.blocks.1.caption.text", "C");
	json_object_put(o);
	free(source);
	/* Or one that is given beside. */
	source =
	    xasprintf(",\"media\":[{\"id\":\"a\",\"media\":{\"type\":\"photo\",\"media\":\"%s\"}}]", url);
	o = send_rich("markdown", "![](tg://photo?id=a \"C\")", source, 200);
	expect_at(o, "result.rich_message.blocks.0.photo.0.width", "16");
	expect_at(o, "result.rich_message.blocks.0.caption.text", "C");
	json_object_put(o);
	expect_once(send_rich("markdown", "![](tg://video?id=a)", source, 400), "description",
	    "Bad Request: can't parse rich message: there is no media for \"tg://video?id=a\"");
	free(url);
	free(source);
}

static struct json_object *transcript(void)
{
	return client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
}

static void people_read_it_and_it_is_passed_on(void **state)
{
	struct json_object *o =
	    send_rich("markdown", "# T\n\n- **a**\n- [x] b\n\n|c|d|\n|-|-|\n|1|2|\n\n$$e$$", "", 200);
	char *id = xstrdup(client_at(o, "result.message_id"));

	(void)state;
	json_object_put(o);
	o = bot("forwardMessage", 200, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%s}", id);
	expect_at(o, "result.rich_message.blocks.0.text", "T");
	expect_at(o, "result.forward_origin.type", "user");
	json_object_put(o);
	json_object_put(
	    bot("copyMessage", 200, "{\"chat_id\":77,\"from_chat_id\":77,\"message_id\":%s}", id));
	o = transcript();
	for (int i = 1; i < 4; i++) {
		char path[64];

		snprintf(path, sizeof(path), "messages.%d.text", i);
		expect_at(o, path, "T\n• a\n[x] b\nc | d\n1 | 2\ne");
		snprintf(path, sizeof(path), "messages.%d.rich_message.blocks.1.items.0.label", i);
		expect_at(o, path, "•");
	}
	json_object_put(o);
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"rich_message\":{\"blocks\":[" P("\"said\"") "]}}"));
	expect_once(transcript(), "messages.4.text", "said");
	json_object_put(
	    control("wait", "{\"platform\":\"telegram\",\"chat\":\"77\",\"contains\":\"1 | 2\"}"));
	free(id);
}

static void it_is_edited_to_a_text_and_back(void **state)
{
	struct json_object *o = send_rich("markdown", "# T", "", 200);
	char *id = xstrdup(client_at(o, "result.message_id"));
	static const char same[] =
	    "Bad Request: message is not modified: specified new message content and reply "
	    "markup are exactly the same as a current content and reply markup of the message";

	(void)state;
	json_object_put(o);
	expect_once(bot("editMessageText", 400,
			"{\"chat_id\":77,\"message_id\":%s,\"rich_message\":{\"html\":\"<h1>T</h1>\"}}", id),
	    "description", same);
	o = bot("editMessageText", 200,
	    "{\"chat_id\":77,\"message_id\":%s,\"rich_message\":{\"html\":\"<h2>U</h2>\"}}", id);
	expect_at(o, "result.rich_message.blocks.0.size", "2");
	json_object_put(o);
	o = bot("editMessageText", 200, "{\"chat_id\":77,\"message_id\":%s,\"text\":\"plain\"}", id);
	expect_at(o, "result.text", "plain");
	expect_at(o, "result.rich_message.blocks.0.size", "");
	json_object_put(o);
	o = bot("editMessageText", 200,
	    "{\"chat_id\":77,\"message_id\":%s,\"rich_message\":\"{\\\"markdown\\\":\\\"*x*\\\"}\"}", id);
	expect_at(o, "result.text", "");
	expect_at(o, "result.rich_message.blocks.0.text.type", "italic");
	json_object_put(o);
	expect_once(bot("editMessageText", 400,
			"{\"chat_id\":77,\"message_id\":%s,\"rich_message\":{\"html\":\"<x>\"}}", id),
	    "description",
	    "Bad Request: can't parse rich message: Unsupported start tag \"x\" at byte offset 0");
	expect_once(bot("editMessageText", 400, "{\"chat_id\":77,\"message_id\":%s}", id), "description",
	    "Bad Request: message text is empty");
	o = transcript();
	expect_at(o, "messages.1.text", "x");
	expect_at(o, "messages.1.edits", "3");
	json_object_put(o);
	free(id);
}

static void a_draft_is_rich_until_the_message_comes(void **state)
{
	struct json_object *o;

	(void)state;
	expect_once(bot("sendRichMessageDraft", 200,
			"{\"chat_id\":77,\"draft_id\":5,\"can_stop\":true,\"rich_message\":{\"html\":\"<tg-"
			"thinking>hm"
			"</tg-thinking>\"}}"),
	    "result", "true");
	o = transcript();
	expect_at(o, "drafts.0.text", "hm");
	expect_at(o, "drafts.0.rich_message.blocks.0.type", "thinking");
	expect_at(o, "drafts.0.buttons.0.id", "stop");
	json_object_put(o);
	json_object_put(bot("sendRichMessageDraft", 200,
	    "{\"chat_id\":77,\"draft_id\":5,\"rich_message\":{\"markdown\":\"# H\"}}"));
	expect_once(transcript(), "drafts.0.text", "H");
	json_object_put(bot("sendMessageDraft", 200, "{\"chat_id\":77,\"draft_id\":5,\"text\":\"plain\"}"));
	o = transcript();
	expect_at(o, "drafts.0.text", "plain");
	expect_at(o, "drafts.0.rich_message.blocks.0.type", "");
	json_object_put(o);
	expect_once(bot("sendRichMessageDraft", 400,
			"{\"chat_id\":77,\"draft_id\":0,\"rich_message\":{\"markdown\":\"x\"}}"),
	    "description", "Bad Request: draft_id must be non-zero");
	json_object_put(send_rich("markdown", "done", "", 200));
	expect_once(transcript(), "drafts.0.id", "");
}

static void it_can_be_an_inline_result_or_for_one_person(void **state)
{
	struct json_object *o =
	    control("inline", "{\"platform\":\"telegram\",\"user\":\"77\",\"query\":\"x\"}");
	char *id = xstrdup(client_at(o, "query_id"));

	(void)state;
	json_object_put(o);
	json_object_put(bot("answerInlineQuery", 200,
	    "{\"inline_query_id\":\"%s\",\"results\":[{\"type\":\"article\",\"id\":\"a\",\"title\":\"T\","
	    "\"input_message_content\":{\"rich_message\":{\"markdown\":\"# T\"}}}]}",
	    id));
	json_object_put(control("inline",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"query_id\":\"%s\",\"result\":\"a\"}", id));
	free(id);
	o = bot("getUpdates", 200, "{\"offset\":-2}");
	expect_at(o, "result.0.message.rich_message.blocks.0.type", "heading");
	json_object_put(o);
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"" GROUP "\",\"kind\":\"group\",\"user\":\"" BOB
	    "\",\"text\":\"hi\"}"));
	o = bot("sendRichMessage", 200,
	    "{\"chat_id\":" GROUP ",\"rich_message\":{\"html\":\"a\"},\"ephemeral_message_parameters\":"
	    "{\"receiver_user_id\":" BOB "}}");
	expect_once(bot("editEphemeralMessageText", 200,
			"{\"chat_id\":" GROUP ",\"receiver_user_id\":" BOB
			",\"ephemeral_message_id\":%s,\"rich_message\":{\"html\":\"b\"}}",
			client_at(o, "result.ephemeral_message_id")),
	    "result", "true");
	json_object_put(o);
	expect_once(
	    client_get(at("/control/transcript?platform=telegram&chat=" GROUP), 200), "messages.1.text", "b");
}

static void it_is_there_after_a_restart(void **state)
{
	char dir[] = "/tmp/myna-test-rich-XXXXXX";
	const char *options[] = {"--data", mkdtemp(dir), NULL};
	struct json_object *before, *after;
	char *file;

	(void)state;
	fixture_end();
	fixture_start(options);
	say("hi");
	json_object_put(send_rich("markdown", "# T\n\n> q", "", 200));
	before = transcript();
	fixture_end();
	fixture_start(options);
	after = transcript();
	expect_at(after, "messages.1.rich_message.blocks.1.blocks.0.text", "q");
	assert_true(
	    json_object_equal(client_object_at(before, "messages"), client_object_at(after, "messages")));
	json_object_put(before);
	json_object_put(after);
	fixture_end();
	file = xasprintf("%s/playground.json", dir);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(dir), 0);
	free(file);
	fixture_start(NULL);
}

/* Person 77 has written to the bot. */
static int set_up(void **state)
{
	fixture_reset(state);
	say("hi");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(html_marks_parts_of_a_text, set_up),
	    cmocka_unit_test_setup(html_has_blocks, set_up),
	    cmocka_unit_test_setup(markdown_is_that_of_github_and_more, set_up),
	    cmocka_unit_test_setup(mentions_links_and_commands_are_found_unless_it_is_skipped, set_up),
	    cmocka_unit_test_setup(a_rich_message_has_limits, set_up),
	    cmocka_unit_test_setup(what_is_no_rich_message_is_refused, set_up),
	    cmocka_unit_test_setup(a_block_shows_a_file_of_the_playground, set_up),
	    cmocka_unit_test_setup(people_read_it_and_it_is_passed_on, set_up),
	    cmocka_unit_test_setup(it_is_edited_to_a_text_and_back, set_up),
	    cmocka_unit_test_setup(a_draft_is_rich_until_the_message_comes, set_up),
	    cmocka_unit_test_setup(it_can_be_an_inline_result_or_for_one_person, set_up),
	    cmocka_unit_test_setup(it_is_there_after_a_restart, set_up),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
