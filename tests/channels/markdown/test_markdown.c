#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/mem.h"
#include "base/task.h"
#include "channels/markdown/markdown.h"
#include "channels/markdown/split.h"
#include "channels/markdown/width.h"
#include "channels/telegram/render.h"
#include "channels/telegram/split.h"

/* Of the processor, and far more than it takes. */
#define CPU_MAX (5 * CLOCKS_PER_SEC)

static const char *const names[] = {
    [MARKDOWN_DOCUMENT] = "doc",
    [MARKDOWN_QUOTE] = "quote",
    [MARKDOWN_LIST] = "list",
    [MARKDOWN_ITEM] = "item",
    [MARKDOWN_PARAGRAPH] = "p",
    [MARKDOWN_HEADING] = "h",
    [MARKDOWN_CODE_BLOCK] = "pre",
    [MARKDOWN_RULE] = "hr",
    [MARKDOWN_TABLE] = "table",
    [MARKDOWN_ROW] = "row",
    [MARKDOWN_CELL] = "cell",
    [MARKDOWN_BREAK] = "br",
    [MARKDOWN_CODE] = "code",
    [MARKDOWN_EMPHASIS] = "em",
    [MARKDOWN_STRONG] = "b",
    [MARKDOWN_STRIKE] = "del",
    [MARKDOWN_SPOILER] = "spoiler",
    [MARKDOWN_LINK] = "link",
    [MARKDOWN_IMAGE] = "image",
};

/* "(p text (b bold))" */
static void show(struct buf *out, const struct markdown_node *n)
{
	if (n->type == MARKDOWN_TEXT) {
		buf_addch(out, '\'');
		buf_add(out, n->text, n->len);
		buf_addch(out, '\'');
		return;
	}
	buf_addf(out, "(%s", names[n->type]);
	if (n->type != MARKDOWN_LIST && n->number != 0)
		buf_addf(out, " %u", n->number);
	if (n->mark != 0)
		buf_addf(out, " [%c]", n->mark);
	if (n->len > 0)
		buf_addf(out, " <%.*s>", (int)n->len, n->text);
	for (const struct markdown_node *c = n->first; c; c = c->next) {
		buf_addch(out, ' ');
		assert_ptr_equal(c->parent, n);
		show(out, c);
	}
	buf_addch(out, ')');
}

static void expect(const char *text, const char *tree)
{
	struct markdown doc;
	struct buf out = BUF_INIT;

	markdown_parse(&doc, text, strlen(text));
	show(&out, doc.root);
	assert_string_equal(out.data, tree);
	buf_clear(&out);
	markdown_clear(&doc);
}

static void blocks_become_a_tree(void **state)
{
	(void)state;
	expect("", "(doc)");
	expect("# T\ntext", "(doc (h 1 'T') (p 'text'))");
	expect("a\nb", "(doc (p 'a' (br) 'b'))");
	expect("> q", "(doc (quote (p 'q')))");
	expect("```c x\na\n\nb\n```", "(doc (pre <c> 'a' '' 'b'))");
	expect("***", "(doc (hr))");
	expect("|a|b|\n|:-:|--|\n|1|",
	    "(doc (table (row (cell [c] 'a') (cell 'b')) (row (cell [c] '1') (cell))))");
}

static void items_hold_blocks_also_in_tight_lists(void **state)
{
	(void)state;
	expect("- a\n  - b\n- c", "(doc (list (item (p 'a') (list (item (p 'b')))) (item (p 'c'))))");
	expect("3. a\n4. b", "(doc (list (item 3 (p 'a')) (item 4 (p 'b'))))");
	expect("- [x] a\n- [ ] b", "(doc (list (item [x] (p 'a')) (item [ ] (p 'b'))))");
	expect("- a\n\n- b", "(doc (list (item (p 'a')) (item (p 'b'))))");
}

static void spans_become_a_tree(void **state)
{
	(void)state;
	expect("**b *i*** ~~s~~", "(doc (p (b 'b ' (em 'i')) ' ' (del 's')))");
	expect("`a*b*` ||s||", "(doc (p (code 'a*b*') ' ' (spoiler 's')))");
	expect("[t](u) ![i](<a b>)", "(doc (p (link <u> 't') ' ' (image <a b> 'i')))");
	expect("&lt;b&gt; <b> a<br>b", "(doc (p '<b> <b> a' (br) 'b'))");
	expect("$x_1$ \\(y\\) $5", "(doc (p (code 'x_1') ' ' (code 'y') ' $5'))");
}

static void what_models_get_wrong_is_mended(void **state)
{
	(void)state;
	expect("T:\n|a|b|\n|-|-|\n|1|2|\nEnd",
	    "(doc (p 'T:') (table (row (cell 'a') (cell 'b')) (row (cell '1') (cell '2'))) (p 'End'))");
	expect("A sentence.\n---\nb", "(doc (p 'A sentence.') (hr) (p 'b'))");
	expect("- a\nEnd", "(doc (list (item (p 'a'))) (p 'End'))");
	expect("1. a\n  - b\n2. c", "(doc (list (item 1 (p 'a') (list (item (p 'b')))) (item 2 (p 'c'))))");
	expect("**重：**次", "(doc (p (b '重：') '次'))");
	expect("2*3*4", "(doc (p '2*3*4'))");
	expect("[^1]: x", "(doc (p '[^1]: x'))");
	expect("```\n1. a\n  - b\nx*y*z\n- a\nEnd\n```", "(doc (pre '1. a' '  - b' 'x*y*z' '- a' 'End'))");
}

static unsigned depth_of(const struct markdown_node *n)
{
	unsigned depth = 0;

	for (const struct markdown_node *c = n->first; c; c = c->next) {
		unsigned d = depth_of(c);

		depth = d > depth ? d : depth;
	}
	return depth + 1;
}

static void nesting_is_limited_and_loses_no_text(void **state)
{
	static const char *const pieces[] = {"> ", "- ", "1. ", "**a ", "*b _c ", "[", "![x"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct buf text = BUF_INIT;
		struct markdown doc;
		bool found = false;

		while (text.len < 20000)
			buf_addstr(&text, pieces[i]);
		buf_addstr(&text, "end\n");
		markdown_parse(&doc, text.data, text.len);
		assert_true(depth_of(doc.root) <= MARKDOWN_DEPTH + MARKDOWN_SPANS + 4);
		for (const struct markdown_node *n = doc.root; (n = markdown_next(doc.root, n));)
			found |= n->type == MARKDOWN_TEXT && strstr(n->text, "end");
		assert_true(found);
		markdown_clear(&doc);
		buf_clear(&text);
	}
}

static void a_long_text_is_read_in_sections_without_a_seam(void **state)
{
	struct buf text = BUF_INIT;
	struct markdown doc;
	size_t headings = 0, lines = 0;

	(void)state;
	for (int i = 0; i < 400; i++)
		buf_addf(&text,
		    "## Title %d\n\n```c\n# no title\n\n# none\n```\n\nText with **bold** and more of "
		    "it.\n\n",
		    i);
	buf_addstr(&text, "```\n");
	for (int i = 0; i < 5000; i++)
		buf_addf(&text, "# line %d\n", i);
	markdown_parse(&doc, text.data, text.len);
	for (const struct markdown_node *n = doc.root->first; n; n = n->next) {
		headings += n->type == MARKDOWN_HEADING;
		for (const struct markdown_node *c = n->first; c && n->type == MARKDOWN_CODE_BLOCK;
		     c = c->next)
			lines++;
	}
	assert_int_equal(headings, 400);
	assert_int_equal(lines, 400 * 3 + 5000);
	markdown_clear(&doc);
	buf_clear(&text);
}

static void a_short_text_cannot_become_a_large_tree(void **state)
{
	struct buf text = BUF_INIT;
	struct markdown doc;
	size_t nodes = 0;

	(void)state;
	for (int i = 0; i < 2000; i++)
		buf_addstr(&text, "|a");
	buf_addstr(&text, "\n");
	for (int i = 0; i < 2000; i++)
		buf_addstr(&text, "|---");
	for (int i = 0; i < 2000; i++)
		buf_addstr(&text, "\n|b");
	markdown_parse(&doc, text.data, text.len);
	for (const struct markdown_node *n = doc.root; (n = markdown_next(doc.root, n));)
		nodes++;
	assert_true(nodes < 3 * text.len);
	markdown_clear(&doc);
	buf_clear(&text);
}

/* Tasks have small stacks with a guard below. */
static void render_in_task(struct task *t, void *arg)
{
	static const char *const pieces[] = {
	    "> ", "- ", "**a ", "*_", "[", "1. > ", "||", "| a ", "![", "<", "`"};

	(void)t;
	(void)arg;
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct telegram_rendering r;
		struct buf text = BUF_INIT;
		char **parts;

		while (text.len < 60000)
			buf_addstr(&text, pieces[i]);
		buf_addstr(&text, "end");
		telegram_render(&r, text.data);
		telegram_rendering_clear(&r);
		parts = telegram_split(text.data);
		for (size_t k = 0; parts[k]; k++)
			free(parts[k]);
		free(parts);
		buf_clear(&text);
	}
}

static void hostile_nesting_fits_the_stack_of_a_task(void **state)
{
	(void)state;
	task_run("test", render_in_task, NULL);
}

/* Each message once took as long as all those before it: a minute of the processor for three megabytes. */
static void a_long_text_is_split_in_proportion_to_its_length(void **state)
{
	struct buf text = BUF_INIT;
	clock_t began = clock();
	size_t count = 0;
	char **parts;

	(void)state;
	while (text.len < 1200000)
		buf_addstr(&text, "a\n");
	parts = telegram_split(text.data);
	assert_true(clock() - began < 2 * CPU_MAX);
	for (; parts[count]; count++)
		free(parts[count]);
	assert_in_range(count, text.len / 4096, text.len / 2000);
	free(parts);
	buf_clear(&text);
}

static size_t fits;

/* As on Slack, where each & is five characters. */
static enum markdown_fit fit_escaped(const char *part, size_t units)
{
	size_t len = 0;

	fits++;
	for (; *part; part++)
		len += *part == '&' ? 5 : 1;
	return len > units ? MARKDOWN_TOO_LONG : MARKDOWN_FITS;
}

static void the_size_of_what_escapes_lengthen_is_not_sought_for_each_message(void **state)
{
	const struct markdown_limit limit = {.units = 3000, .fit = fit_escaped};
	struct buf text = BUF_INIT;
	size_t count = 0, longest = 0;
	char **parts;

	(void)state;
	while (text.len < 100000)
		buf_addch(&text, '&');
	for (int i = 0; i < 5000; i++)
		buf_addstr(&text, "x ");
	fits = 0;
	parts = markdown_split(text.data, &limit);
	for (; parts[count]; count++) {
		longest = strlen(parts[count]) > longest ? strlen(parts[count]) : longest;
		free(parts[count]);
	}
	free(parts);
	assert_true(fits < 3 * count);
	assert_in_range(count, 10 + 100000 / 600, 10 + 100000 / 350);
	/* What follows goes back to whole messages. */
	assert_true(longest > 2500);
	buf_clear(&text);
}

/* Minutes of the processor when each message, or each line, has all of what stands before it again. */
static void what_precedes_many_lines_is_not_written_with_each(void **state)
{
	static const struct {
		const char *begin, *repeated, *end, *line;
	} table[] = {
	    {"1.", " ", "x\n", "  - a\n"},
	    {"", "1", ". x\n", "  - a\n"},
	    {"```", "a", "\n", "b\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct buf text = BUF_INIT;
		clock_t began = clock();
		char **parts;

		buf_addstr(&text, table[i].begin);
		while (text.len < 12000)
			buf_addstr(&text, table[i].repeated);
		buf_addstr(&text, table[i].end);
		while (text.len < 24000)
			buf_addstr(&text, table[i].line);
		parts = telegram_split(text.data);
		for (size_t k = 0; parts[k]; k++)
			free(parts[k]);
		free(parts);
		if (clock() - began > CPU_MAX)
			fail_msg("%s%s%s%s", table[i].begin, table[i].repeated, table[i].end, table[i].line);
		buf_clear(&text);
	}
	expect("```c\nx\n```", "(doc (pre <c> 'x'))");
	expect("1.    a\n  - b", "(doc (list (item 1 (p 'a') (list (item (p 'b'))))))");
}

static void width_is_counted_in_columns(void **state)
{
	static const struct {
		const char *text;
		size_t width;
	} table[] = {
	    {"", 0},
	    {"abc", 3},
	    {"é", 1},
	    {"e\xcc\x81", 1},
	    {"漢字", 4},
	    {"ﾊﾝ", 2},
	    {"😀", 2},
	    {"👩‍👩‍👧", 2},
	    {"✔️", 2},
	    {"🇩🇪", 2},
	    {"👍🏽", 2},
	    {"한", 2},
	    {"a\xe2\x80\x8b"
	     "b",
		2},
	    {"✅", 2},
	    {"…—", 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (markdown_width(table[i].text, strlen(table[i].text)) != table[i].width)
			fail_msg("%s is %zu columns wide", table[i].text,
			    markdown_width(table[i].text, strlen(table[i].text)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(blocks_become_a_tree),
	    cmocka_unit_test(items_hold_blocks_also_in_tight_lists),
	    cmocka_unit_test(spans_become_a_tree),
	    cmocka_unit_test(what_models_get_wrong_is_mended),
	    cmocka_unit_test(nesting_is_limited_and_loses_no_text),
	    cmocka_unit_test(a_long_text_is_read_in_sections_without_a_seam),
	    cmocka_unit_test(a_short_text_cannot_become_a_large_tree),
	    cmocka_unit_test(hostile_nesting_fits_the_stack_of_a_task),
	    cmocka_unit_test(a_long_text_is_split_in_proportion_to_its_length),
	    cmocka_unit_test(the_size_of_what_escapes_lengthen_is_not_sought_for_each_message),
	    cmocka_unit_test(what_precedes_many_lines_is_not_written_with_each),
	    cmocka_unit_test(width_is_counted_in_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
