#include "tools/files/grep_scan.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/files/glob_pattern.h"

#define GLOBS_MAX 6

/* In byte order of name. */
static const struct file_type {
	const char *name, *globs[GLOBS_MAX];
} types[] = {
    {"c", {"*.c", "*.h"}},
    {"cpp", {"*.cc", "*.cpp", "*.cxx", "*.h", "*.hh", "*.hpp"}},
    {"cs", {"*.cs"}},
    {"css", {"*.css", "*.scss", "*.sass", "*.less"}},
    {"csv", {"*.csv", "*.tsv"}},
    {"go", {"*.go"}},
    {"h", {"*.h", "*.hh", "*.hpp"}},
    {"html", {"*.html", "*.htm"}},
    {"java", {"*.java"}},
    {"js", {"*.js", "*.jsx", "*.mjs", "*.cjs"}},
    {"json", {"*.json", "*.jsonl"}},
    {"kt", {"*.kt", "*.kts"}},
    {"lua", {"*.lua"}},
    {"make", {"Makefile", "makefile", "GNUmakefile", "Makefile.am", "*.mk"}},
    {"md", {"*.md", "*.markdown"}},
    {"php", {"*.php"}},
    {"pl", {"*.pl", "*.pm"}},
    {"py", {"*.py", "*.pyi"}},
    {"rb", {"*.rb"}},
    {"rs", {"*.rs"}},
    {"sh", {"*.sh", "*.bash", "*.zsh"}},
    {"sql", {"*.sql"}},
    {"swift", {"*.swift"}},
    {"toml", {"*.toml"}},
    {"ts", {"*.ts", "*.tsx", "*.mts", "*.cts"}},
    {"txt", {"*.txt"}},
    {"xml", {"*.xml"}},
    {"yaml", {"*.yaml", "*.yml"}},
    {"zig", {"*.zig"}},
};

const struct file_type *file_type_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return NULL;
}

bool file_type_has(const struct file_type *type, const char *file)
{
	for (size_t i = 0; i < GLOBS_MAX && type->globs[i]; i++)
		if (glob_pattern_match_name(type->globs[i], file))
			return true;
	return false;
}

void file_type_list(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		buf_addf(out, "%s%s", i ? ", " : "", types[i].name);
}
