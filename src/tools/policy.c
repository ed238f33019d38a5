#include "tools/policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/targets.h"
#include "tools/tools_internal.h"

enum policy_role { POLICY_ADMIN, POLICY_GUEST, POLICY_USER };

static const char *const role_names[] = {
    [POLICY_ADMIN] = "admin", [POLICY_GUEST] = "guest", [POLICY_USER] = "user", NULL};
static const char *const any_role[] = {"any", "admin", "guest", "user", NULL};

struct rule_settings {
	int role; /* index into any_role */
	struct config_strings allow, channels, chats, deny;
};

struct rule {
	struct rule_settings settings;
	struct address *chats;
	size_t chat_count;
};

struct policy {
	struct rule *rules;
	size_t count;
};

static const struct config_key keys[] = {
    {.name = "allow",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct rule_settings, allow),
	.help = "The tools that may be used, by name; * and ? are wildcards, as in \"web__*\". Absent: all."},
    {.name = "channels",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct rule_settings, channels),
	.help = "Names of the channels where the rule applies. Absent: all."},
    {.name = "chats",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct rule_settings, chats),
	.help = "Addresses and targets where the rule applies; a chat includes its threads. Absent: all."},
    {.name = "deny",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct rule_settings, deny),
	.help = "The tools that may not be used, even if allow names them."},
    {.name = "role",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct rule_settings, role),
	.fallback = "any",
	.choices = any_role,
	.help = "The role to which the rule applies. In a conversation of several people the lowest role "
		"counts; owners and the operator's terminal are admins."},
};

const struct config_section policy_section = {
    .path = "tools.policy[]",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Who may use which tools, and where: `policy = ( { role = \"guest\"; allow = [\"glob\"]; "
	    "}, { chats = [\"ops\"]; deny = [\"mcp__*\"]; } );`. The first rule that matches decides; if "
	    "none does, all tools of the role may be used. A rule can only take tools away: guests never get "
	    "tools that write, send or ask, such as all tools of MCP servers, and only admins get those for "
	    "admins. Guests get external tools that change nothing only where a rule names them in `allow`.",
};

static void check_channels(const struct rule *r, struct config *cfg, const char *path)
{
	const struct config_strings *names = &r->settings.channels;

	for (size_t i = 0; i < names->count; i++) {
		char *place = xasprintf("%s.channels[%zu]", path, i),
		     *channel = xasprintf("channels.%s", names->items[i]);
		if (!config_has(cfg, channel))
			config_error(cfg, place, "\"%s\" is no channel that is configured.", names->items[i]);
		free(channel);
		free(place);
	}
}

static void add_chats(struct rule *r, const struct address *found, size_t count)
{
	r->chats = xrealloc(r->chats, (r->chat_count + count + 1) * sizeof(*r->chats));
	memcpy(r->chats + r->chat_count, found, count * sizeof(*found));
	r->chat_count += count;
}

static void read_chats(struct rule *r, struct config *cfg, const char *path, const struct targets *targets)
{
	const struct config_strings *names = &r->settings.chats;

	for (size_t i = 0; i < names->count; i++) {
		char *place = xasprintf("%s.chats[%zu]", path, i);
		struct error err = {0};
		size_t count = 0;
		struct address *found = targets_expand(targets, names->items[i], &count, &err);
		char *channel = found ? xasprintf("channels.%s", found[0].channel) : NULL;
		if (!found)
			config_error(cfg, place, "chats: %s", err.text);
		else if (!config_has(cfg, channel))
			config_error(cfg, place, "\"%s\" names the channel \"%s\", which is not configured.",
			    names->items[i], found[0].channel);
		else
			add_chats(r, found, count);
		free(channel);
		free(found);
		free(place);
	}
}

static void read_rule(struct rule *r, struct config *cfg, const char *path, const struct targets *targets)
{
	config_read(cfg, path, &policy_section, &r->settings);
	if (r->settings.allow.count + r->settings.deny.count == 0)
		config_error(cfg, path,
		    "The rule says nothing. Give it allow = [\"NAME\"] or deny = [\"NAME\"]; deny = [\"*\"] "
		    "shuts all.");
	check_channels(r, cfg, path);
	read_chats(r, cfg, path, targets);
	tool_names_check(&r->settings.allow, cfg, path, "allow");
	tool_names_check(&r->settings.deny, cfg, path, "deny");
}

struct policy *policy_read(struct config *cfg, const struct targets *targets)
{
	struct policy *p = xcalloc(1, sizeof(*p));

	p->count = config_groups(cfg, "tools.policy");
	p->rules = xcalloc(p->count + 1, sizeof(*p->rules));
	for (size_t i = 0; i < p->count; i++) {
		char *path = xasprintf("tools.policy[%zu]", i);
		read_rule(&p->rules[i], cfg, path, targets);
		free(path);
	}
	return p;
}

void policy_free(struct policy *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++) {
		config_settings_clear(keys, ARRAY_LEN(keys), &p->rules[i].settings);
		free(p->rules[i].chats);
	}
	free(p->rules);
	free(p);
}

static enum policy_role role_of(const struct tool_call *call)
{
	if (call->guest)
		return POLICY_GUEST;
	return call->admin ? POLICY_ADMIN : POLICY_USER;
}

static bool fits_role(const struct rule *r, const struct tool_call *call)
{
	return r->settings.role == 0 || strcmp(any_role[r->settings.role], role_names[role_of(call)]) == 0;
}

static bool is_chat(const struct address *rule, const struct address *chat, const char *former)
{
	if (strcmp(rule->channel, chat->channel) != 0 ||
	    (*rule->thread && strcmp(rule->thread, chat->thread) != 0))
		return false;
	return strcmp(rule->chat, chat->chat) == 0 || (former && strcmp(rule->chat, former) == 0);
}

static bool fits_chat(const struct rule *r, const struct tool_call *call)
{
	const char *former = call->chat && call->bus ? bus_former_chat_id(call->bus, call->chat) : NULL;

	for (size_t i = 0; call->chat && i < r->chat_count; i++)
		if (is_chat(&r->chats[i], call->chat, former))
			return true;
	return r->settings.chats.count == 0;
}

static bool fits_channel(const struct rule *r, const struct tool_call *call)
{
	const struct config_strings *names = &r->settings.channels;

	return names->count == 0 || (call->chat && config_strings_have(names, call->chat->channel));
}

static const struct rule *find_rule(const struct policy *p, const struct tool_call *call)
{
	for (size_t i = 0; i < p->count; i++)
		if (fits_role(&p->rules[i], call) && fits_channel(&p->rules[i], call) &&
		    fits_chat(&p->rules[i], call))
			return &p->rules[i];
	return NULL;
}

bool policy_allows(const struct policy *p, const struct tool *tool, const struct tool_call *call)
{
	const struct rule *r = find_rule(p, call);
	bool named = r && tool_is_among(tool, &r->settings.allow);

	if (r && tool_is_among(tool, &r->settings.deny))
		return false;
	if (call->guest && tool->origin)
		return named;
	return !r || r->settings.allow.count == 0 || named;
}
