#include "base/config/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/grammar.h"
#include "base/config/scan.h"
#include "base/config/config_internal.h"
#include "base/error.h"
#include "base/mem.h"

static struct config *config_new(void)
{
	struct config *cfg = xcalloc(1, sizeof(*cfg));
	config_init(&cfg->tree);
	config_reports_init(&cfg->reports);
	return cfg;
}

void config_free(struct config *cfg)
{
	if (!cfg)
		return;
	config_destroy(&cfg->tree);
	config_reports_clear(&cfg->reports);
	free(cfg);
}

static size_t count_names(const struct config_setting_t *s)
{
	size_t count = 0;
	if (!config_setting_is_aggregate(s))
		return 0;
	for (int i = 0; i < config_setting_length(s); i++) {
		const struct config_setting_t *member = config_setting_get_elem(s, (unsigned)i);
		count += (member->name != NULL) + count_names(member);
	}
	return count;
}

/* The grammar was checked, so the only possible error left is a duplicate name. libconfig stops at the
 * second one, with all names before it in the tree. */
static int explain(const struct config *cfg, struct error *err)
{
	size_t len;
	const struct config_text *text = &cfg->reports.text;
	unsigned line = (unsigned)config_error_line(&cfg->tree);
	const char *file = config_text_source(text, line)->file;
	const char *key = config_grammar_key(text, count_names(config_root_setting(&cfg->tree)), &len);
	line = config_text_origin(text, line).line;
	if (!strstr(config_error_text(&cfg->tree), "duplicate") || !key)
		return error_set(err, ERROR_OURS, "%s:%u: %s.", file, line, config_error_text(&cfg->tree));
	return error_set(err, ERROR_OURS, "%s:%u: '%.*s' stands twice in its group. Keep one of the two.",
	    file, line, (int)len, key);
}

/* libconfig takes the line of a string in a list from the token after it. Strings come in the order of the
 * text, and neighbours that it joins are one. */
static void correct_lines(struct config_setting_t *s, struct config_scan *scan)
{
	if (config_setting_is_aggregate(s)) {
		for (int i = 0; i < config_setting_length(s); i++)
			correct_lines(config_setting_get_elem(s, (unsigned)i), scan);
		return;
	}
	if (config_setting_type(s) != CONFIG_TYPE_STRING)
		return;
	enum config_token before, token = scan->last;
	do {
		before = token;
		token = config_scan_next(scan);
	} while (
	    token != CONFIG_TOKEN_END && (token != CONFIG_TOKEN_STRING || before == CONFIG_TOKEN_STRING));
	if (!s->name)
		s->line = scan->line;
}

static int build(struct config *cfg, struct error *err)
{
	struct config_scan scan;
	struct buf why = BUF_INIT;
	unsigned line;
	const struct config_text *text = &cfg->reports.text;
	int got = config_grammar_check(text, &line, &why);
	if (got != 0)
		error_set(err, ERROR_OURS, "%s:%u: %s", config_text_source(text, line)->file,
		    config_text_origin(text, line).line, why.data);
	buf_clear(&why);
	if (got != 0)
		return -1;
	if (!config_read_string(&cfg->tree, text->text.data))
		return explain(cfg, err);
	config_scan_init(&scan, text->text.data);
	correct_lines(config_root_setting(&cfg->tree), &scan);
	return 0;
}

struct config *config_load(const char *file, struct error *err)
{
	struct config *cfg = config_new();
	if (config_text_load(&cfg->reports.text, file, err) == 0 && build(cfg, err) == 0)
		return cfg;
	config_free(cfg);
	return NULL;
}

struct config *config_parse(const char *name, const char *text, struct error *err)
{
	struct config *cfg = config_new();
	if (config_text_parse(&cfg->reports.text, name, text, err) == 0 && build(cfg, err) == 0)
		return cfg;
	config_free(cfg);
	return NULL;
}

const char *config_file(const struct config *cfg, size_t i)
{
	const struct config_text *text = &cfg->reports.text;

	return i < text->source_count ? text->sources[i].file : NULL;
}

void config_text(const struct config *cfg, struct buf *out)
{
	buf_add(out, cfg->reports.text.text.data, cfg->reports.text.text.len);
}

size_t config_error_count(const struct config *cfg)
{
	return cfg->reports.found[CONFIG_ERRORS].count;
}

void config_errors(const struct config *cfg, struct buf *out)
{
	config_reports_write(&cfg->reports, CONFIG_ERRORS, out);
}

void config_warnings(const struct config *cfg, struct buf *out)
{
	config_reports_write(&cfg->reports, CONFIG_WARNINGS, out);
}
