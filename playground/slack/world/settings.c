#include <stddef.h>
#include <string.h>

#include "playground/slack/world/world_internal.h"
#include "playground/world/settings.h"

#define SIGNING_SECRET "playground-signing-secret"

static const struct setting fields[] = {
    {"ack_ms", SETTING_NUMBER, offsetof(struct slk_settings, ack_ms), 1, 600000},
    {"close_ms", SETTING_NUMBER, offsetof(struct slk_settings, close_ms), 0, 600000},
    {"connection_s", SETTING_NUMBER, offsetof(struct slk_settings, connection_s), 1, 86400},
    {"file_redirect", SETTING_BOOL, offsetof(struct slk_settings, file_redirect), 0, 0},
    {"fragments", SETTING_NUMBER, offsetof(struct slk_settings, fragments), 1, 1000},
    {"hello_ms", SETTING_NUMBER, offsetof(struct slk_settings, hello_ms), 0, 600000},
    {"limits", SETTING_BOOL, offsetof(struct slk_settings, limits), 0, 0},
    {"ping_ms", SETTING_NUMBER, offsetof(struct slk_settings, ping_ms), 10, 600000},
    {"pong_ms", SETTING_NUMBER, offsetof(struct slk_settings, pong_ms), 10, 600000},
    {"request_url", SETTING_TEXT, offsetof(struct slk_settings, request_url), 0,
	sizeof(((struct slk_settings *)0)->request_url)},
    {"share_ms", SETTING_NUMBER, offsetof(struct slk_settings, share_ms), 0, 600000},
    {"signing_secret", SETTING_TEXT, offsetof(struct slk_settings, signing_secret), 0,
	sizeof(((struct slk_settings *)0)->signing_secret)},
    {"stream_ms", SETTING_NUMBER, offsetof(struct slk_settings, stream_ms), 1, 3600000},
    {"trigger_ms", SETTING_NUMBER, offsetof(struct slk_settings, trigger_ms), 1, 600000},
    {.name = NULL},
};

static const char *const mentions[] = {
    [SLK_MENTIONS_ALTERNATE] = "alternate",
    [SLK_MENTION_FIRST] = "mention_first",
    [SLK_MESSAGE_FIRST] = "message_first",
    [SLK_MENTION_ONLY] = "mention_only",
    [SLK_MESSAGE_ONLY] = "message_only",
};

void slk_settings_init(struct slk_settings *s)
{
	*s = (struct slk_settings){
	    .limits = true,
	    .retry_ms = {0, 60000, 300000},
	    .ack_ms = 3000,
	    .close_ms = 10000,
	    .connection_s = 18060,
	    .fragments = 1,
	    .ping_ms = 10000,
	    .pong_ms = 30000,
	    .share_ms = 30,
	    .stream_ms = 300000,
	    .trigger_ms = 3000,
	};
	str_copy(s->signing_secret, sizeof(s->signing_secret), SIGNING_SECRET);
}

static int set_mentions(struct slk_settings *s, struct json_object *value, struct error *err)
{
	const char *text = json_object_get_string(value);

	for (size_t i = 0; text && i < ARRAY_LEN(mentions); i++) {
		if (strcmp(mentions[i], text) == 0) {
			s->mentions = (enum slk_mentions)i;
			return 0;
		}
	}
	return error_set(err, ERROR_OURS,
	    "mentions is alternate, mention_first, message_first, mention_only or message_only");
}

static int set_retries(struct slk_settings *s, struct json_object *value, struct error *err)
{
	if (!json_object_is_type(value, json_type_array) || json_count(value) != SLK_RETRIES)
		return error_set(err, ERROR_OURS, "retry_ms must be an array of %d numbers", SLK_RETRIES);
	for (size_t i = 0; i < SLK_RETRIES; i++) {
		int64_t n = json_object_get_int64(json_at(value, i));

		if (n < 0 || n > 3600000)
			return error_set(err, ERROR_OURS, "retry_ms must be from 0 to 3600000");
		s->retry_ms[i] = n;
	}
	return 0;
}

/* Reads at most max texts, each into size bytes of out. */
static int set_list(const char *name, size_t max, size_t size, char *out, size_t *count,
    struct json_object *value, struct error *err)
{
	bool list = json_object_is_type(value, json_type_array);
	size_t n = list ? json_count(value) : 0;

	for (size_t i = 0; list && i < n && i < max; i++) {
		struct json_object *one = json_at(value, i);

		list = json_object_is_type(one, json_type_string) &&
		    str_copy(out + i * size, size, json_object_get_string(one)) == 0;
	}
	if (!list || n > max)
		return error_set(err, ERROR_OURS, "%s must be an array of at most %zu texts of %zu bytes",
		    name, max, size - 1);
	*count = n;
	return 0;
}

static int set_command(struct slk_command *c, struct json_object *o, struct error *err)
{
	const char *name = json_get_str(o, "command"), *about = json_get_str(o, "description");

	if (!name || name[0] != '/' || name[1] == '\0' || strpbrk(name, " \t\n") ||
	    str_copy(c->name, sizeof(c->name), name) != 0)
		return error_set(err, ERROR_OURS,
		    "a command is one word with a slash before it, of at most %zu bytes",
		    sizeof(c->name) - 1);
	str_copy(c->about, sizeof(c->about), about ? about : "");
	return 0;
}

static int set_commands(struct slk_settings *s, struct json_object *value, struct error *err)
{
	size_t count = json_object_is_type(value, json_type_array) ? json_count(value) : SLK_COMMANDS_MAX + 1;

	if (count > SLK_COMMANDS_MAX)
		return error_set(
		    err, ERROR_OURS, "commands must be an array of at most %d", SLK_COMMANDS_MAX);
	for (size_t i = 0; i < count; i++)
		if (set_command(&s->commands[i], json_at(value, i), err) != 0)
			return -1;
	s->command_count = count;
	return 0;
}

static int set_one(struct slk_settings *s, const char *name, struct json_object *value, struct error *err)
{
	if (strcmp(name, "commands") == 0)
		return set_commands(s, value, err);
	if (strcmp(name, "mentions") == 0)
		return set_mentions(s, value, err);
	if (strcmp(name, "retry_ms") == 0)
		return set_retries(s, value, err);
	if (strcmp(name, "missing_scopes") == 0)
		return set_list(
		    name, SLK_SCOPES_MAX, SLK_SCOPE_SIZE, s->missing[0], &s->missing_count, value, err);
	if (strcmp(name, "unfurl_domains") == 0)
		return set_list(
		    name, SLK_DOMAINS_MAX, SLK_DOMAIN_SIZE, s->domains[0], &s->domain_count, value, err);
	if (setting_set(fields, s, name, value, err) != 0)
		return -1;
	if (s->request_url[0] != '\0' && strncmp(s->request_url, "http://", 7) != 0 &&
	    strncmp(s->request_url, "https://", 8) != 0)
		return error_set(err, ERROR_OURS, "request_url must begin with http:// or https://");
	return 0;
}

int slk_settings_set(struct slk_settings *s, struct json_object *in, struct error *err)
{
	struct slk_settings next = *s;

	json_object_object_foreach(in, name, value) {
		if (set_one(&next, name, value, err) != 0)
			return -1;
	}
	*s = next;
	return 0;
}

void slk_settings_write(const struct slk_settings *s, struct json_object *out)
{
	struct json_object *retries = json_object_new_array(), *missing = json_object_new_array(),
			   *domains = json_object_new_array();

	settings_write(fields, s, out);
	for (size_t i = 0; i < SLK_RETRIES; i++)
		json_object_array_add(retries, json_object_new_int64(s->retry_ms[i]));
	for (size_t i = 0; i < s->missing_count; i++)
		json_object_array_add(missing, json_object_new_string(s->missing[i]));
	for (size_t i = 0; i < s->domain_count; i++)
		json_object_array_add(domains, json_object_new_string(s->domains[i]));
	json_setf(out, "unfurl_domains: %p, commands: %p, mentions: %s, retry_ms: %p, missing_scopes: %p",
	    domains, slk_settings_commands(s), mentions[s->mentions], retries, missing);
}

bool slk_settings_scope(const struct slk_settings *s, const char *scope)
{
	for (size_t i = 0; i < s->missing_count; i++)
		if (strcmp(s->missing[i], scope) == 0)
			return false;
	return true;
}

struct json_object *slk_settings_commands(const struct slk_settings *s)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < s->command_count; i++)
		json_object_array_add(array,
		    json_newf("{command: %s, description: %s}", s->commands[i].name, s->commands[i].about));
	return array;
}

bool slk_settings_command(const struct slk_settings *s, const char *name)
{
	for (size_t i = 0; i < s->command_count; i++)
		if (strcmp(s->commands[i].name, name) == 0)
			return true;
	return s->command_count == 0;
}
