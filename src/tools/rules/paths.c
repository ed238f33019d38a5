/* What the words of a command mean as paths. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/files/protected_files.h"
#include "tools/files/roots.h"
#include "tools/rules/rules_internal.h"
#include "tools/rules/shell_parse.h"

/* Commands that write to their operands, or remove them without rules of their own, besides redirections. */
static const struct {
	const char *name;
	bool last;      /* only to the last one, unless -t names the target */
	char only_with; /* only with this option; 0: always */
} writers[] = {
    {"cp", true, 0},
    {"dd", false, 0},
    {"install", true, 0},
    {"ln", true, 0},
    {"mkdir", false, 0},
    {"mknod", false, 0},
    {"mv", false, 0}, /* what it moves is gone */
    {"rename", false, 0},
    {"rsync", true, 0},
    {"sed", true, 'i'},
    {"tee", false, 0},
    {"touch", false, 0},
    {"truncate", false, 0},
};

/* The home folder of a command is the workspace. */
static const char *const homes[] = {"~", "$HOME", "${HOME}"};
static const char *const disks[] = {"/dev/hd", "/dev/mmcblk", "/dev/nvme", "/dev/sd", "/dev/vd"};
static const char *const system_folders[] = {
    "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sbin", "/sys", "/usr"};

/* "-rf" contains r, and so does "--recursive", also abbreviated. */
static bool is_option(const char *word, char letter, const char *name)
{
	size_t len = strlen(word);

	if (word[0] != '-' || len < 2)
		return false;
	if (word[1] == '-')
		return name && len > 4 && strncasecmp(word + 2, name, strcspn(word + 2, "=")) == 0;
	return strchr(word + 1, tolower(letter)) || strchr(word + 1, toupper(letter));
}

bool rule_has_option(const struct shell_command *c, char letter, const char *name)
{
	for (size_t i = 1; i < c->count && strcmp(c->words[i], "--") != 0; i++)
		if (is_option(c->words[i], letter, name))
			return true;
	return false;
}

bool rule_any_operand(const struct rule_subject *s, const struct shell_command *c,
    bool (*fn)(const struct rule_subject *s, const char *path))
{
	/* An option names none of these paths. */
	for (size_t i = 1; i < c->count; i++)
		if (fn(s, c->words[i]))
			return true;
	return false;
}

static bool any_written_operand(const struct rule_subject *s, const struct shell_command *c, size_t row,
    bool (*fn)(const struct rule_subject *s, const char *path))
{
	if (writers[row].only_with && !rule_has_option(c, writers[row].only_with, NULL))
		return false;
	if (!writers[row].last && rule_any_operand(s, c, fn))
		return true;
	for (size_t i = 1; i < c->count; i++) {
		const char *word = c->words[i];
		if (strncmp(word, "--target-directory=", 19) == 0 && fn(s, word + 19))
			return true;
		if (strncmp(word, "-t", 2) == 0 &&
		    fn(s,
			word[2]              ? word + 2 :
			    i + 1 < c->count ? c->words[i + 1] :
					       ""))
			return true;
	}
	return writers[row].last && c->count > 2 && fn(s, c->words[c->count - 1]);
}

bool rule_any_written(const struct rule_subject *s, const struct shell_command *c,
    bool (*fn)(const struct rule_subject *s, const char *path))
{
	for (size_t i = 0; i < c->redirect_count; i++)
		if (c->redirects[i].writes && fn(s, c->redirects[i].target))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(writers); i++)
		if (strcasecmp(shell_command_name(c), writers[i].name) == 0)
			return any_written_operand(s, c, i, fn);
	return false;
}

/* Appends the path without empty, "." and ".." parts, without "/" at its end and "*" as its last part. */
static void tidy(struct buf *out, const char *path)
{
	for (size_t len; *path; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		bool all = len == 1 && *path == '*' && path[1 + strspn(path + 1, "/")] == '\0';
		if (len == 0 || (len == 1 && *path == '.') || all)
			continue;
		if (len == 2 && strncmp(path, "..", 2) == 0) {
			const char *slash = memrchr(out->data, '/', out->len);
			buf_truncate(out, slash ? (size_t)(slash - out->data) : 0);
			continue;
		}
		buf_addch(out, '/');
		buf_add(out, path, len);
	}
}

static bool is_home(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(homes); i++) {
		size_t len = strlen(homes[i]);
		if (strncasecmp(path, homes[i], len) != 0)
			continue;
		const char *rest = path + len;
		rest += strspn(rest, "/");
		if (*rest == '\0' || strcmp(rest, "*") == 0 || strcmp(rest, ".") == 0)
			return true;
	}
	return false;
}

/* Returns the number of parts of an absolute path; -1 for a relative one. */
static int count_parts(const char *path)
{
	struct buf clean = BUF_INIT;
	int n = 0;

	if (*path != '/')
		return -1;
	tidy(&clean, path);
	for (const char *p = clean.data; *p; p++)
		n += *p == '/';
	buf_clear(&clean);
	return n;
}

bool rule_is_root(const struct rule_subject *s, const char *path)
{
	(void)s;
	return is_home(path) || count_parts(path) == 0;
}

bool rule_is_system(const struct rule_subject *s, const char *path)
{
	return rule_is_root(s, path) || count_parts(path) == 1;
}

static bool begins_with_any(const char *path, const char *const *list, size_t count, bool whole)
{
	struct buf clean = BUF_INIT;
	bool found = false;

	if (*path != '/')
		return false;
	tidy(&clean, path);
	for (size_t i = 0; i < count && !found; i++) {
		size_t len = strlen(list[i]);
		found = strncasecmp(clean.data, list[i], len) == 0 &&
		    (!whole || clean.data[len] == '/' || clean.data[len] == '\0');
	}
	buf_clear(&clean);
	return found;
}

bool rule_is_device(const struct rule_subject *s, const char *path)
{
	(void)s;
	if (strncasecmp(path, "of=", 3) == 0)
		path += 3;
	return begins_with_any(path, disks, ARRAY_LEN(disks), false);
}

bool rule_is_in_system(const struct rule_subject *s, const char *path)
{
	(void)s;
	return begins_with_any(path, system_folders, ARRAY_LEN(system_folders), true);
}

/* The path may be meant from the root or in some folder. */
static bool names_protected(const struct rule_subject *s, const char *path)
{
	struct buf clean = BUF_INIT, lower = BUF_INIT;
	const char *base =
	    s->roots && *path != '/' && *path != '~' && *path != '$' ? roots_workspace(s->roots) : "";

	if (*base)
		tidy(&clean, base);
	tidy(&clean, path);
	/* A folder of keys counts as a file in it. */
	buf_addch(&clean, '/');
	for (size_t i = 0; i < clean.len; i++)
		buf_addch(&lower, (char)tolower((unsigned char)clean.data[i]));
	bool found = protected_files_has(lower.data);
	buf_truncate(&lower, lower.len - 1);
	buf_truncate(&clean, clean.len - 1);
	found = found || protected_files_has(lower.data) || (s->roots && roots_protect(s->roots, clean.data));
	buf_clear(&lower);
	buf_clear(&clean);
	return found;
}

bool rule_is_protected(const struct rule_subject *s, const char *word)
{
	const char *value = strpbrk(word, "=@");

	return names_protected(s, word) || (value && value[1] && names_protected(s, value + 1));
}

/* Returns the part below the workspace; NULL when the path is elsewhere. */
static const char *below_workspace(const struct rule_subject *s, const struct buf *clean)
{
	struct buf base = BUF_INIT;

	tidy(&base, roots_workspace(s->roots));
	bool within = strncmp(clean->data, base.data, base.len) == 0 && clean->data[base.len] == '/';
	const char *rest = within ? clean->data + base.len + 1 : NULL;
	buf_clear(&base);
	return rest;
}

bool rule_is_prompt_file(const struct rule_subject *s, const char *path)
{
	struct buf clean = BUF_INIT;
	bool found = false;

	if (!s->roots || (!s->rules->prompt_files && !s->rules->prompt_skills))
		return false;
	if (*path != '/')
		tidy(&clean, roots_workspace(s->roots));
	tidy(&clean, path);
	const char *rest = below_workspace(s, &clean);
	for (size_t i = 0; rest && s->rules->prompt_files && i < s->rules->prompt_files->count && !found; i++)
		found = strcasecmp(rest, s->rules->prompt_files->items[i]) == 0 ||
		    fnmatch(rest, s->rules->prompt_files->items[i], FNM_CASEFOLD) == 0;
	if (rest && s->rules->prompt_skills && strncasecmp(rest, "skills", 6) == 0 &&
	    (rest[6] == '/' || rest[6] == '\0'))
		found = true;
	buf_clear(&clean);
	return found;
}
