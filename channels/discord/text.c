#include "channels/discord/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/command_menu.h"
#include "channels/discord/event.h"
#include "channels/discord/cache.h"

#define DIGITS "0123456789"
#define BLANKS " \t\r\n"

struct reader {
	struct buf *out;
	struct json_object *mentions;
	const struct discord_self *self;
	struct discord_cache *cache;
	const struct channel_command *menu;
	uint64_t our_role;
	bool start; /* only the bot's name so far */
	unsigned flags;
};

/* Returns the id that stands before the next ">", with *end behind that; 0: there is none. */
static uint64_t read_id(const char *at, const char **end)
{
	size_t digits = strspn(at, DIGITS);
	char text[24];

	if (digits == 0 || digits >= sizeof(text) || at[digits] != '>')
		return 0;
	memcpy(text, at, digits);
	text[digits] = '\0';
	*end = at + digits + 1;
	return discord_id_parse(text);
}

static struct json_object *find_user(const struct reader *r, uint64_t id)
{
	for (size_t i = 0; r->mentions && i < json_object_array_length(r->mentions); i++) {
		struct json_object *user = json_object_array_get_idx(r->mentions, i);
		if (discord_id_get(user, "id") == id)
			return user;
	}
	return NULL;
}

static void add_name(struct reader *r, const char *mark, const char *name, const char *fallback)
{
	char clean[96];

	discord_name_copy(clean, sizeof(clean), name && *name != '\0' ? name : fallback);
	buf_addf(r->out, "%s%s", mark, clean);
}

/* Each parses the text after its marker and returns its end, or NULL if it is something else. */
static const char *read_user(struct reader *r, const char *at)
{
	const char *end, *name;
	uint64_t id = read_id(at + (*at == '!'), &end);
	struct json_object *user, *member;

	if (id == 0)
		return NULL;
	if (id == r->self->user) {
		r->flags |= DISCORD_TEXT_TO_US;
		if (r->start)
			return end + strspn(end, BLANKS ",:");
		add_name(r, "@", r->self->username, "me");
		return end;
	}
	user = find_user(r, id);
	member = json_get_object(user, "member");
	if (r->start && json_get_bool(user, "bot", false))
		r->flags |= DISCORD_TEXT_TO_ANOTHER;
	name = json_get_str(member, "nick");
	name = name ? name : json_get_str(user, "global_name");
	name = name ? name : json_get_str(user, "username");
	if (command_menu_names_person(r->menu, r->out->data)) {
		char digits[24], clean[96] = "";

		snprintf(digits, sizeof(digits), "%" PRIu64, id);
		if (name)
			discord_name_copy(clean, sizeof(clean), name);
		command_menu_add_person(r->out, digits, clean);
	} else {
		add_name(r, "@", name, "somebody");
	}
	return end;
}

static const char *read_role(struct reader *r, const char *at)
{
	const char *end;
	uint64_t id = read_id(at, &end);

	if (id == 0)
		return NULL;
	if (id != r->our_role) {
		buf_addstr(r->out, "@(a role)");
		return end;
	}
	r->flags |= DISCORD_TEXT_TO_US;
	if (r->start)
		return end + strspn(end, BLANKS ",:");
	add_name(r, "@", r->self->username, "me");
	return end;
}

static const char *read_channel(struct reader *r, const char *at)
{
	const char *end;
	uint64_t id = read_id(at, &end);
	struct discord_channel *channel = id != 0 && r->cache ? discord_cache_channel(r->cache, id) : NULL;

	if (id == 0)
		return NULL;
	add_name(r, "#", channel ? channel->name : NULL, "(another channel)");
	return end;
}

/* Reads "name:id>" of an emoji, or of a command. */
static const char *read_named(struct reader *r, const char *at, const char *mark, const char *close)
{
	size_t len = strcspn(at, ":>\n");
	const char *end;

	if (len == 0 || len > 64 || at[len] != ':' || read_id(at + len + 1, &end) == 0)
		return NULL;
	buf_addf(r->out, "%s%.*s%s", mark, (int)len, at, close);
	return end;
}

static const char *read_emoji(struct reader *r, const char *at)
{
	return read_named(r, at, ":", ":");
}

static const char *read_command(struct reader *r, const char *at)
{
	return read_named(r, at, "/", "");
}

/* Reads "unix:style>". */
static const char *read_time(struct reader *r, const char *at)
{
	const char *end = memchr(at, '>', strnlen(at, 32));
	char text[32];
	struct tm tm;
	time_t s;

	if (!end || strspn(at, DIGITS "-") == 0)
		return NULL;
	s = (time_t)strtoll(at, NULL, 10);
	if (!gmtime_r(&s, &tm) || strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &tm) == 0)
		return NULL;
	buf_addstr(r->out, text);
	return end + 1;
}

/* Longer marks before those that they begin with. */
static const struct {
	const char *mark;
	const char *(*read)(struct reader *r, const char *at);
} marks[] = {
    {"<@&", read_role},
    {"<@", read_user},
    {"<#", read_channel},
    {"<a:", read_emoji},
    {"<:", read_emoji},
    {"</", read_command},
    {"<t:", read_time},
};

static const char *read_mark(struct reader *r, const char *at)
{
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (strncmp(at, marks[i].mark, strlen(marks[i].mark)) == 0)
			return marks[i].read(r, at + strlen(marks[i].mark));
	return NULL;
}

unsigned discord_text_read(struct buf *out, struct json_object *message, const struct discord_self *self,
    struct discord_cache *cache, const struct channel_command *menu, unsigned long long our_role)
{
	const char *at = json_get_str(message, "content"), *end;
	struct reader r = {.out = out,
	    .mentions = json_get_array(message, "mentions"),
	    .self = self,
	    .cache = cache,
	    .menu = menu,
	    .our_role = our_role,
	    .start = true};

	if (!at)
		return 0;
	at += strspn(at, BLANKS);
	while (*at != '\0') {
		end = *at == '<' ? read_mark(&r, at) : NULL;
		if (!end) {
			size_t n = 1 + strcspn(at + 1, "<");
			buf_add(out, at, n);
			end = at + n;
		}
		/* Only the bot's name so far: the following text is still the start. */
		r.start = r.start && out->len == 0;
		at = end;
	}
	return r.flags;
}

static void add_file(struct buf *out, struct json_object *file)
{
	int64_t size = json_get_int(file, "size", -1);
	char name[96];

	discord_name_copy(name, sizeof(name), json_get_str(file, "filename"));
	buf_addf(out, "%s[file %s", out->len > 0 && out->data[out->len - 1] != '\n' ? "\n" : "", name);
	if (size >= 0 && size < 1000)
		buf_addf(out, ", %" PRId64 " B", size);
	else if (size >= 0 && size < 1000000)
		buf_addf(out, ", %" PRId64 " kB", (size + 500) / 1000);
	else if (size >= 0)
		buf_addf(out, ", %.1f MB", (double)size / 1e6);
	buf_addch(out, ']');
}

static void add_sticker(struct buf *out, struct json_object *sticker)
{
	char name[96];

	discord_name_copy(name, sizeof(name), json_get_str(sticker, "name"));
	buf_addf(out, "%s[sticker %s]", out->len > 0 ? "\n" : "", name);
}

static void add_each(
    struct buf *out, struct json_object *list, void (*add)(struct buf *out, struct json_object *o))
{
	for (size_t i = 0; list && i < json_object_array_length(list) && i < 10; i++)
		add(out, json_object_array_get_idx(list, i));
}

void discord_text_describe(struct buf *out, struct json_object *message, bool files)
{
	struct json_object *poll = json_get_object(message, "poll");
	char question[300];

	add_each(out, files ? json_get_array(message, "attachments") : NULL, add_file);
	add_each(out, json_get_array(message, "sticker_items"), add_sticker);
	if (poll) {
		discord_name_copy(
		    question, sizeof(question), json_get_str(json_get_object(poll, "question"), "text"));
		buf_addf(out, "%s[poll: %s]", out->len > 0 ? "\n" : "", question);
	}
}
