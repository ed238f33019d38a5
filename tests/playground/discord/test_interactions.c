/* What people do with commands, menus and modals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	has_once(discord_call(t, rig, 200,
		     "POST /interactions/%s/%s/callback?with_response=true "
		     "{\"type\":4,\"data\":{\"content\":\"hello\"}}",
		     s.id, s.token),
	    "resource.message.interaction_metadata.target_message_id", id);
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
	json_object_put(
	    discord_call(t, rig, 204, "POST /interactions/%s/%s/callback %s", s.id, s.token, modal));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_is_an_option),
	    cmocka_unit_test(options_have_their_types_and_what_they_name),
	    cmocka_unit_test(commands_of_menus_are_about_a_person_or_a_message),
	    cmocka_unit_test(a_command_may_need_permissions),
	    cmocka_unit_test(menus_take_the_values_that_they_offer),
	    cmocka_unit_test(a_modal_is_filled_in_and_answered),
	    cmocka_unit_test(a_modal_takes_files_or_is_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
