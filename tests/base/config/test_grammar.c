/* base/config/grammar.h and libconfig must agree on every text, or a good file would be refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/config/grammar.h"
#include "base/config/text.h"
#include "base/config/config_internal.h"
#include "base/error.h"
#include "base/mem.h"

const char *__lsan_default_suppressions(void);

/* libconfig 1.5 loses the string in its hand when it refuses a text. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libconfig";
}

static uint64_t random_state;

static size_t random_below(size_t bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (size_t)(random_state % bound);
}

static bool libconfig_accepts(const char *text)
{
	struct config_t tree;
	config_init(&tree);
	bool right = config_read_string(&tree, text);
	config_destroy(&tree);
	return right;
}

/* What is refused although libconfig would take it; 1.7 takes a comma before the end of an array, 1.5 does
 * not. */
static bool on_purpose(const char *why)
{
	static const char *const reasons[] = {
	    "a comma is missing between this string", "does not fit", "\\x00", "too many before the"};
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (strstr(why, reasons[i]))
			return true;
	return false;
}

static bool we_accept(const char *text, struct buf *why)
{
	struct config_text t;
	struct error err = {0};
	unsigned line = 0;
	config_text_init(&t);
	bool right = config_text_parse(&t, "t.conf", text, &err) == 0;
	if (!right)
		buf_addstr(why, err.text);
	else
		right = config_grammar_check(&t, &line, why) == 0;
	assert_true(right || why->len > 0);
	config_text_clear(&t);
	return right;
}

/* Whether both accept it. */
static bool check(const char *text)
{
	struct buf why = BUF_INIT;
	bool ours = we_accept(text, &why), theirs = libconfig_accepts(text);
	if (ours != theirs && !(theirs && on_purpose(why.data)))
		fail_msg("we %s, libconfig %s:\n%s\n%s", ours ? "accept" : "refuse",
		    theirs ? "accepts" : "refuses", text, why.data);
	buf_clear(&why);
	return ours && theirs;
}

/* Whole pieces among the tokens, so that many texts are right and many nearly so. @ stands for a new name. */
static void random_text(struct buf *out)
{
	static const char *const tokens[] = {"@", "@-*2", "=", ":", ";", ",", "[", "]", "(", ")", "{", "}",
	    "\"s\"", "\"\"", "5", "-7", "0x1f", "5L", "0x5LL", "1.5", ".", "1e5", "true", "FALSE", "# c\n",
	    "/* c\n */", "\\", "L", "@ = 1;", "@ = ( ", "@ : { ", "@ = [ ", "}", "]", ")", ",", "5, 6",
	    "\"x\", \"y\"", "\"x\" \"y\"", "= {}", "= ()", "@ = true;", "@ : { a = 1; b = { c = () } };",
	    "@ = [\"x\", \"y\"],", "@ = ( 1, ( [2] ), { a: \"z\" } )", "@ = \"p\" \"q\"", "@ : {}",
	    "@ = [ 1, 2 ];", "@ = -1.5e3"};
	for (size_t n = 1 + random_below(10); n > 0; n--) {
		const char *token = tokens[random_below(ARRAY_LEN(tokens))];
		if (*token == '@')
			buf_addf(out, "n%zu", n);
		buf_addstr(out, token + (*token == '@'));
		buf_addstr(out, random_below(8) ? " " : random_below(2) ? "\n" : "");
	}
	buf_addch(out, '\n');
}

static void a_text_is_accepted_exactly_when_libconfig_accepts_it(void **state)
{
	(void)state;
	static const char *const texts[] = {
	    "\n",
	    "a = 1\n",
	    "a = 1 b = 2\n",
	    "a: 1, b: 2;\n",
	    "a = {};b = ();c = [];\n",
	    "a = ( (1, [2], {b = 3;}), \"x\");\n",
	    "a = \"x\" \"y\"\n\"z\"; b = 1;\n",
	    "a = [1, 2, -3];\n",
	    "a = [1, 0x2];\n",
	    "a = [1, 2L];\n",
	    "a = [1, 2.0];\n",
	    "a = [true, false];\n",
	    "a = [1,];\n",
	    "a = (1,);\n",
	    "a = [,1];\n",
	    "a = { b = 1, c = 2, };\n",
	    ";\n",
	    "a = 1;;\n",
	    "a = 1 2;\n",
	    "a\n",
	    "a =\n",
	    "= 1\n",
	    "{ a = 1; }\n",
	    "a = { { } };\n",
	    "a = ( b = 1 );\n",
	    "a = [[1]];\n",
	    "true = 1;\n",
	    "truex = 1;\n",
	    "a = TrUe;\n",
	    "*a-b_c* = 1;\n",
	    "_a = 1;\n",
	    "a = +5;\n",
	    "a = -.5e-3;\n",
	    "a = .;\n",
	    "a = 5.;\n",
	    "a = 1e5;\n",
	    "a = 1e;\n",
	    "a = 0x;\n",
	    "a = -0x10;\n",
	    "a = 5LLL;\n",
	    "a = \"\\q\\x41\\\"\\\\\";\n",
	    "a = /* x */ 1; // y\n# z\n",
	    "a = 1 / 2;\n",
	    "a\r=\f1\r\n",
	    "a = 1\v;\n",
	    "a.b = 1;\n",
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		check(texts[i]);
}

static void random_texts_are_judged_as_libconfig_judges_them(void **state)
{
	(void)state;
	int accepted = 0;
	struct buf text = BUF_INIT;
	random_state = 20261121;
	for (int i = 0; i < 50000; i++) {
		buf_reset(&text);
		random_text(&text);
		accepted += check(text.data);
	}
	buf_clear(&text);
	assert_true(accepted > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_is_accepted_exactly_when_libconfig_accepts_it),
	    cmocka_unit_test(random_texts_are_judged_as_libconfig_judges_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
