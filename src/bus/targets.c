#include "bus/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config.h"
#include "base/error.h"
#include "base/mem.h"

static void read_address(struct target *target, struct config *cfg, const char *path, const char *text)
{
	struct error err = {0};
	struct address a;

	if (address_parse(text, &a, &err) < 0) {
		config_error(cfg, path, "%s", err.text);
		return;
	}
	char *channel = xasprintf("channels.%s", a.channel);
	if (!config_has(cfg, channel))
		config_error(cfg, path, "\"%s\" names the channel \"%s\", which is not configured.", text, a.channel);
	free(channel);
	target->addresses = xrealloc(target->addresses, (target->count + 1) * sizeof(a));
	target->addresses[target->count++] = a;
}

void targets_read(struct targets *out, struct config *cfg)
{
	const char **names = NULL;

	out->count = config_names(cfg, "targets", &names);
	out->items = xcalloc(out->count + 1, sizeof(*out->items));
	for (size_t i = 0; i < out->count; i++) {
		struct config_strings texts = {0};
		char *path = xasprintf("targets.%s", names[i]);
		out->items[i].name = xstrdup(names[i]);
		if (config_read_strings(cfg, path, &texts)) {
			for (size_t k = 0; k < texts.count; k++)
				read_address(&out->items[i], cfg, path, texts.items[k]);
			if (texts.count == 0)
				config_error(cfg, path, "The target has no address. Give it one, or remove it.");
		}
		config_strings_clear(&texts);
		free(path);
	}
	free(names);
}

void targets_clear(struct targets *ts)
{
	for (size_t i = 0; i < ts->count; i++) {
		free(ts->items[i].name);
		free(ts->items[i].addresses);
	}
	free(ts->items);
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
		for (size_t k = 0; k < ts->items[i].count; k++)
			if (address_equal(&ts->items[i].addresses[k], a))
				return true;
	return false;
}

static int unknown_target(const struct targets *ts, const char *text, struct error *err)
{
	struct buf known = BUF_INIT;

	for (size_t i = 0; i < ts->count; i++)
		buf_addf(&known, "%s%s", i ? ", " : "", ts->items[i].name);
	error_set(err, ERROR_OURS, "There is no target \"%.40s\". Known targets: %s. An address is written CHANNEL:CHAT.", text,
	    known.len ? known.data : "none");
	buf_clear(&known);
	return -1;
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
		unknown_target(ts, text, err);
		return NULL;
	}
	if (address_parse(text, &a, err) < 0)
		return NULL;
	*count = 1;
	return xmemdup(&a, sizeof(a));
}
