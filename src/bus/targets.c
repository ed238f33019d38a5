#include "bus/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"

static bool has(const struct target *target, const struct address *a)
{
	for (size_t i = 0; i < target->count; i++)
		if (address_equal(&target->addresses[i], a))
			return true;
	return false;
}

/* path is the path of the text's list item. */
static void read_address(struct target *target, struct config *cfg, const char *path, const char *text)
{
	struct error err = {0};
	struct address a;

	if (address_parse(text, &a, &err) < 0) {
		config_error(cfg, path, "\"%s\": %s.", text, err.text);
		return;
	}
	char *channel = xasprintf("channels.%s", a.channel);
	if (!config_has(cfg, channel))
		config_error(
		    cfg, path, "\"%s\" names the channel \"%s\", which is not configured.", text, a.channel);
	free(channel);
	if (has(target, &a)) {
		config_warning(cfg, path, "\"%s\" stands twice in %s.", text, target->name);
		return;
	}
	target->addresses = xrealloc(target->addresses, (target->count + 1) * sizeof(a));
	target->addresses[target->count++] = a;
}

static void read_target(struct target *target, struct config *cfg, const char *name)
{
	struct config_strings texts = {0};
	char *path = xasprintf("targets.%s", name);

	target->name = xstrdup(name);
	bool read = config_read_strings(cfg, path, &texts);
	if (read && texts.count == 0)
		config_error(cfg, path, "%s has no address. Give it one, or remove it.", path);
	for (size_t i = 0; i < texts.count; i++) {
		char *at = xasprintf("%s[%zu]", path, i);
		read_address(target, cfg, at, texts.items[i]);
		free(at);
	}
	config_strings_clear(&texts);
	free(path);
}

/* quiet_hours: { NAME = "22:00-07:00"; }; */
static void read_quiet(struct targets *ts, struct config *cfg)
{
	const char **names = NULL;
	size_t count = config_names(cfg, "quiet_hours", &names);

	for (size_t i = 0; i < count; i++) {
		char *path = xasprintf("quiet_hours.%s", names[i]);
		const char *text = config_string(cfg, path);
		struct target *target = (struct target *)(uintptr_t)targets_find(ts, names[i]);
		struct error err = {0};
		if (!target)
			config_error(cfg, path, "There is no target \"%s\".", names[i]);
		else if (quiet_hours_parse(text ? text : "", &target->quiet, &err) < 0)
			config_error(cfg, path, "%s: %s.", path, err.text);
		free(path);
	}
	free(names);
}

void targets_read(struct targets *out, struct config *cfg)
{
	const char **names = NULL;

	out->count = config_names(cfg, "targets", &names);
	out->items = xcalloc(out->count + 1, sizeof(*out->items));
	for (size_t i = 0; i < out->count; i++)
		read_target(&out->items[i], cfg, names[i]);
	free(names);
	read_quiet(out, cfg);
	people_read(&out->people, cfg);
}

void targets_clear(struct targets *ts)
{
	for (size_t i = 0; i < ts->count; i++) {
		free(ts->items[i].name);
		free(ts->items[i].addresses);
	}
	free(ts->items);
	people_clear(&ts->people);
	*ts = (struct targets){0};
}

const struct target *targets_find(const struct targets *ts, const char *name)
{
	for (size_t i = 0; i < ts->count; i++)
		if (strcmp(ts->items[i].name, name) == 0)
			return &ts->items[i];
	return NULL;
}

bool targets_have(const struct targets *ts, const struct address *a)
{
	for (size_t i = 0; i < ts->count; i++)
		if (has(&ts->items[i], a))
			return true;
	return false;
}

int64_t targets_quiet_until(const struct targets *ts, const struct address *a, int64_t now_ms)
{
	int64_t until = 0;

	for (size_t i = 0; i < ts->count; i++) {
		int64_t one = has(&ts->items[i], a) ? quiet_hours_until(&ts->items[i].quiet, now_ms) : 0;
		until = one > until ? one : until;
	}
	return until;
}

static void report_unknown(const struct targets *ts, const char *text, struct error *err)
{
	struct buf known = BUF_INIT;

	for (size_t i = 0; i < ts->count; i++)
		buf_addf(&known, "%s%s", i ? ", " : "", ts->items[i].name);
	error_set(err, ERROR_OURS,
	    "There is no target \"%.40s\". Name one of these, or write CHANNEL:CHAT: %s.", text,
	    known.len ? known.data : "none is configured");
	buf_clear(&known);
}

struct address *targets_expand(const struct targets *ts, const char *text, size_t *count, struct error *err)
{
	const struct target *target = targets_find(ts, text);
	struct address a;

	*count = 0;
	if (target) {
		*count = target->count;
		return xmemdup(target->addresses, target->count * sizeof(a));
	}
	if (!strchr(text, ':')) {
		report_unknown(ts, text, err);
		return NULL;
	}
	if (address_parse(text, &a, err) < 0)
		return NULL;
	*count = 1;
	return xmemdup(&a, sizeof(a));
}
