/* How a command is split, as far as a shell's reading can be followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/rules/shell_parse.h"

/* Each command in brackets, its words with a comma between, then its redirections. */
static char *show(const struct shell_line *line)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < line->count; i++) {
		const struct shell_command *c = &line->commands[i];
		buf_addch(&out, '[');
		for (size_t k = 0; k < c->count; k++)
			buf_addf(&out, "%s%s", k > 0 ? "," : "", c->words[k]);
		for (size_t k = 0; k < c->redirect_count; k++)
			buf_addf(&out, "%s%s", c->redirects[k].writes ? ">" : "<", c->redirects[k].target);
		buf_addch(&out, ']');
	}
	return buf_take(&out);
}

static void expect(const char *text, const char *want)
{
	struct shell_line line;

	shell_parse(&line, text);
	char *have = show(&line);
	if (strcmp(have, want) != 0)
		fail_msg("%s\nis read as %s\nand not as  %s", text, have, want);
	free(have);
	shell_line_clear(&line);
}

static void quotes_and_backslashes_are_taken_off(void **state)
{
	(void)state;
	expect("r'm' -rf /vict\"im\"", "[rm,-rf,/victim]");
	expect("\\rm -rf \\/victim", "[rm,-rf,/victim]");
	expect("echo \"a \\\"b\\\" $x\" 'c \\d'", "[echo,a \"b\" $x,c \\d]");
	expect("rm\t  -r \\\n -f  a", "[rm,-r,-f,a]");
	expect("rm${IFS}-rf$IFS/a", "[rm,-rf,/a]");
	expect("$'rm' a", "[rm,a]");
	expect("echo \"\" ''", "[echo,,]");
	expect("echo 'unended", "[echo,unended]");
	expect("echo a\\", "[echo,a]");
}

static void operators_part_commands(void **state)
{
	(void)state;
	expect("a; b & c | d && e || f\ng", "[a][b][c][d][e][f][g]");
	expect("(a; b) && { c; }", "[a][b][c][}]");
	expect("if a; then b; else c; fi", "[a][b][c][fi]");
	expect("for x in 1 2; do rm $x; done", "[for,x,in,1,2][rm,$x][done]");
	expect("echo 'a; b' \"c | d\" e\\;f", "[echo,a; b,c | d,e;f]");
	expect("a # b; c\nd a#b", "[a][d,a#b]");
	expect("", "");
	expect(" ;;&& ", "");
}

static void substitutions_are_commands(void **state)
{
	(void)state;
	expect("echo $(rm a) b", "[rm,a][echo,$(),b]");
	expect("echo \"x $(rm a; (b)) y\"", "[rm,a][b][echo,x $() y]");
	expect("echo `rm a` \"`rm b`\"", "[rm,a][rm,b][echo,$(),$()]");
	expect("echo `a \\`rm b\\``", "[rm,b][a,$()][echo,$()]");
	expect("a $(b $(c))", "[c][b,$()][a,$()]");
	expect("echo '$(rm a)'", "[echo,$(rm a)]");
	expect("diff <(rm a) b", "[diff][rm,a][b]");
}

static void redirections_are_no_words(void **state)
{
	(void)state;
	expect("echo x >/a 2>>b <c", "[echo,x>/a>b<c]");
	expect("echo x> /a", "[echo,x>/a]");
	expect("a 2>&1", "[a>1]");
	expect("a &>b", "[a>b]");
	expect("> /a", "[>/a]");
	expect("a >|b <>c", "[a>b>c]");
	expect("echo 'a > b'", "[echo,a > b]");
}

static void texts_for_a_command_are_read_only_by_a_shell(void **state)
{
	(void)state;
	expect("cat <<EOF > a\nrm -rf /\nEOF\nb", "[cat>a][b]");
	expect("sh <<'EOF'\nrm -rf /\nEOF\nb", "[sh][b][rm,-rf,/]");
	expect("bash <<-EOF\n\trm a\n\tEOF\nb", "[bash][b][rm,a]");
	expect("bash <<< 'rm a'", "[bash][rm,a]");
	expect("cat <<EOF\nrm a", "[cat]");
}

static void what_only_runs_something_else_is_skipped(void **state)
{
	(void)state;
	expect("A=1 B=2 rm a", "[rm,a]");
	expect("env -i A=1 rm a", "[rm,a]");
	expect("nohup nice -n 10 rm a", "[rm,a]");
	expect("ls | xargs -0 -n 1 rm -f", "[ls][rm,-f]");
	expect("command rm a", "[rm,a]");
	expect("command -v rm", "[command,-v,rm]");
	expect("/usr/bin/time -p exec rm a", "[rm,a]");
	expect("timeout -s 9 5 rm a", "[rm,a]");
	expect("env", "[env]");
	expect("A=1", "[]");
	expect("! rm a", "[rm,a]");
	expect("env -- rm a", "[rm,a]");
}

static void texts_that_are_run_are_read_three_deep(void **state)
{
	(void)state;
	expect("sh -c 'rm a; b'", "[sh,-c,rm a; b][rm,a][b]");
	expect("/bin/bash -o pipefail -ec 'rm a'", "[/bin/bash,-o,pipefail,-ec,rm a][rm,a]");
	expect("sh script -c rm", "[sh,script,-c,rm]");
	expect("eval r''m a", "[eval,rm,a][rm,a]");
	expect(
	    "eval eval eval eval rm", "[eval,eval,eval,eval,rm][eval,eval,eval,rm][eval,eval,rm][eval,rm]");
	expect("find . -name x -exec rm -f {} \\; -execdir env sh -c 'kill 1' +",
	    "[find,.,-name,x,-exec,rm,-f,{},;,-execdir,env,sh,-c,kill 1,+][rm,-f,{}][sh,-c,kill 1][kill,1]");
}

static void words_of_a_program_are_taken_as_they_are(void **state)
{
	static const char *const words[] = {"env", "sh", "-c", "rm a; b", "c;d"};
	struct shell_line line;

	(void)state;
	shell_parse_words(&line, words, ARRAY_LEN(words));
	char *have = show(&line);
	assert_string_equal(have, "[sh,-c,rm a; b,c;d][rm,a][b]");
	assert_string_equal(shell_command_name(&line.commands[0]), "sh");
	free(have);
	shell_line_clear(&line);
}

/* 64 KiB of what costs the most: it ends. */
static void no_text_takes_long(void **state)
{
	static const char *const parts[] = {
	    "$(", "`", "\"$(", "find -exec ", "eval ", "A=1 ", "<<a\n", "(", "sh -c '", "f(){ "};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct buf text = BUF_INIT;
		struct shell_line line;
		while (text.len + strlen(parts[i]) <= SHELL_TEXT_MAX)
			buf_addstr(&text, parts[i]);
		shell_parse(&line, text.data);
		assert_false(line.unread);
		shell_line_clear(&line);
		buf_clear(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(quotes_and_backslashes_are_taken_off),
	    cmocka_unit_test(operators_part_commands),
	    cmocka_unit_test(substitutions_are_commands),
	    cmocka_unit_test(redirections_are_no_words),
	    cmocka_unit_test(texts_for_a_command_are_read_only_by_a_shell),
	    cmocka_unit_test(what_only_runs_something_else_is_skipped),
	    cmocka_unit_test(texts_that_are_run_are_read_three_deep),
	    cmocka_unit_test(words_of_a_program_are_taken_as_they_are),
	    cmocka_unit_test(no_text_takes_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
