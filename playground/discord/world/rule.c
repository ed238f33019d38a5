#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/discord/world/world_internal.h"
#include "playground/world/pattern.h"

enum { KEYWORD = 1, MENTION_SPAM = 5 };
enum { BLOCK = 1, ALERT = 2, TIMEOUT = 3 };

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* A keyword is whole words; * at an end lets the word go on there. */
static bool has_keyword(const char *text, const char *keyword)
{
	size_t len = strlen(keyword);
	bool before = keyword[0] == '*', after = len > 0 && keyword[len - 1] == '*';
	char *word = xstrndup(keyword + before, len - before - (after && len > before));
	const char *at = text;
	bool found = false;

	len = strlen(word);
	while (!found && len > 0 && (at = strcasestr(at, word))) {
		found = (before || at == text || !is_letter(at[-1])) && (after || !is_letter(at[len]));
		at++;
	}
	free(word);
	return found;
}

static bool fits_pattern(const char *text, const char *pattern)
{
	struct pattern *p = pattern_new(pattern, PATTERN_ANY_CASE | PATTERN_RUST, NULL);
	bool found = p && pattern_match(p, text, strlen(text), NULL, 0);

	pattern_free(p);
	return found;
}

/* Returns the first pattern of the list that matches; NULL: none. */
static const char *first_of(struct json_object *meta, const char *key, const char *text,
    bool (*fits)(const char *text, const char *what))
{
	struct json_object *array = json_get_array(meta, key);

	json_each(array, item) {
		const char *what = json_object_get_string(item);

		if (fits(text, what))
			return what;
	}
	return NULL;
}

/* Returns what in the message breaks the rule; NULL: nothing. */
static const char *broken(struct json_object *rule, const struct cord_message *m)
{
	struct json_object *meta = json_get_object(rule, "trigger_metadata");
	int64_t type = json_get_int(rule, "trigger_type", 0);
	const char *hit;

	if (type == MENTION_SPAM)
		return m->mentions.count + m->mention_roles.count >
			(size_t)json_get_int(meta, "mention_total_limit", 50) ?
		    "" :
		    NULL;
	if (type != KEYWORD || first_of(meta, "allow_list", m->content, has_keyword))
		return NULL;
	hit = first_of(meta, "keyword_filter", m->content, has_keyword);
	return hit ? hit : first_of(meta, "regex_patterns", m->content, fits_pattern);
}

static bool is_exempt(struct json_object *rule, const struct cord_message *m)
{
	const struct cord_channel *c = m->channel;
	struct json_object *channels = json_get_array(rule, "exempt_channels"),
			   *roles = json_get_array(rule, "exempt_roles"),
			   *member = cord_someone_json(c->guild, cord_message_writer(m), false),
			   *own = json_get_array(member, "roles");
	bool exempt = cord_array_has(channels, c->id) ||
	    (c->parent && cord_array_has(channels, c->parent->id)) ||
	    cord_array_has(channels, c->category_id);

	json_each(own, item) {
		uint64_t id = 0;

		exempt = exempt ||
		    (cord_snowflake_read(json_object_get_string(item), &id) && cord_array_has(roles, id));
	}
	json_object_put(member);
	return exempt;
}

/* The message in the channel for alerts, which says it in an embed. Returns its id. */
static uint64_t alert(const struct cord_message *m, struct json_object *rule, struct json_object *action)
{
	struct cord_channel *c = cord_channel_find(
	    m->channel->world, cord_get_id(json_get_object(action, "metadata"), "channel_id"));
	struct json_object *embed, *list;
	struct cord_message *notice;

	if (!c || c->gone)
		return 0;
	embed = json_newf("{type: 'auto_moderation_message', title: %s, description: %s}",
	    json_get_str(rule, "name"), m->content);
	list = json_object_new_array();
	json_object_array_add(list, embed);
	notice = cord_message_new(c);
	notice->user = m->user;
	notice->bot = m->bot;
	notice->type = CORD_MESSAGE_RULE_ACTED;
	notice->embeds = list;
	cord_channel_add(c, notice);
	cord_event_message(notice, "MESSAGE_CREATE");
	return notice->id;
}

static void silence(const struct cord_message *m, struct json_object *action)
{
	struct cord_guild *g = m->channel->guild;
	int64_t seconds = json_get_int(json_get_object(action, "metadata"), "duration_seconds", 60);

	cord_set_time(cord_member_state(g, cord_message_writer(m)), "communication_disabled_until",
	    clock_wall() + seconds * 1000);
	cord_member_event(g, cord_message_writer(m), "GUILD_MEMBER_UPDATE");
}

static void play(
    const struct cord_message *m, struct json_object *rule, struct json_object *action, const char *hit)
{
	struct cord_guild *g = m->channel->guild;
	int64_t type = json_get_int(action, "type", 0);
	uint64_t alerted = type == ALERT ? alert(m, rule, action) : 0;
	struct json_object *d = cord_guild_event(g, "rule_id", json_object_get(json_get(rule, "id"))),
			   *options;

	if (type == TIMEOUT)
		silence(m, action);
	json_setf(d, "action: %p, rule_trigger_type: %jd, user_id: %p, channel_id: %p",
	    json_object_get(action), json_get_int(rule, "trigger_type", 0),
	    cord_id_json(cord_message_writer(m)), cord_id_json(m->channel->id));
	if (alerted != 0)
		json_set(d, "alert_system_message_id", cord_id_json(alerted));
	json_setf(d, "content: %s, matched_content: %s", m->content, hit);
	json_object_object_add(d, "matched_keyword", hit[0] != '\0' ? json_object_new_string(hit) : NULL);
	cord_event_in_guild(
	    g, "AUTO_MODERATION_ACTION_EXECUTION", CORD_INTENT_RULES_ACTED, CORD_MAY_MANAGE_GUILD, d);
	options = json_newf(
	    "{auto_moderation_rule_name: %s, auto_moderation_rule_trigger_type: %s, channel_id: %p}",
	    json_get_str(rule, "name"), json_object_get_string(json_get(rule, "trigger_type")),
	    cord_id_json(m->channel->id));
	cord_audit(g,
	    &(struct cord_audit_entry){.user_id = cord_message_writer(m),
		.target_id = cord_message_writer(m),
		.options = options,
		.action = type == BLOCK ? CORD_ACTION_RULE_BLOCK :
		    type == ALERT       ? CORD_ACTION_RULE_FLAG :
					  CORD_ACTION_RULE_TIMEOUT});
}

bool cord_rules_block(struct cord_message *m)
{
	struct cord_guild *g = m->channel->guild;
	bool blocked = false;

	/* Who runs the guild is above its rules. */
	if (!g || m->author ||
	    (cord_guild_may(g, cord_message_writer(m)) & (CORD_MAY_MANAGE_GUILD | CORD_MAY_ADMINISTER)))
		return false;
	list_each_entry(&g->world->records.list[CORD_RULE], struct cord_record, r, link) {
		struct json_object *actions = json_get_array(r->json, "actions");
		const char *hit = NULL;

		if (r->owner == g->id && json_get_bool(r->json, "enabled", false) && !is_exempt(r->json, m))
			hit = broken(r->json, m);
		for (size_t i = 0; hit && actions && i < json_count(actions); i++) {
			struct json_object *action = json_at(actions, i);

			blocked = blocked || json_get_int(action, "type", 0) == BLOCK;
			play(m, r->json, action, hit);
		}
	}
	return blocked;
}
