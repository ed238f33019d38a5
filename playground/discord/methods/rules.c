#include <stdio.h>

#include "base/error.h"
#include "playground/discord/methods/methods.h"
#include "playground/world/pattern.h"

/* By the trigger type, and how many a guild has of it. */
static const struct {
	const char *schema;
	size_t max;
} triggers[] = {
    [1] = {"KeywordRuleResponse", 6},
    [3] = {"MLSpamRuleResponse", 1},
    [4] = {"DefaultKeywordRuleResponse", 1},
    [5] = {"MentionSpamRuleResponse", 1},
    [6] = {"UserProfileRuleResponse", 1},
};

static int check_count(struct cord_call *call, const struct cord_guild *g, int64_t type)
{
	size_t n = 0;

	list_each_entry(&call->world->records.list[CORD_RULE], const struct cord_record, r, link)
		n += r->owner == g->id && json_get_int(r->json, "trigger_type", 0) == type;
	if (n < triggers[type].max)
		return 0;
	return cord_refuse_field(call, "trigger_type", "AUTO_MODERATION_MAX_RULES_OF_TYPE_EXCEEDED",
	    "Maximum number of rules of this type exceeded (%zu)", triggers[type].max);
}

static int check_actions(struct cord_call *call, const struct cord_guild *g, struct json_object *actions)
{
	json_each(actions, action) {
		uint64_t id = cord_get_id(json_get_object(action, "metadata"), "channel_id");
		const struct cord_channel *c = cord_channel_find(call->world, id);

		if (json_get_int(action, "type", 0) == 2 && (!c || c->guild != g || c->gone))
			return cord_refuse_field(call, "actions", "AUTO_MODERATION_INVALID_CHANNEL",
			    "The channel for alerts is not there.");
	}
	return 0;
}

/* Discord: resources/auto-moderation: "only Rust-flavored regex is supported". That others are refused when
 * the rule is made is what people report; no document states the code and words, which are Rust's here. */
static int check_patterns(struct cord_call *call, struct json_object *patterns)
{
	json_each(patterns, item) {
		struct error err = {0};
		struct pattern *p =
		    pattern_new(json_object_get_string(item), PATTERN_ANY_CASE | PATTERN_RUST, &err);

		if (!p)
			return cord_refuse_field(call, "trigger_metadata", "AUTO_MODERATION_INVALID_REGEX",
			    "Invalid regular expression: %s", err.text);
		pattern_free(p);
	}
	return 0;
}

static int validate_rule(
    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o)
{
	int64_t type = json_get_int(o, "trigger_type", 0);

	if ((!was && check_count(call, g, type) != 0) ||
	    check_actions(call, g, json_get_array(o, "actions")) != 0 ||
	    check_patterns(call, json_get_array(json_get_object(o, "trigger_metadata"), "regex_patterns")) !=
		0)
		return -1;
	if (!was) {
		json_set(o, "guild_id", cord_id_json(g->id));
		json_set(o, "creator_id", cord_id_json(cord_call_actor(call)));
		if (!json_get(o, "enabled"))
			json_set_bool(o, "enabled", false);
	}
	cord_fill(triggers[type].schema, o);
	return 0;
}

static void announce_rule(struct cord_guild *g, const char *what, struct json_object *o)
{
	char name[48];

	snprintf(name, sizeof(name), "AUTO_MODERATION_RULE_%s", what);
	cord_event_in_guild(g, name, CORD_INTENT_RULES, CORD_MAY_MANAGE_GUILD, json_object_get(o));
}

const struct cord_resource cord_rules = {
    .kind = CORD_RULE,
    .max = SIZE_MAX, /* a limit for each type */
    .manage = CORD_MAY_MANAGE_GUILD,
    .action = CORD_ACTION_RULE,
    .validate = validate_rule,
    .announce = announce_rule,
};
