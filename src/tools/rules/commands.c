/* The built-in rules. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/files/protected_files.h"
#include "tools/rules/rules_internal.h"
#include "tools/rules/shell_parse.h"

/* Bytes of the name of a function that calls itself. */
#define BOMB_NAME_MAX 64

#define IN_WORKSPACE "Name a folder inside the workspace."
#define NOT_HERE     "It cannot work here; ask a person to do it on the machine."
#define ASKS         "a person is asked first. Ask in the chat."

static bool is_word(const struct shell_command *c, size_t i, const char *word)
{
	return i < c->count && strcasecmp(c->words[i], word) == 0;
}

static bool has_word(const struct shell_command *c, size_t from, const char *word)
{
	for (size_t i = from; i < c->count; i++)
		if (is_word(c, i, word))
			return true;
	return false;
}

static bool is_recursive(const struct shell_command *c)
{
	return rule_has_option(c, 'r', "recursive");
}

static bool deletes_root(const struct rule_subject *s, const struct shell_command *c)
{
	return is_recursive(c) && rule_any_operand(s, c, rule_is_system);
}

static bool finds_and_deletes(const struct rule_subject *s, const struct shell_command *c)
{
	(void)s;
	return strcasecmp(shell_command_name(c), "find") != 0 || has_word(c, 1, "-delete");
}

static bool makes_file_system(const struct rule_subject *s, const struct shell_command *c)
{
	static const char *const names[] = {"mkfs", "mke2fs", "wipefs"};

	(void)s;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcasecmp(shell_command_name(c), names[i]) == 0)
			return true;
	return strncasecmp(shell_command_name(c), "mkfs.", 5) == 0;
}

static bool formats_drive(const struct rule_subject *s, const struct shell_command *c)
{
	(void)s;
	return c->count > 1 && isalpha((unsigned char)c->words[1][0]) && c->words[1][1] == ':';
}

static bool changes_root(const struct rule_subject *s, const struct shell_command *c)
{
	if (is_recursive(c) && rule_any_operand(s, c, rule_is_system))
		return true;
	return strcasecmp(shell_command_name(c), "chmod") == 0 && rule_any_operand(s, c, rule_is_root);
}

static bool writes_device(const struct rule_subject *s, const struct shell_command *c)
{
	return rule_any_written(s, c, rule_is_device);
}

static bool writes_system(const struct rule_subject *s, const struct shell_command *c)
{
	return rule_any_written(s, c, rule_is_in_system);
}

static bool ends_system(const struct rule_subject *s, const struct shell_command *c)
{
	static const char *const acts[] = {"halt", "hibernate", "kexec", "poweroff", "reboot", "suspend"};

	(void)s;
	if (strcasecmp(shell_command_name(c), "systemctl") != 0)
		return is_word(c, 1, "0") || is_word(c, 1, "6");
	for (size_t i = 0; i < ARRAY_LEN(acts); i++)
		if (has_word(c, 1, acts[i]))
			return true;
	return false;
}

/* Returns the index of git's subcommand: some of git's own options take a value. */
static size_t find_subcommand(const struct shell_command *c)
{
	static const char *const valued[] = {"-C", "-c", "--git-dir", "--namespace", "--work-tree"};
	size_t i = 1;

	for (; i < c->count && c->words[i][0] == '-'; i++)
		for (size_t k = 0; k < ARRAY_LEN(valued); k++)
			i += strcmp(c->words[i], valued[k]) == 0 && i + 1 < c->count;
	return i;
}

static bool pushes_by_force(const struct shell_command *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->words[i][0] == '+')
			return true;
	return rule_has_option(c, 'f', "force") || rule_has_option(c, 'f', "force-with-lease");
}

static bool forces(const struct rule_subject *s, const struct shell_command *c)
{
	size_t at = find_subcommand(c);
	const struct shell_command sub = {.words = c->words + at, .count = c->count - at};

	(void)s;
	if (is_word(c, at, "push"))
		return pushes_by_force(&sub);
	if (is_word(c, at, "reset"))
		return has_word(&sub, 1, "--hard");
	return is_word(c, at, "clean") && rule_has_option(&sub, 'f', "force");
}

static bool removes_containers(const struct rule_subject *s, const struct shell_command *c)
{
	static const char *const acts[] = {"prune", "rm", "rmi"};
	unsigned seen = 0;

	(void)s;
	/* docker rm, docker container rm, docker --context x system prune. */
	for (size_t i = 1; i < c->count && seen < 3; i++) {
		seen += c->words[i][0] != '-';
		for (size_t k = 0; k < ARRAY_LEN(acts); k++)
			if (is_word(c, i, acts[k]))
				return true;
	}
	return false;
}

static bool names_protected_file(const struct rule_subject *s, const struct shell_command *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (rule_is_protected(s, c->words[i]))
			return true;
	for (size_t i = 0; i < c->redirect_count; i++)
		if (rule_is_protected(s, c->redirects[i].target))
			return true;
	return false;
}

/* Is this NAME(){NAME|NAME&}, where at is after the name? */
static bool is_bomb(const char *text, const char *at)
{
	const char *from = at;
	char body[3 * BOMB_NAME_MAX];

	while (from > text && at - from < BOMB_NAME_MAX && !strchr(";&|(){}<>'\"", from[-1]))
		from--;
	size_t len = (size_t)(at - from);
	if (len == 0)
		return false;
	char *end = body;
	for (int i = 0; i < 2; i++) {
		memcpy(end, from, len);
		end += len;
		*end++ = i == 0 ? '|' : '&';
	}
	return strncasecmp(at + 3, body, (size_t)(end - body)) == 0;
}

static bool is_fork_bomb(const char *text)
{
	struct buf dense = BUF_INIT;
	bool found = false;

	for (; *text; text++)
		if (!isspace((unsigned char)*text))
			buf_addch(&dense, *text);
	for (const char *at = dense.data; !found && (at = strstr(at, "(){")); at++)
		found = is_bomb(dense.data, at);
	buf_clear(&dense);
	return found;
}

static bool writes_prompt_file(const struct rule_subject *s, const struct shell_command *c)
{
	return rule_any_written(s, c, rule_is_prompt_file);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* In the order in which they are checked. */
const struct rule rules_commands[] = {
    {.name = "rm-root",
	.action = RULE_BLOCK,
	.commands = NAMES("rm"),
	.test = deletes_root,
	.what = "recursive `rm` of `/`, the home folder, a folder in `/`, or everything in one of them",
	.why = "recursive delete on root. " IN_WORKSPACE},
    {.name = "privilege",
	.action = RULE_BLOCK,
	.commands = NAMES("sudo", "sudoedit", "su", "doas", "pkexec"),
	.what = "`sudo`, `su`, `doas`, `pkexec`",
	.why = "it asks for the rights of another user. Commands get no new rights; do it without, or ask a "
	       "person."},
    {.name = "mkfs",
	.action = RULE_BLOCK,
	.test = makes_file_system,
	.what = "`mkfs`, `mkfs.*`, `mke2fs`, `wipefs`, `format c:`",
	.why = "it makes a file system. " NOT_HERE},
    {.name = "mkfs",
	.action = RULE_BLOCK,
	.commands = NAMES("format"),
	.test = formats_drive,
	.why = "it formats a drive. " NOT_HERE},
    {.name = "dd",
	.action = RULE_BLOCK,
	.commands = NAMES("dd"),
	.what = "`dd`",
	.why = "dd overwrites what it is pointed at. Use head, tail or cp."},
    {.name = "fork-bomb",
	.action = RULE_BLOCK,
	.test_text = is_fork_bomb,
	.what = "a shell function that starts itself twice",
	.why = "a function that starts itself without end. Do it in a loop that ends."},
    {.name = "chmod-root",
	.action = RULE_BLOCK,
	.commands = NAMES("chmod", "chown", "chgrp"),
	.test = changes_root,
	.what = "`chmod` of `/`; `chmod`, `chown` and `chgrp` with `-R` of it or a folder in it",
	.why = "it changes the rights of the system's folders. " IN_WORKSPACE},
    {.name = "raw-device",
	.action = RULE_BLOCK,
	.test = writes_device,
	.what = "writing to a disk under `/dev`",
	.why = "it writes to a disk. Write to a file."},
    {.name = "system-write",
	.action = RULE_BLOCK,
	.test = writes_system,
	.what = "writing under `/bin`, `/boot`, `/etc`, `/lib`, `/proc`, `/sbin`, `/sys` or `/usr`",
	.why = "it writes to a folder of the system. " IN_WORKSPACE},
    {.name = "power",
	.action = RULE_BLOCK,
	.commands = NAMES("shutdown", "reboot", "poweroff", "halt"),
	.what = "`shutdown`, `reboot`, `poweroff`, `halt`, `init 0`, `systemctl reboot` and such",
	.why = "it stops the machine. " NOT_HERE},
    {.name = "power",
	.action = RULE_BLOCK,
	.commands = NAMES("init", "telinit", "systemctl"),
	.test = ends_system,
	.why = "it stops the machine. " NOT_HERE},
    {.name = PROTECTED_RULE,
	.action = RULE_BLOCK,
	.test = names_protected_file,
	.what = "password files, keys, `.netrc` and the like, Myna's own configuration and state; also in "
		"paths of file tools",
	.why = "it names a protected file. Do without it, or ask a person for what is needed from it."},
    {.name = "rm",
	.action = RULE_ASK,
	.commands = NAMES("rm", "rmdir", "unlink", "shred", "find"),
	.test = finds_and_deletes,
	.what = "any other `rm`; `rmdir`, `unlink`, `shred`, `find -delete`",
	.why = "it deletes files; " ASKS},
    {.name = "chmod",
	.action = RULE_ASK,
	.commands = NAMES("chmod", "chown", "chgrp"),
	.what = "any other `chmod`, `chown`, `chgrp`",
	.why = "it changes rights; " ASKS},
    {.name = "kill",
	.action = RULE_ASK,
	.commands = NAMES("kill", "killall", "pkill"),
	.what = "`kill`, `killall`, `pkill`",
	.why = "it ends processes; " ASKS},
    {.name = "force-push",
	.action = RULE_ASK,
	.commands = NAMES("git"),
	.test = forces,
	.what = "`git push --force`, `git reset --hard`, `git clean -f`",
	.why = "it throws work away; " ASKS},
    {.name = "docker-rm",
	.action = RULE_ASK,
	.commands = NAMES("docker", "podman"),
	.test = removes_containers,
	.what = "`docker rm`, `docker rmi`, `docker system prune` and such",
	.why = "it removes containers or images; " ASKS},
    {.name = PROMPT_FILES_RULE,
	.action = RULE_ASK,
	.test = writes_prompt_file,
	.why = "it changes what the model is instructed by; " ASKS},
    {.name = NULL},
};

const struct rule rule_prompt_files = {.name = PROMPT_FILES_RULE,
    .action = RULE_ASK,
    .what = "writing a workspace file that the model gets as instructions (`prompt.files`), or a skill in "
	    "the workspace",
    .why = "it changes what the model is instructed by; " ASKS};

const struct rule rule_long_command = {.name = "long-command",
    .action = RULE_ASK,
    .what = "a command line of more than 65,536 characters, which no rule reads",
    .why = "the command is too long for the rules to read it; " ASKS};
const struct rule rule_http_write = {.name = "http-write",
    .action = RULE_ASK,
    .what = "a request of `web_fetch` with a method other than GET, HEAD and OPTIONS",
    .why = "the request can change something; " ASKS};
