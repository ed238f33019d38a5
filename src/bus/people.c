#include "bus/people.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"

const struct address *people_first(const struct people *p, const char *channel, const char *id)
{
	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; k < p->items[i].count; k++) {
			const struct address *a = &p->items[i].ids[k];
			if (strcmp(a->channel, channel) == 0 && strcmp(a->chat, id) == 0)
				return &p->items[i].ids[0];
		}
	return NULL;
}

/* path is the path of the text's list item. */
static void read_id(
    struct people *p, struct person *one, struct config *cfg, const char *path, const char *text)
{
	struct error err = {0};
	struct address a;

	if (address_parse(text, &a, &err) < 0 || *a.thread) {
		config_error(
		    cfg, path, "\"%s\" is no person: write CHANNEL:ID, as in \"telegram:77\".", text);
		return;
	}
	char *channel = xasprintf("channels.%s", a.channel);
	if (!config_has(cfg, channel))
		config_error(
		    cfg, path, "\"%s\" names the channel \"%s\", which is not configured.", text, a.channel);
	free(channel);
	if (people_first(p, a.channel, a.chat)) {
		config_error(cfg, path, "\"%s\" stands twice in people. Each id is one person's.", text);
		return;
	}
	one->ids = xrealloc(one->ids, (one->count + 1) * sizeof(a));
	one->ids[one->count++] = a;
}

static void read_person(struct people *p, struct config *cfg, const char *name)
{
	struct config_strings texts = {0};
	char *path = xasprintf("people.%s", name);
	struct person *one = &p->items[p->count++];

	one->name = xstrdup(name);
	config_read_strings(cfg, path, &texts);
	for (size_t i = 0; i < texts.count; i++) {
		char *at = xasprintf("%s[%zu]", path, i);
		read_id(p, one, cfg, at, texts.items[i]);
		free(at);
	}
	config_strings_clear(&texts);
	free(path);
}

void people_read(struct people *out, struct config *cfg)
{
	const char **names = NULL;
	size_t count = config_names(cfg, "people", &names);

	out->items = xcalloc(count + 1, sizeof(*out->items));
	out->count = 0;
	for (size_t i = 0; i < count; i++)
		read_person(out, cfg, names[i]);
	free(names);
}

void people_clear(struct people *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->items[i].name);
		free(p->items[i].ids);
	}
	free(p->items);
	*p = (struct people){0};
}
