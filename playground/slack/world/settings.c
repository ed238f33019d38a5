#include <stddef.h>
#include <string.h>

#include "playground/slack/world/world_internal.h"

#define SIGNING_SECRET "playground-signing-secret"

static const struct {
	const char *name;
	size_t at;
	int64_t initial, min, max;
} numbers[] = {
    {"ack_ms", offsetof(struct slk_settings, ack_ms), 3000, 1, 600000},
    {"close_ms", offsetof(struct slk_settings, close_ms), 10000, 0, 600000},
    {"connection_s", offsetof(struct slk_settings, connection_s), 18060, 1, 86400},
    {"fragments", offsetof(struct slk_settings, fragments), 1, 1, 1000},
    {"hello_ms", offsetof(struct slk_settings, hello_ms), 0, 0, 600000},
    {"ping_ms", offsetof(struct slk_settings, ping_ms), 10000, 10, 600000},
    {"pong_ms", offsetof(struct slk_settings, pong_ms), 30000, 10, 600000},
    {"share_ms", offsetof(struct slk_settings, share_ms), 30, 0, 600000},
    {"stream_ms", offsetof(struct slk_settings, stream_ms), 300000, 1, 3600000},
    {"trigger_ms", offsetof(struct slk_settings, trigger_ms), 3000, 1, 600000},
};

static const struct {
	const char *name;
	size_t at, size;
} texts[] = {
    {"request_url", offsetof(struct slk_settings, request_url),
	sizeof(((struct slk_settings *)0)->request_url)},
    {"signing_secret", offsetof(struct slk_settings, signing_secret),
	sizeof(((struct slk_settings *)0)->signing_secret)},
};

static const struct {
	const char *name;
	size_t at;
} flags[] = {
    {"file_redirect", offsetof(struct slk_settings, file_redirect)},
    {"limits", offsetof(struct slk_settings, limits)},
};

static const char *const mentions[] = {
    [SLK_MENTIONS_ALTERNATE] = "alternate",
    [SLK_MENTION_FIRST] = "mention_first",
    [SLK_MESSAGE_FIRST] = "message_first",
    [SLK_MENTION_ONLY] = "mention_only",
    [SLK_MESSAGE_ONLY] = "message_only",
};

static int64_t *number_of(struct slk_settings *s, size_t i)
{
	return (int64_t *)((char *)s + numbers[i].at);
}

static bool *flag_of(struct slk_settings *s, size_t i)
{
	return (bool *)((char *)s + flags[i].at);
}

void slk_settings_init(struct slk_settings *s)
{
	*s = (struct slk_settings){.limits = true, .retry_ms = {0, 60000, 300000}};
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		*number_of(s, i) = numbers[i].initial;
	str_copy(s->signing_secret, sizeof(s->signing_secret), SIGNING_SECRET);
}

static int set_number(struct slk_settings *s, size_t i, struct json_object *value, struct error *err)
{
	int64_t n = json_object_get_int64(value);

	if (!json_object_is_type(value, json_type_int) || n < numbers[i].min || n > numbers[i].max)
		return error_set(err, ERROR_OURS, "%s must be a number from %lld to %lld", numbers[i].name,
		    (long long)numbers[i].min, (long long)numbers[i].max);
	*number_of(s, i) = n;
	return 0;
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
	if (!json_object_is_type(value, json_type_array) || json_object_array_length(value) != SLK_RETRIES)
		return error_set(err, ERROR_OURS, "retry_ms must be an array of %d numbers", SLK_RETRIES);
	for (size_t i = 0; i < SLK_RETRIES; i++) {
		int64_t n = json_object_get_int64(json_object_array_get_idx(value, i));

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
	size_t n = list ? json_object_array_length(value) : 0;

	for (size_t i = 0; list && i < n && i < max; i++) {
		struct json_object *one = json_object_array_get_idx(value, i);

		list = json_object_is_type(one, json_type_string) &&
		    str_copy(out + i * size, size, json_object_get_string(one)) == 0;
	}
	if (!list || n > max)
		return error_set(err, ERROR_OURS, "%s must be an array of at most %zu texts of %zu bytes",
		    name, max, size - 1);
	*count = n;
	return 0;
}

static int set_text(struct slk_settings *s, size_t i, struct json_object *value, struct error *err)
{
	char *out = (char *)s + texts[i].at;
	const char *text = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string) || str_copy(out, texts[i].size, text) != 0)
		return error_set(err, ERROR_OURS, "%s must be a text of at most %zu bytes", texts[i].name,
		    texts[i].size - 1);
	if (s->request_url[0] != '\0' && strncmp(s->request_url, "http://", 7) != 0 &&
	    strncmp(s->request_url, "https://", 8) != 0)
		return error_set(err, ERROR_OURS, "request_url must begin with http:// or https://");
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
	size_t count = json_object_is_type(value, json_type_array) ? json_object_array_length(value) :
								     SLK_COMMANDS_MAX + 1;

	if (count > SLK_COMMANDS_MAX)
		return error_set(
		    err, ERROR_OURS, "commands must be an array of at most %d", SLK_COMMANDS_MAX);
	for (size_t i = 0; i < count; i++)
		if (set_command(&s->commands[i], json_object_array_get_idx(value, i), err) != 0)
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
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (strcmp(texts[i].name, name) == 0)
			return set_text(s, i, value, err);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (strcmp(numbers[i].name, name) == 0)
			return set_number(s, i, value, err);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (strcmp(flags[i].name, name) != 0)
			continue;
		if (!json_object_is_type(value, json_type_boolean))
			return error_set(err, ERROR_OURS, "%s must be true or false", name);
		*flag_of(s, i) = json_object_get_boolean(value);
		return 0;
	}
	return error_set(err, ERROR_OURS, "\"%.60s\" means nothing here", name);
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
	struct slk_settings copy = *s;

	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		json_set_bool(out, flags[i].name, *flag_of(&copy, i));
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		json_set_int(out, numbers[i].name, *number_of(&copy, i));
	for (size_t i = 0; i < SLK_RETRIES; i++)
		json_object_array_add(retries, json_object_new_int64(s->retry_ms[i]));
	for (size_t i = 0; i < s->missing_count; i++)
		json_object_array_add(missing, json_object_new_string(s->missing[i]));
	for (size_t i = 0; i < s->domain_count; i++)
		json_object_array_add(domains, json_object_new_string(s->domains[i]));
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		json_set_str(out, texts[i].name, (char *)&copy + texts[i].at);
	json_set(out, "unfurl_domains", domains);
	json_set(out, "commands", slk_settings_commands(s));
	json_set_str(out, "mentions", mentions[s->mentions]);
	json_set(out, "retry_ms", retries);
	json_set(out, "missing_scopes", missing);
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

	for (size_t i = 0; i < s->command_count; i++) {
		struct json_object *o = json_object_new_object();

		json_set_str(o, "command", s->commands[i].name);
		json_set_str(o, "description", s->commands[i].about);
		json_object_array_add(array, o);
	}
	return array;
}

bool slk_settings_command(const struct slk_settings *s, const char *name)
{
	for (size_t i = 0; i < s->command_count; i++)
		if (strcmp(s->commands[i].name, name) == 0)
			return true;
	return s->command_count == 0;
}
