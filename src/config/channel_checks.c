#include "config/channel_checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "config/gateway_config.h"

/* Reports ids that match nobody. "*" is everybody. */
static void check_ids(struct gateway_config *gc, const struct gateway_channel *ch, const char *group,
    const char *key, const struct config_strings *ids, channel_check_id *check)
{
	struct error err = {0};

	for (size_t i = 0; i < ids->count; i++) {
		if (strcmp(ids->items[i], "*") == 0 || check(ch->ops, ids->items[i], &err) == 0)
			continue;
		char *at = xasprintf("%s.%s[%zu]", group, key, i);
		config_error(gc->file, at, "%s: %s", at, err.text);
		free(at);
	}
}

static void check_group(struct gateway_config *gc, const struct gateway_channel *ch, const char *path,
    const struct access_group_settings *g)
{
	char *at = xasprintf("%s.chat", path);
	struct error err = {0};

	if (g->chat && channel_check_group(ch->ops, g->chat, &err) < 0)
		config_error(gc->file, at, "%s: %s", at, err.text);
	check_ids(gc, ch, path, "allow", &g->allow, channel_check_person);
	check_ids(gc, ch, path, "admins", &g->admins, channel_check_person);
	free(at);
}

void channel_checks_ids(struct gateway_config *gc, const struct gateway_channel *ch, const char *path)
{
	const struct access_settings *s = &ch->access;
	char *groups = xasprintf("%s.groups", path);
	const char **names = NULL;
	size_t count = config_names(gc->file, groups, &names);

	check_ids(gc, ch, path, "owners", &s->owners, channel_check_person);
	check_ids(gc, ch, path, "admins", &s->admins, channel_check_person);
	check_ids(gc, ch, path, "allow", &s->allow, channel_check_person);
	check_ids(gc, ch, path, "guests", &s->guests, channel_check_person);
	check_ids(gc, ch, path, "chats", &s->chats, channel_check_group);
	for (size_t i = 0; i < count && i < s->group_count; i++) {
		char *at = xasprintf("%s.%s", groups, names[i]);
		check_group(gc, ch, at, &s->groups[i]);
		free(at);
	}
	free(names);
	free(groups);
}

void channel_checks_address(
    struct gateway_config *gc, const char *path, const char *text, channel_check_id *check)
{
	struct error err = {0};
	struct address a;
	const struct gateway_channel *ch =
	    text && address_parse(text, &a, &err) == 0 ? gateway_config_channel(gc, a.channel) : NULL;

	if (ch && ch->ops && check(ch->ops, a.chat, &err) < 0)
		config_error(gc->file, path, "%s: %s", path, err.text);
}

void channel_checks_addresses(struct gateway_config *gc, const char *section, channel_check_id *check)
{
	const char **names = NULL;
	size_t count = config_names(gc->file, section, &names);

	for (size_t i = 0; i < count; i++) {
		struct config_strings texts = {0};
		char *path = xasprintf("%s.%s", section, names[i]);
		bool read = config_read_strings(gc->file, path, &texts);
		for (size_t k = 0; read && k < texts.count; k++) {
			char *at = xasprintf("%s[%zu]", path, k);
			channel_checks_address(gc, at, texts.items[k], check);
			free(at);
		}
		config_strings_clear(&texts);
		free(path);
	}
	free(names);
}

/* Returns the key of a secret that both channels have: one account cannot serve two. NULL: none. */
static const char *shared_secret(const struct gateway_channel *a, const struct gateway_channel *b)
{
	const struct config_section *section = a->ops->section;

	for (size_t i = 0; i < section->key_count; i++) {
		const struct config_key *key = &section->keys[i];
		if (key->type != CONFIG_SECRET)
			continue;
		const char *const *one = (const void *)((const char *)a->settings + key->offset),
				  *const *other = (const void *)((const char *)b->settings + key->offset);
		if (*one && *other && strcmp(*one, *other) == 0)
			return key->name;
	}
	return NULL;
}

void channel_checks_tokens(struct gateway_config *gc)
{
	for (size_t i = 0; i < gc->channel_count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct gateway_channel *a = &gc->channels[k], *b = &gc->channels[i];
			const char *key = a->ops && a->ops == b->ops ? shared_secret(a, b) : NULL;
			if (!key)
				continue;
			char *at = xasprintf("channels.%s.%s", b->name, key);
			config_error(gc->file, at,
			    "%s is that of the channel \"%s\", too: each message would reach one of the two. "
			    "Give each channel a bot of its own, or remove one.",
			    key, a->name);
			free(at);
		}
}
