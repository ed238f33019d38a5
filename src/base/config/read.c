#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/config/report.h"
#include "base/config/config_internal.h"
#include "base/config/value.h"
#include "base/mem.h"
#include "base/text/suggest.h"

static struct config_setting_t *member(const struct config_setting_t *group, const char *name, size_t len)
{
	if (!config_setting_is_group(group))
		return NULL;
	for (int i = 0; i < config_setting_length(group); i++) {
		struct config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
		if (strncmp(s->name, name, len) == 0 && s->name[len] == '\0')
			return s;
	}
	return NULL;
}

/* Returns the setting at path, or NULL. near gets it, or the nearest existing parent. */
static struct config_setting_t *find(
    const struct config *cfg, const char *path, struct config_setting_t **near)
{
	struct config_setting_t *s = config_root_setting(&cfg->tree);
	*near = s;
	while (s && *path) {
		size_t len = strcspn(path + 1, ".[") + 1;
		if (*path != '[')
			s = member(s, path, len);
		else
			s = config_setting_is_aggregate(s) ?
			    config_setting_get_elem(s, (unsigned)strtoul(path + 1, NULL, 10)) :
			    NULL;
		if (s)
			*near = s;
		path += len;
		path += *path == '.';
	}
	return s;
}

static struct config_setting_t *find_group(struct config *cfg, const char *path, bool *wrong)
{
	struct config_setting_t *near, *s = find(cfg, path, &near);
	bool inside = s || config_setting_is_group(near);
	*wrong = !inside || (s && !config_setting_is_group(s));
	if (*wrong)
		config_report(&cfg->reports, CONFIG_ERRORS, near, "this must be a group. Write %s: { ... };",
		    near->name ? near->name : "NAME");
	return *wrong ? NULL : s;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, so that two sections that share a group report an unknown key in the same way. */
static size_t known_names(const struct config_section *section, const char **names)
{
	size_t count = 0;
	for (size_t i = 0; i < section->key_count; i++)
		names[count++] = section->keys[i].name;
	for (size_t i = 0; section->children && section->children[i]; i++)
		names[count++] = section->children[i];
	qsort(names, count, sizeof(*names), by_name);
	return count;
}

static void report_unknown(
    struct config *cfg, const struct config_setting_t *s, const char *const *known, size_t count)
{
	struct buf sentence = BUF_INIT;
	const char *near = suggest_name(s->name, known, count);
	buf_addf(&sentence, "unknown key '%s' ", s->name);
	if (s->parent->parent)
		buf_addstr(&sentence, "in ");
	else
		buf_addstr(&sentence, "at the top");
	config_report_path(&sentence, s->parent);
	if (near)
		buf_addf(&sentence, ". Did you mean '%s'?", near);
	else
		buf_addstr(&sentence, ". Known here:");
	for (size_t i = 0; i < count && !near; i++)
		buf_addf(&sentence, " %s%s", known[i], i + 1 < count ? "," : ".");
	config_report_line(&cfg->reports, CONFIG_ERRORS, config_setting_source_line(s), "%s", sentence.data);
	buf_clear(&sentence);
}

static bool is_known(const char *name, const char *const *known, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(known[i], name) == 0 || strcmp(known[i], "*") == 0)
			return true;
	return false;
}

static void check_names(
    struct config *cfg, const struct config_setting_t *group, const struct config_section *section)
{
	size_t children = 0;
	while (section->children && section->children[children])
		children++;
	const char **known = xcalloc(section->key_count + children + 1, sizeof(*known));
	size_t count = known_names(section, known);
	for (int i = 0; i < config_setting_length(group); i++) {
		const struct config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
		if (!is_known(s->name, known, count))
			report_unknown(cfg, s, known, count);
	}
	free(known);
}

static void put_fallback(struct config *cfg, const char *path, const struct config_key *key, void *field)
{
	struct buf why = BUF_INIT;
	if (key->fallback && config_value_fallback(key, field, &why) != 0)
		config_error(cfg, path, "the default of %s is wrong: %s", key->name, why.data);
	buf_clear(&why);
}

static void report_missing(struct config *cfg, const char *path, const struct config_key *key)
{
	config_error(cfg, path, "%s%s%s is missing. %s", path, *path ? "." : "", key->name,
	    key->help ? key->help : "");
}

void config_read(struct config *cfg, const char *path, const struct config_section *section, void *settings)
{
	bool wrong;
	struct config_setting_t *group = find_group(cfg, path, &wrong);
	if (group)
		check_names(cfg, group, section);
	for (size_t i = 0; i < section->key_count; i++) {
		const struct config_key *key = &section->keys[i];
		void *field = (char *)settings + key->offset;
		struct config_setting_t *s = group ? member(group, key->name, strlen(key->name)) : NULL;
		if (s && config_value_read(&cfg->reports, key, s, field) == 0)
			continue;
		if (!s && !wrong && (key->flags & CONFIG_REQUIRED))
			report_missing(cfg, path, key);
		put_fallback(cfg, path, key, field);
	}
}

void config_settings_clear(const struct config_key *keys, size_t count, void *settings)
{
	for (size_t i = 0; i < count; i++)
		config_value_clear(keys[i].type, (char *)settings + keys[i].offset);
}

size_t config_names(struct config *cfg, const char *path, const char ***names)
{
	bool wrong;
	struct config_setting_t *group = find_group(cfg, path, &wrong);
	size_t count = group ? (size_t)config_setting_length(group) : 0;
	*names = NULL;
	if (count == 0)
		return 0;
	*names = xcalloc(count, sizeof **names);
	for (size_t i = 0; i < count; i++)
		(*names)[i] = config_setting_get_elem(group, (unsigned)i)->name;
	return count;
}

bool config_has(struct config *cfg, const char *path)
{
	struct config_setting_t *near;
	return find(cfg, path, &near);
}

size_t config_groups(struct config *cfg, const char *path)
{
	struct config_setting_t *near, *s = find(cfg, path, &near);
	if (s && !config_setting_is_list(s))
		config_error(
		    cfg, path, "this must be a list of groups. Write %s = ( { ... }, { ... } );", s->name);
	return s && config_setting_is_list(s) ? (size_t)config_setting_length(s) : 0;
}

const char *config_string(struct config *cfg, const char *path)
{
	struct config_setting_t *near, *s = find(cfg, path, &near);
	return s ? config_setting_get_string(s) : NULL;
}

bool config_read_strings(struct config *cfg, const char *path, struct config_strings *out)
{
	struct config_setting_t *near, *s = find(cfg, path, &near);
	return s && config_value_strings(&cfg->reports, s, out) == 0;
}

void config_strings_clear(struct config_strings *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->items[i]);
	free(s->items);
	*s = (struct config_strings){0};
}

bool config_strings_have(const struct config_strings *s, const char *value)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->items[i], value) == 0)
			return true;
	return false;
}

static void report_at(struct config *cfg, enum config_severity severity, const char *path, const char *fmt,
    va_list ap) __attribute__((format(printf, 4, 0)));

static void report_at(
    struct config *cfg, enum config_severity severity, const char *path, const char *fmt, va_list ap)
{
	struct config_setting_t *near;
	struct buf sentence = BUF_INIT;
	find(cfg, path, &near);
	buf_vaddf(&sentence, fmt, ap);
	config_report_line(&cfg->reports, severity, config_setting_source_line(near), "%s", sentence.data);
	buf_clear(&sentence);
}

void config_where(const struct config *cfg, const char *path, struct buf *out)
{
	struct config_setting_t *near;
	find(cfg, path, &near);
	unsigned line = config_setting_source_line(near);
	buf_addf(out, "%s:%u", config_text_source(&cfg->reports.text, line)->file,
	    config_text_origin(&cfg->reports.text, line).line);
}

void config_error(struct config *cfg, const char *path, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	report_at(cfg, CONFIG_ERRORS, path, fmt, ap);
	va_end(ap);
}

void config_warning(struct config *cfg, const char *path, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	report_at(cfg, CONFIG_WARNINGS, path, fmt, ap);
	va_end(ap);
}
