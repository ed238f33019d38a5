#include "session/chat_settings.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "session/session_internal.h"
#include "session/session_settings.h"

static const struct config_key keys[] = {
    {.name = "chat",
	.type = CONFIG_STRING,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct chat_rule, chat),
	.help = "The address: CHANNEL:CHAT or, for one thread, CHANNEL:CHAT/THREAD."},
    {.name = "instructions",
	.type = CONFIG_STRING,
	.offset = offsetof(struct chat_rule, instructions),
	.help = "Extra instructions for that chat. /instructions adds to it."},
    {.name = "model",
	.type = CONFIG_STRING,
	.offset = offsetof(struct chat_rule, model),
	.help = "The model for that chat, by its name in llm.providers, unless /model has chosen one."},
};

const struct config_section chats_section = {
    .path = "chats.*",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "What the model gets in one chat: `chats: { ops: { chat = \"telegram:-1001234\"; "
	    "instructions = \"Answer in French.\"; }; };`. You choose the name.",
};

static void check(const struct chat_rule *r, struct config *cfg, const char *path)
{
	char *channel = xasprintf("channels.%s", r->where.channel),
	     *model = xasprintf("llm.providers.%s", r->model ? r->model : "");
	char *at = xasprintf("%s.model", path);

	if (*r->where.channel && !config_has(cfg, channel))
		config_error(cfg, path, "\"%s\" names the channel \"%s\", which is not configured.", r->chat,
		    r->where.channel);
	if (r->model && !config_has(cfg, model))
		config_error(cfg, at, "model: \"%.64s\" is not in llm.providers.", r->model);
	free(channel);
	free(model);
	free(at);
}

static void read_rule(struct chat_rule *r, struct config *cfg, const char *path)
{
	struct error err = {0};

	config_read(cfg, path, &chats_section, r);
	if (r->chat && address_parse(r->chat, &r->where, &err) < 0)
		config_error(cfg, path, "chat: %s", err.text);
	check(r, cfg, path);
}

void chat_settings_read(struct chat_settings *s, struct config *cfg)
{
	const char **names = NULL;

	s->count = config_names(cfg, "chats", &names);
	s->rules = xcalloc(s->count + 1, sizeof(*s->rules));
	for (size_t i = 0; i < s->count; i++) {
		char *path = xasprintf("chats.%s", names[i]);
		read_rule(&s->rules[i], cfg, path);
		free(path);
	}
	free(names);
}

void chat_settings_clear(struct chat_settings *s)
{
	for (size_t i = 0; i < s->count; i++)
		config_settings_clear(keys, ARRAY_LEN(keys), &s->rules[i]);
	free(s->rules);
	*s = (struct chat_settings){0};
}

static bool fits(
    const struct chat_rule *r, const struct address *where, const char *thread, const char *former)
{
	return strcmp(r->where.channel, where->channel) == 0 && strcmp(r->where.thread, thread) == 0 &&
	    (strcmp(r->where.chat, where->chat) == 0 || (former && strcmp(r->where.chat, former) == 0));
}

/* Returns the string at that offset of the first matching rule that has one. */
static const char *find(const struct sessions *all, const struct address *where, size_t offset)
{
	const struct chat_settings *s = &all->options.settings->chats;
	const char *former = bus_former_chat_id(all->options.agent->bus, where),
		   *threads[] = {where->thread, ""};

	for (size_t k = *where->thread ? 0 : 1; k < ARRAY_LEN(threads); k++)
		for (size_t i = 0; i < s->count; i++) {
			const char *text = *(char *const *)((const char *)&s->rules[i] + offset);
			if (text && fits(&s->rules[i], where, threads[k], former))
				return text;
		}
	return NULL;
}

const char *chat_instructions(const struct sessions *all, const struct address *where)
{
	return find(all, where, offsetof(struct chat_rule, instructions));
}

char *chat_model(const struct sessions *all, const struct address *where, char *chosen)
{
	return chosen ? chosen : xstrdup(find(all, where, offsetof(struct chat_rule, model)));
}
