/* What people do with commands, menus and modals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/websocket/websocket.h"
#include "tests/lib/client.h"
#include "tests/playground/discord/discord_rig.h"

#define HERE "\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"Ann\""

/* A command with a subcommand in a group, and options of many types. */
static const char registered[] =
    "PUT /applications/900/commands "
    "[{\"name\":\"set\",\"description\":\"d\",\"options\":[{\"type\":2,\"name\":\"role\","
    "\"description\":\"d\",\"options\":[{\"type\":1,\"name\":\"add\",\"description\":\"d\",\"options\":["
    "{\"type\":6,\"name\":\"who\",\"description\":\"d\",\"required\":true},"
    "{\"type\":4,\"name\":\"days\",\"description\":\"d\",\"min_value\":1,\"max_value\":7},"
    "{\"type\":3,\"name\":\"mood\",\"description\":\"d\",\"choices\":[{\"name\":\"Good\",\"value\":\"g\"}]},"
    "{\"type\":5,\"name\":\"loud\",\"description\":\"d\"},"
    "{\"type\":3,\"name\":\"why\",\"description\":\"d\",\"autocomplete\":true}]}]}]},"
    "{\"name\":\"purge\",\"description\":\"d\",\"default_member_permissions\":\"8192\"},"
    "{\"name\":\"Report\",\"type\":2},{\"name\":\"Translate it\",\"type\":3,\"contexts\":[0]}]";

struct stage {
	struct websocket *w;
	const char *id, *token;
};

static void begin(struct task *t, struct discord_rig *rig, struct stage *s)
{
	discord_dev(t, rig);
	s->w = discord_login(t, rig, "1", NULL);
	discord_skip_event(t, s->w, "GUILD_CREATE");
	json_object_put(discord_call(t, rig, 200, "%s", registered));
}

static void end(struct task *t, struct stage *s)
{
	websocket_close(t, s->w, 1000, "");
}

/* The next interaction; the caller owns it. */
static struct json_object *hear(struct task *t, struct stage *s)
{
	struct json_object *o = discord_hear_event(t, s->w, "INTERACTION_CREATE");

	s->id = discord_keep(json_object_get(o), "d.id");
	s->token = discord_keep(json_object_get(o), "d.token");
	return o;
}

static void has_once(struct json_object *o, const char *path, const char *text)
{
	discord_has(o, path, text);
	json_object_put(o);
}

/* The control call must fail with that text in its error. */
static void denied(
    struct task *t, struct discord_rig *rig, const char *name, const char *body, const char *text)
{
	char *whole = xasprintf("{\"platform\":\"discord\",%s}", body),
	     *path = xasprintf("/control/%s", name);
	struct discord_reply reply;

	discord_send(
	    t, rig, &(struct discord_request){.method = "POST", .path = path, .body = whole}, &reply);
	assert_int_equal(reply.status, 400);
	if (!strstr(reply.text, text))
		fail_msg("\"%s\" is not in %s", text, reply.text);
	discord_reply_clear(&reply);
	free(whole);
	free(path);
}

DISCORD_TEST(an_interaction_that_is_not_answered_in_time_is_in_the_report)
{
	struct stage s;

	begin(t, rig, &s);
	discord_order(t, rig, "command", HERE ",\"command\":\"Report\",\"target\":\"Ann\"");
	json_object_put(hear(t, &s));
	discord_call(t, rig, 204, "POST /interactions/%s/%s/callback {\"type\":5}", s.id, s.token);
	discord_order(t, rig, "command", HERE ",\"command\":\"Report\",\"target\":\"Ann\"");
	json_object_put(hear(t, &s));
	discord_pass(t, 2999);
	discord_reported(t, rig, "unanswered", "POST /interactions/callback", 0);
	discord_pass(t, 1);
	discord_reported(t, rig, "unanswered", "POST /interactions/callback", 1);
	end(t, &s);
}

DISCORD_TEST(a_file_is_an_option)
{
	struct json_object *o, *file;
	char key[80];
	struct stage s;

	begin(t, rig, &s);
	json_object_put(discord_call(t, rig, 201,
	    "POST /applications/900/commands "
	    "{\"name\":\"scan\",\"description\":\"d\",\"options\":[{\"type\":11,"
	    "\"name\":\"what\",\"description\":\"d\",\"required\":true}]}"));
	denied(t, rig, "command", HERE ",\"command\":\"scan\",\"options\":{\"what\":\"a.png\"}", "is a file");
	discord_order(t, rig, "command",
	    HERE ",\"command\":\"scan\",\"options\":{\"what\":{\"name\":\"a.txt\",\"base64\":\"aGk=\"}}");
	o = hear(t, &s);
	discord_has(o, "d.data.options.0.type", "11");
	file = json_get_object(json_get_object(json_get_object(o, "d"), "data"), "resolved");
	snprintf(key, sizeof(key), "attachments.%s.filename",
	    json_get_str(
		json_at(json_get_array(json_get_object(json_get_object(o, "d"), "data"), "options"), 0),
		"value"));
	discord_has(file, key, "a.txt");
	json_object_put(o);
	end(t, &s);
}

DISCORD_TEST(options_have_their_types_and_what_they_name)
{
	struct json_object *o;
	struct stage s;

	begin(t, rig, &s);
	discord_order(t, rig, "command",
	    HERE ",\"command\":\"set role "
		 "add\",\"options\":{\"who\":\"Ann\",\"days\":3,\"mood\":\"Good\",\"loud\":true}");
	o = hear(t, &s);
	discord_has(o, "d.data.options.0.name", "role");
	discord_has(o, "d.data.options.0.options.0.name", "add");
	discord_has(o, "d.data.options.0.options.0.options.1.value", "3");
	discord_has(o, "d.data.options.0.options.0.options.2.value", "g");
	discord_has(o, "d.data.options.0.options.0.options.3.value", "true");
	assert_int_equal(
	    json_object_object_length(json_get_object(
		json_get_object(json_get_object(json_get_object(o, "d"), "data"), "resolved"), "users")),
	    1);
	json_object_put(o);
	denied(t, rig, "command", HERE ",\"command\":\"set role add\"", "\\\"who\\\" is required");
	denied(t, rig, "command",
	    HERE ",\"command\":\"set role add\",\"options\":{\"who\":\"Ann\",\"days\":9}", "too large");
	denied(t, rig, "command",
	    HERE ",\"command\":\"set role add\",\"options\":{\"who\":\"Ann\",\"mood\":\"Bad\"}",
	    "no such choice");
	denied(t, rig, "command", HERE ",\"command\":\"set\"", "no subcommand");
	discord_order(t, rig, "command",
	    HERE ",\"command\":\"/set role add\",\"autocomplete\":\"why\",\"text\":\"be\"");
	o = hear(t, &s);
	discord_has(o, "d.type", "4");
	discord_has(o, "d.data.options.0.options.0.options.0.value", "be");
	discord_has(o, "d.data.options.0.options.0.options.0.focused", "true");
	json_object_put(o);
	end(t, &s);
}

DISCORD_TEST(a_choice_that_is_null_is_none)
{
	struct stage s;

	begin(t, rig, &s);
	discord_order(
	    t, rig, "command", HERE ",\"command\":\"set role add\",\"autocomplete\":\"why\",\"text\":\"be\"");
	json_object_put(hear(t, &s));
	discord_call(t, rig, 204,
	    "POST /interactions/%s/%s/callback "
	    "{\"type\":8,\"data\":{\"choices\":[null,{\"name\":\"Bees\",\"value\":\"b\"}]}}",
	    s.id, s.token);
	has_once(discord_transcript(t, rig, "dev"), "interactions.0.choices.0.name", "Bees");
	end(t, &s);
}

DISCORD_TEST(a_command_keeps_its_name)
{
	const char *id =
	    discord_keep(discord_call(t, rig, 201,
			     "POST /applications/900/commands {\"name\":\"ask\",\"description\":\"d\"}"),
		"id");

	has_once(
	    discord_call(t, rig, 200,
		"PATCH /applications/900/commands/%s {\"name\":null,\"options\":null,\"description\":\"e\"}",
		id),
	    "name", "ask");
	has_once(discord_call(t, rig, 200,
		     "PUT /applications/900/commands [{\"name\":\"ask\",\"description\":\"x\"}]"),
	    "0.id", id);
}

/* Discord: interactions/application-commands, PRIMARY_ENTRY_POINT */
DISCORD_TEST(an_entry_point_is_a_command_of_its_own_type)
{
	struct json_object *o = discord_call(t, rig, 200,
	    "PUT /applications/900/commands [{\"name\":\"x\",\"type\":4},{\"name\":\"x\",\"type\":3}]");

	discord_has(o, "0.type", "4");
	discord_has(o, "1.type", "3");
	json_object_put(o);
}

DISCORD_TEST(commands_of_menus_are_about_a_person_or_a_message)
{
	const char *id = discord_say(t, rig, "bonjour");
	struct json_object *o;
	struct stage s;

	begin(t, rig, &s);
	discord_order(t, rig, "command", HERE ",\"command\":\"Report\",\"target\":\"Ann\"");
	o = hear(t, &s);
	discord_has(o, "d.data.type", "2");
	json_object_put(o);
	discord_order(t, rig, "command", HERE ",\"command\":\"Translate it\",\"message_id\":\"%s\"", id);
	o = hear(t, &s);
	discord_has(o, "d.data.target_id", id);
	json_object_put(o);
	o = discord_call(t, rig, 200,
	    "POST /interactions/%s/%s/callback?with_response=true "
	    "{\"type\":4,\"data\":{\"content\":\"hello\"}}",
	    s.id, s.token);
	discord_has(o, "resource.message.interaction_metadata.target_message_id", id);
	discord_has(o, "resource.message.interaction.id", s.id);
	discord_has(o, "resource.message.interaction.name", "Translate it");
	json_object_put(o);
	denied(t, rig, "command",
	    "\"chat\":\"Ann\",\"user\":\"Ann\",\"command\":\"Translate it\",\"message_id\":\"5\"",
	    "no command");
	end(t, &s);
}

DISCORD_TEST(a_command_may_need_permissions)
{
	const char *guild, *role;
	struct stage s;

	begin(t, rig, &s);
	denied(t, rig, "command", HERE ",\"command\":\"purge\"", "lacks the permissions");
	discord_order(t, rig, "member", "\"chat\":\"dev\",\"kind\":\"group\",\"action\":\"promote\"");
	discord_skip_event(t, s.w, "GUILD_ROLE_UPDATE");
	guild = discord_keep(discord_call(t, rig, 200, "GET /channels/%s", discord_dev(t, rig)), "guild_id");
	role = discord_keep(discord_call(t, rig, 200,
				"POST /guilds/%s/roles {\"name\":\"mods\",\"permissions\":\"8192\"}", guild),
	    "id");
	discord_skip_event(t, s.w, "GUILD_ROLE_CREATE");
	discord_order(t, rig, "member", HERE ",\"action\":\"give\",\"role\":\"mods\"");
	discord_order(t, rig, "command", HERE ",\"command\":\"purge\"");
	has_once(hear(t, &s), "d.member.roles.0", role);
	end(t, &s);
}

DISCORD_TEST(menus_take_the_values_that_they_offer)
{
	const char *dev = discord_dev(t, rig), *id;
	struct json_object *o;
	struct stage s;

	begin(t, rig, &s);
	id = discord_keep(
	    discord_call(t, rig, 200,
		"POST /channels/%s/messages "
		"{\"content\":\"?\",\"components\":[{\"type\":1,\"components\":[{\"type\":3,"
		"\"custom_id\":\"m\",\"max_values\":2,\"options\":[{\"label\":\"One\",\"value\":\"1\"},{"
		"\"label\":\"Two\","
		"\"value\":\"2\"}]}]},{\"type\":1,\"components\":[{\"type\":5,\"custom_id\":\"u\"}]}]}",
		dev),
	    "id");
	discord_order(
	    t, rig, "press", HERE ",\"message_id\":\"%s\",\"button\":\"m\",\"values\":[\"One\",\"2\"]", id);
	o = hear(t, &s);
	discord_has(o, "d.data.component_type", "3");
	discord_has(o, "d.data.values.0", "1");
	discord_has(o, "d.data.values.1", "2");
	json_object_put(o);
	discord_order(
	    t, rig, "press", HERE ",\"message_id\":\"%s\",\"button\":\"u\",\"values\":[\"bot\"]", id);
	has_once(hear(t, &s), "d.data.resolved.users.900.username", "myna");
	{
		char *body =
		    xasprintf(HERE ",\"message_id\":\"%s\",\"button\":\"m\",\"values\":[\"Three\"]", id);

		denied(t, rig, "press", body, "no option");
		free(body);
		body = xasprintf(HERE ",\"message_id\":\"%s\",\"button\":\"u\",\"values\":[]", id);
		denied(t, rig, "press", body, "takes from");
		free(body);
	}
	end(t, &s);
}

DISCORD_TEST(a_modal_is_filled_in_and_answered)
{
	static const char modal[] = "{\"type\":9,\"data\":{\"custom_id\":\"form\",\"title\":\"Form\","
				    "\"components\":[{\"type\":1,\"components\":[{"
				    "\"type\":4,\"custom_id\":\"name\",\"label\":\"Name\",\"style\":1,\"min_"
				    "length\":2}]},{\"type\":18,\"label\":\"Size\","
				    "\"component\":{\"type\":3,\"custom_id\":\"size\",\"options\":[{"
				    "\"label\":\"S\",\"value\":\"s\"}]}}]}}";
	struct json_object *o;
	struct stage s;

	begin(t, rig, &s);
	discord_order(t, rig, "command", HERE ",\"command\":\"Report\",\"target\":\"Ann\"");
	json_object_put(hear(t, &s));
	json_object_put(
	    discord_call(t, rig, 204, "POST /interactions/%s/%s/callback %s", s.id, s.token, modal));
	o = discord_transcript(t, rig, "dev");
	discord_has(o, "interactions.0.modal.title", "Form");
	json_object_put(o);
	denied(t, rig, "submit", HERE ",\"fields\":{\"name\":\"x\",\"size\":[\"s\"]}", "too short");
	denied(t, rig, "submit", HERE ",\"fields\":{\"name\":\"Ann\",\"size\":[\"s\"],\"age\":\"7\"}",
	    "no such");
	denied(t, rig, "submit", "\"chat\":\"dev\",\"user\":\"Bob\",\"fields\":{}", "no modal");
	discord_order(t, rig, "submit", HERE ",\"fields\":{\"name\":\"Ann\",\"size\":[\"S\"]}");
	o = hear(t, &s);
	discord_has(o, "d.type", "5");
	discord_has(o, "d.data.custom_id", "form");
	discord_has(o, "d.data.components.0.components.0.value", "Ann");
	discord_has(o, "d.data.components.1.component.values.0", "s");
	json_object_put(o);
	discord_invalid(t, rig, "type", "BASE_TYPE_CHOICES", "POST /interactions/%s/%s/callback %s", s.id,
	    s.token, modal);
	o = discord_call(t, rig, 200,
	    "POST /interactions/%s/%s/callback?with_response=true "
	    "{\"type\":4,\"data\":{\"content\":\"thanks\"}}",
	    s.id, s.token);
	discord_has(o, "resource.message.interaction_metadata.triggering_interaction_metadata.type", "2");
	assert_null(
	    json_get_object(json_get_object(json_get_object(o, "resource"), "message"), "interaction"));
	json_object_put(o);
	denied(t, rig, "submit", HERE ",\"fields\":{}", "no modal"); /* once */
	end(t, &s);
}

DISCORD_TEST(a_modal_takes_files_or_is_closed)
{
	static const char modal[] = "{\"type\":9,\"data\":{\"custom_id\":\"form\",\"title\":\"Form\","
				    "\"components\":[{\"type\":18,\"label\":\"Proof\",\"component\":{"
				    "\"type\":19,\"custom_id\":\"proof\",\"max_values\":2}}]}}";
	struct json_object *o;
	struct stage s;

	begin(t, rig, &s);
	discord_order(t, rig, "command", HERE ",\"command\":\"Report\",\"target\":\"Ann\"");
	json_object_put(hear(t, &s));
	o = discord_call(
	    t, rig, 200, "POST /interactions/%s/%s/callback?with_response=true %s", s.id, s.token, modal);
	discord_has(o, "interaction.id", s.id);
	assert_null(json_get(o, "resource")); /* it shows no message */
	json_object_put(o);
	denied(t, rig, "submit", HERE ",\"fields\":{}", "takes from 1 to 2 files");
	denied(t, rig, "submit", HERE ",\"fields\":{\"proof\":[{\"size\":3}]}", "name");
	discord_order(t, rig, "submit",
	    HERE ",\"fields\":{\"proof\":[{\"name\":\"a.txt\",\"base64\":\"YQ==\"},{\"name\":\"b.txt\","
		 "\"base64\":\"Yg==\"}]}");
	o = hear(t, &s);
	struct json_object *values =
	    json_get_array(client_object_at(o, "d.data.components.0.component"), "values");
	assert_int_equal(json_count(values), 2);
	json_each(values, id) {
		char *path = xasprintf("d.data.resolved.attachments.%s.size", json_object_get_string(id));
		discord_has(o, path, "1");
		free(path);
	}
	json_object_put(o);
	json_object_put(
	    discord_call(t, rig, 204, "POST /interactions/%s/%s/callback {\"type\":5}", s.id, s.token));
	discord_order(t, rig, "command", HERE ",\"command\":\"Report\",\"target\":\"Ann\"");
	json_object_put(hear(t, &s));
	json_object_put(
	    discord_call(t, rig, 204, "POST /interactions/%s/%s/callback %s", s.id, s.token, modal));
	discord_order(t, rig, "close", HERE);
	denied(t, rig, "close", HERE, "no modal");
	denied(t, rig, "submit", HERE ",\"fields\":{}", "no modal");
	end(t, &s);
}

#define BOTH    "\"chat\":\"bob\",\"kind\":\"people\",\"user\":\"ann\""
#define SEVERAL "\"chat\":[\"bob\",\"carl\"],\"kind\":\"people\",\"user\":\"ann\""

/* Apps that are installed to people, and to guilds. */
static const char installed[] =
    "PUT /applications/900/commands "
    "[{\"name\":\"mine\",\"description\":\"d\",\"integration_types\":[1],\"contexts\":[2]},"
    "{\"name\":\"all\",\"description\":\"d\",\"integration_types\":[0,1]},"
    "{\"name\":\"ours\",\"description\":\"d\"},"
    "{\"name\":\"apart\",\"description\":\"d\",\"integration_types\":[1],\"contexts\":[0,1]},"
    "{\"name\":\"Who\",\"type\":2,\"integration_types\":[1]},"
    "{\"name\":\"Quote\",\"type\":3,\"integration_types\":[1]}]";

/* The bot would hear of direct messages. */
static void begin_away(struct task *t, struct discord_rig *rig, struct stage *s)
{
	struct json_object *ready;

	discord_set(t, rig, "\"limits\":false");
	discord_order(t, rig, "say", BOTH ",\"text\":\"before\"");
	s->w = discord_login(t, rig, "28673", &ready);
	assert_int_equal(json_count(json_get_array(json_get_object(ready, "d"), "guilds")), 0);
	json_object_put(ready);
	json_object_put(discord_call(t, rig, 200, "%s", installed));
}

static void answer(struct task *t, struct discord_rig *rig, const struct stage *s, const char *body)
{
	json_object_put(
	    discord_call(t, rig, 204, "POST /interactions/%s/%s/callback %s", s->id, s->token, body));
}

DISCORD_TEST(no_bot_is_where_people_are_among_themselves)
{
	const char *chat, *id, *group;
	struct json_object *o;
	struct stage s;

	begin_away(t, rig, &s);
	o = discord_control(t, rig, "say", BOTH ",\"text\":\"hi @bot\"");
	id = discord_keep(json_object_get(o), "message_id");
	chat = discord_keep(o, "chat_id");
	has_once(discord_control(
		     t, rig, "say", "\"chat\":\"ann\",\"kind\":\"people\",\"user\":\"bob\",\"text\":\"x\""),
	    "chat_id", chat);
	discord_order(t, rig, "react",
	    "\"chat\":\"%s\",\"user\":\"bob\",\"message_id\":\"%s\",\"emoji\":\"👀\"", chat, id);
	discord_order(
	    t, rig, "say", "\"chat\":\"%s\",\"user\":\"ann\",\"edit\":\"%s\",\"text\":\"hello\"", chat, id);
	discord_order(t, rig, "typing", BOTH);
	discord_order(t, rig, "delete", BOTH ",\"message_id\":\"newest\"");
	group = discord_keep(discord_control(t, rig, "say", SEVERAL ",\"text\":\"all of us\""), "chat_id");
	assert_string_not_equal(group, chat);
	has_once(
	    discord_control(t, rig, "chat", "\"chat\":\"carl, ann\",\"kind\":\"people\",\"user\":\"bob\""),
	    "chat_id", group);
	discord_order(t, rig, "say", "\"user\":\"ann\",\"text\":\"to the bot\"");
	has_once(discord_hear_event(t, s.w, "MESSAGE_CREATE"), "d.content", "to the bot");
	discord_refused(t, rig, 403, 50001, "GET /channels/%s", chat);
	discord_refused(t, rig, 403, 50001, "GET /channels/%s/messages/%s", chat, id);
	discord_refused(t, rig, 403, 50001, "POST /channels/%s/messages {\"content\":\"x\"}", group);
	denied(t, rig, "say", "\"chat\":\"bob,ann\",\"kind\":\"people\",\"user\":\"\"", "which");
	denied(
	    t, rig, "say", "\"chat\":\"ann\",\"kind\":\"people\",\"user\":\"ann\",\"text\":\"x\"", "besides");
	denied(t, rig, "chat", BOTH ",\"gone\":\"left\"", "gone is");
	denied(t, rig, "react", "\"chat\":\"ann\",\"kind\":\"people\",\"user\":\"carl\"",
	    "no chat of these people");
	{
		char *body = xasprintf("\"chat\":\"%s\",\"user\":\"carl\",\"text\":\"x\"", chat);

		denied(t, rig, "say", body, "carl is not in that chat");
		free(body);
	}
	has_once(discord_control(
		     t, rig, "operate", SEVERAL ",\"method\":\"GET\",\"path\":\"/channels/{channel}\""),
	    "answer.type", "3");
	o = discord_transcript(t, rig, "ann,bob");
	discord_has(o, "kind", "people");
	discord_has(o, "messages.1.text", "hello");
	discord_has(o, "messages.1.reactions.0.from", "bob");
	json_object_put(o);
	end(t, &s);
}

DISCORD_TEST(a_user_installed_command_is_given_among_people)
{
	const char *id;
	char ann[32];
	struct json_object *o;
	struct stage s;

	begin_away(t, rig, &s);
	o = discord_control(t, rig, "command", BOTH ",\"command\":\"mine\"");
	str_copy(ann, sizeof(ann), discord_keep(o, "user_id"));
	o = hear(t, &s);
	discord_has(o, "d.context", "2");
	discord_has(o, "d.user.id", ann);
	discord_has(o, "d.app_permissions", "562949953601536");
	discord_has(o, "d.authorizing_integration_owners.1", ann);
	assert_int_equal(
	    json_object_object_length(client_object_at(o, "d.authorizing_integration_owners")), 1);
	assert_null(json_get(json_get_object(o, "d"), "member"));
	discord_has(o, "d.channel.type", "1");
	discord_has(o, "d.channel.recipients.0.username", "bob");
	assert_int_equal(json_count(json_get_array(client_object_at(o, "d.channel"), "recipients")), 1);
	json_object_put(o);
	discord_order(t, rig, "command", SEVERAL ",\"command\":\"all\"");
	o = hear(t, &s);
	discord_has(o, "d.channel.type", "3");
	discord_has(o, "d.channel.owner_id", ann);
	assert_int_equal(json_count(json_get_array(client_object_at(o, "d.channel"), "recipients")), 2);
	assert_int_equal(
	    json_object_object_length(client_object_at(o, "d.authorizing_integration_owners")), 1);
	json_object_put(o);
	discord_order(t, rig, "chat", SEVERAL ",\"title\":\"crew\"");
	discord_order(t, rig, "command", SEVERAL ",\"command\":\"Who\",\"target\":\"carl\"");
	o = hear(t, &s);
	discord_has(o, "d.channel.name", "crew");
	discord_has(o, "d.data.type", "2");
	json_object_put(o);
	id = discord_keep(discord_control(t, rig, "say", BOTH ",\"text\":\"wise\""), "message_id");
	discord_order(t, rig, "command", BOTH ",\"command\":\"Quote\",\"message_id\":\"%s\"", id);
	o = hear(t, &s);
	{
		char *path = xasprintf("d.data.resolved.messages.%s.content", id);

		discord_has(o, path, "wise");
		free(path);
	}
	json_object_put(o);
	denied(t, rig, "command", BOTH ",\"command\":\"ours\"", "USER_INSTALL");
	denied(t, rig, "command", BOTH ",\"command\":\"apart\"", "PRIVATE_CHANNEL");
	denied(t, rig, "command", BOTH ",\"command\":\"none\"", "no command");
	denied(t, rig, "command", "\"user\":\"ann\",\"command\":\"mine\"", "no command");
	discord_order(t, rig, "command", "\"user\":\"ann\",\"command\":\"all\"");
	o = hear(t, &s);
	discord_has(o, "d.context", "1");
	discord_has(o, "d.authorizing_integration_owners.0", "0");
	discord_has(o, "d.authorizing_integration_owners.1", ann);
	json_object_put(o);
	end(t, &s);
}

DISCORD_TEST(the_app_answers_among_people)
{
	static const char asks[] =
	    "{\"type\":4,\"data\":{\"content\":\"join? "
	    "@everyone\",\"allowed_mentions\":{\"parse\":[\"everyone\"]},\"components\":[{\"type\":1,"
	    "\"components\":[{\"type\":2,\"style\":1,\"label\":\"Join\",\"custom_id\":\"j\"}]}]}}",
			  modal[] =
			      "{\"type\":9,\"data\":{\"custom_id\":\"f\",\"title\":\"F\",\"components\":[{"
			      "\"type\":18,\"label\":\"Why\",\"component\":{\"type\":4,\"custom_id\":\"why\","
			      "\"style\":1}}]}}";
	char ann[32], chat[32];
	struct json_object *o;
	struct stage s;

	begin_away(t, rig, &s);
	o = discord_control(t, rig, "command", BOTH ",\"command\":\"mine\"");
	str_copy(ann, sizeof(ann), discord_keep(json_object_get(o), "user_id"));
	str_copy(chat, sizeof(chat), discord_keep(o, "chat_id"));
	json_object_put(hear(t, &s));
	answer(t, rig, &s, "{\"type\":5}");
	json_object_put(discord_call(
	    t, rig, 200, "PATCH /webhooks/900/%s/messages/@original {\"content\":\"done\"}", s.token));
	for (int i = 0; i < 5; i++)
		json_object_put(discord_call(t, rig, 200,
		    "POST /webhooks/900/%s {\"content\":\"%d\",\"flags\":%d}", s.token, i, i == 4 ? 64 : 0));
	discord_refused(t, rig, 400, 40094, "POST /webhooks/900/%s {\"content\":\"6\"}", s.token);
	o = discord_transcript(t, rig, chat);
	discord_has(o, "messages.1.text", "done");
	discord_has(o, "messages.5.text", "3");
	discord_has(o, "messages.6.only_for", ann);
	json_object_put(o);
	discord_order(t, rig, "command", BOTH ",\"command\":\"mine\"");
	json_object_put(hear(t, &s));
	answer(t, rig, &s, asks);
	denied(t, rig, "press",
	    "\"chat\":\"ann,carl\",\"user\":\"bob\",\"kind\":\"people\",\"message_id\":\"newest\",\"button\":"
	    "\"Join\"",
	    "nobody goes by carl");
	discord_order(t, rig, "press",
	    "\"chat\":\"ann\",\"kind\":\"people\",\"user\":\"bob\",\"message_id\":\"newest\",\"button\":"
	    "\"Join\"");
	o = hear(t, &s);
	discord_has(o, "d.context", "2");
	discord_has(o, "d.user.username", "bob");
	discord_has(o, "d.message.mention_everyone", "true");
	discord_has(o, "d.channel.recipients.0.username", "ann");
	discord_has(o, "d.authorizing_integration_owners.1", ann);
	json_object_put(o);
	answer(t, rig, &s, modal);
	discord_order(
	    t, rig, "submit", "\"chat\":\"%s\",\"user\":\"bob\",\"fields\":{\"why\":\"fun\"}", chat);
	o = hear(t, &s);
	discord_has(o, "d.type", "5");
	discord_has(o, "d.authorizing_integration_owners.1", ann);
	json_object_put(o);
	answer(t, rig, &s, "{\"type\":7,\"data\":{\"content\":\"bob joins\"}}");
	o = discord_transcript(t, rig, chat);
	discord_has(o, "messages.7.text", "bob joins");
	json_object_put(o);
	discord_order(t, rig, "command", HERE ",\"command\":\"all\"");
	discord_skip_event(t, s.w, "GUILD_CREATE"); /* nothing came before it */
	json_object_put(hear(t, &s));
	answer(t, rig, &s, "{\"type\":4,\"data\":{\"content\":\"x\"}}");
	for (int i = 0; i < 6; i++) /* the app is in the guild */
		json_object_put(
		    discord_call(t, rig, 200, "POST /webhooks/900/%s {\"content\":\"%d\"}", s.token, i));
	end(t, &s);
}

DISCORD_TEST(chats_of_people_outlive_a_restart)
{
	char folder[] = "/tmp/myna-discord-XXXXXX", *file;
	struct json_object *before, *after;
	char ann[32], chat[32], group[32];
	struct stage s;

	assert_non_null(mkdtemp(folder));
	discord_rig_restart(t, rig, folder);
	begin_away(t, rig, &s);
	before = discord_control(t, rig, "command", BOTH ",\"command\":\"mine\"");
	str_copy(ann, sizeof(ann), discord_keep(json_object_get(before), "user_id"));
	str_copy(chat, sizeof(chat), discord_keep(before, "chat_id"));
	json_object_put(hear(t, &s));
	answer(t, rig, &s,
	    "{\"type\":4,\"data\":{\"content\":\"?\",\"components\":[{\"type\":1,\"components\":[{\"type\":2,"
	    "\"style\":1,\"label\":\"Join\",\"custom_id\":\"j\"}]}]}}");
	str_copy(group, sizeof(group),
	    discord_keep(discord_control(t, rig, "say", SEVERAL ",\"text\":\"us\""), "chat_id"));
	before = discord_transcript(t, rig, chat);
	end(t, &s);
	discord_rig_restart(t, rig, folder);
	after = discord_transcript(t, rig, chat);
	assert_string_equal(json_object_get_string(json_get(before, "messages")),
	    json_object_get_string(json_get(after, "messages")));
	has_once(discord_control(t, rig, "chat", SEVERAL), "chat_id", group);
	s.w = discord_login(t, rig, "28673", NULL);
	discord_order(t, rig, "press",
	    "\"chat\":\"%s\",\"user\":\"bob\",\"message_id\":\"newest\",\"button\":\"Join\"", chat);
	has_once(hear(t, &s), "d.authorizing_integration_owners.1", ann);
	discord_refused(t, rig, 403, 50001, "GET /channels/%s", chat);
	json_object_put(before);
	json_object_put(after);
	end(t, &s);
	discord_rig_restart(t, rig, NULL);
	file = xasprintf("%s/playground.json", folder);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(folder), 0);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_interaction_that_is_not_answered_in_time_is_in_the_report),
	    cmocka_unit_test(a_file_is_an_option),
	    cmocka_unit_test(options_have_their_types_and_what_they_name),
	    cmocka_unit_test(a_choice_that_is_null_is_none),
	    cmocka_unit_test(a_command_keeps_its_name),
	    cmocka_unit_test(an_entry_point_is_a_command_of_its_own_type),
	    cmocka_unit_test(commands_of_menus_are_about_a_person_or_a_message),
	    cmocka_unit_test(a_command_may_need_permissions),
	    cmocka_unit_test(menus_take_the_values_that_they_offer),
	    cmocka_unit_test(a_modal_is_filled_in_and_answered),
	    cmocka_unit_test(a_modal_takes_files_or_is_closed),
	    cmocka_unit_test(no_bot_is_where_people_are_among_themselves),
	    cmocka_unit_test(a_user_installed_command_is_given_among_people),
	    cmocka_unit_test(the_app_answers_among_people),
	    cmocka_unit_test(chats_of_people_outlive_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
