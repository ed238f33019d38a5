/* Which tools may be used by whom and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "llm/llm.h"
#include "tools/tools_internal.h"
#include "tools/source.h"
#include "tools/tools_fixture.h"

#define CHANNELS \
	"channels: { telegram: { }; slack: { }; }; targets: { ops = [\"slack:C1\", \"telegram:-1\"]; };"
#define NOTHING "{\"type\":\"object\",\"properties\":{}}"

static struct tools_fixture w;
static struct tool_source *source;
static unsigned runs;

static struct json_object *count(struct task *t, const struct tool_call *call, struct json_object *args)
{
	(void)t, (void)call, (void)args;
	runs++;
	return json_object_new_object();
}

static const struct tool admin_tool = {
    .name = "reset_all", .flags = TOOL_ADMIN, .summary = "Returns: {}", .schema = NOTHING, .run = count};
static const struct tool asker = {
    .name = "question", .flags = TOOL_ASKS, .summary = "Returns: {}", .schema = NOTHING, .run = count};
static const char *const peek_aliases[] = {"look_closer", NULL};
static const struct tool peeker = {
    .name = "peek", .aliases = peek_aliases, .summary = "Returns: {}", .schema = NOTHING, .run = count};
static const struct tool sender = {
    .name = "send", .flags = TOOL_WRITES, .summary = "Returns: {}", .schema = NOTHING, .run = count};
static const struct tool *const table[] = {&peeker, &asker, &admin_tool, &sender, NULL};

static void open_with(const char *policy, const struct tool *const *tools)
{
	struct tool_definition d[] = {
	    {.name = "weather",
		.summary = "Tells.",
		.schema = json_parse_object(NOTHING, strlen(NOTHING), NULL),
		.run = count},
	    {.name = "web__search",
		.summary = "Finds.",
		.schema = json_parse_object(NOTHING, strlen(NOTHING), NULL),
		.run = count,
		.flags = TOOL_WRITES},
	};
	char *settings = xasprintf("policy = ( %s );", policy);

	tools_fixture_init(&w);
	tools_fixture_open(&w, CHANNELS, settings, tools);
	source = tool_source_new(w.tools, "external");
	tool_source_replace(source, d, ARRAY_LEN(d));
	free(settings);
}

static void shut(void)
{
	tool_source_free(source);
	tools_fixture_clear(&w);
}

/* Who calls: "admin", "user" or "guest", in "CHANNEL:CHAT[/THREAD]" or "" for no chat. */
static void become(const char *role, const char *chat)
{
	static struct address where;

	w.call.admin = strcmp(role, "admin") == 0;
	w.call.guest = strcmp(role, "guest") == 0;
	w.call.chat = *chat ? &where : NULL;
	assert_true(!*chat || address_parse(chat, &where, NULL) == 0);
}

/* The names that are offered, each with a blank behind it. */
static char *offered(void)
{
	struct buf text = BUF_INIT;
	size_t n;
	struct llm_tool *offer = tools_offer(w.tools, &w.call, &n);

	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%s ", offer[i].name);
	free(offer);
	return buf_take(&text);
}

static const struct {
	const char *policy, *role, *chat, *offered;
} cases[] = {
    /* Without a rule that fits. */
    {"", "admin", "slack:C1", "peek question reset_all send weather web__search "},
    {"", "user", "slack:C1", "peek question send weather web__search "},
    {"", "guest", "slack:C1", "peek "},
    {"", "user", "", "peek question send weather web__search "},
    /* What a role may not use by itself no rule gives. */
    {"{ allow = [\"*\"]; }", "guest", "slack:C1", "peek weather "},
    {"{ allow = [\"send\", \"reset_all\", \"question\", \"web__search\"]; }", "guest", "slack:C1", ""},
    {"{ allow = [\"*\"]; }", "user", "slack:C1", "peek question send weather web__search "},
    /* Tools of sources are named to guests, or are not theirs. */
    {"{ role = \"guest\"; deny = [\"none\"]; }", "guest", "slack:C1", "peek "},
    {"{ role = \"guest\"; allow = [\"weather\"]; }", "guest", "slack:C1", "weather "},
    {"{ role = \"guest\"; allow = [\"*\"]; deny = [\"weather\"]; }", "guest", "slack:C1", "peek "},
    /* The first rule that fits. */
    {"{ role = \"guest\"; deny = [\"*\"]; }, { allow = [\"peek\"]; }", "guest", "slack:C1", ""},
    {"{ role = \"guest\"; deny = [\"*\"]; }, { allow = [\"peek\"]; }", "user", "slack:C1", "peek "},
    {"{ role = \"admin\"; allow = [\"*\"]; }, { deny = [\"*\"]; }", "admin", "",
	"peek question reset_all send weather web__search "},
    {"{ role = \"admin\"; allow = [\"*\"]; }, { deny = [\"*\"]; }", "user", "", ""},
    /* Patterns, and aliases. */
    {"{ deny = [\"web__*\", \"?eek\"]; }", "user", "slack:C1", "question send weather "},
    {"{ deny = [\"look_closer\"]; }", "user", "slack:C1", "question send weather web__search "},
    {"{ allow = [\"look_*\"]; }", "user", "slack:C1", "peek "},
    /* Channels. */
    {"{ channels = [\"slack\"]; allow = [\"peek\"]; }", "user", "slack:C1", "peek "},
    {"{ channels = [\"slack\"]; allow = [\"peek\"]; }", "user", "telegram:1",
	"peek question send weather web__search "},
    {"{ channels = [\"slack\"]; allow = [\"peek\"]; }", "user", "",
	"peek question send weather web__search "},
    /* Chats, with their threads; targets. */
    {"{ chats = [\"slack:C1\"]; allow = [\"peek\"]; }", "user", "slack:C1", "peek "},
    {"{ chats = [\"slack:C1\"]; allow = [\"peek\"]; }", "user", "slack:C1/17.1", "peek "},
    {"{ chats = [\"slack:C1\"]; allow = [\"peek\"]; }", "user", "slack:C2",
	"peek question send weather web__search "},
    {"{ chats = [\"slack:C1\"]; allow = [\"peek\"]; }", "user", "telegram:C1",
	"peek question send weather web__search "},
    {"{ chats = [\"telegram:-1/5\"]; allow = [\"peek\"]; }", "user", "telegram:-1/5", "peek "},
    {"{ chats = [\"telegram:-1/5\"]; allow = [\"peek\"]; }", "user", "telegram:-1",
	"peek question send weather web__search "},
    {"{ chats = [\"ops\"]; deny = [\"*\"]; }", "admin", "telegram:-1", ""},
    {"{ chats = [\"ops\"]; deny = [\"*\"]; }", "admin", "telegram:-2",
	"peek question reset_all send weather web__search "},
    {"{ chats = [\"ops\"]; deny = [\"*\"]; }", "user", "", "peek question send weather web__search "},
    /* All that a rule names has to fit. */
    {"{ role = \"user\"; channels = [\"slack\"]; chats = [\"ops\"]; deny = [\"*\"]; }", "user", "telegram:-1",
	"peek question send weather web__search "},
    {"{ role = \"user\"; channels = [\"slack\"]; chats = [\"ops\"]; deny = [\"*\"]; }", "user", "slack:C1",
	""},
    {"{ role = \"user\"; channels = [\"slack\"]; chats = [\"ops\"]; deny = [\"*\"]; }", "guest", "slack:C1",
	"peek "},
};

/* What is not offered is not run, nor named; and the reverse. */
static void check_calls(const char *names)
{
	for (const struct tool *tool = NULL; (tool = tools_next(w.tools, tool));) {
		char *word = xasprintf("%s ", tool->name), *near = xasprintf("%sx", tool->name);
		bool may = strstr(names, word);
		unsigned before = runs;
		struct json_object *o = tools_fixture_run(&w, tool->name, "{}");
		if (may)
			assert_null(json_get(o, "error_code"));
		else
			assert_failure(o, "ACCESS_DENIED", "ROLE");
		assert_int_equal(runs, before + may);
		json_object_put(o);
		o = tools_fixture_run(&w, near, "{}");
		assert_str(o, "error_code", "TOOL_NOT_FOUND");
		if (!may &&
		    strstr(
			json_get_str(o, "error") + strlen("There is no tool ''") + strlen(near), tool->name))
			fail_msg("%s is named: %s", tool->name, json_get_str(o, "error"));
		json_object_put(o);
		free(near);
		free(word);
	}
}

static void the_first_rule_that_fits_takes_away(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		open_with(cases[i].policy, table);
		become(cases[i].role, cases[i].chat);
		char *names = offered();
		if (strcmp(names, cases[i].offered) != 0)
			fail_msg("%s, %s in %s: %s", cases[i].policy, cases[i].role, cases[i].chat, names);
		check_calls(names);
		free(names);
		shut();
	}
}

static const char *const policies[] = {"", "{ allow = [\"*\"]; }", "{ role = \"guest\"; allow = [\"*\"]; }",
    "{ chats = [\"ops\"]; allow = [\"*\"]; }", "{ channels = [\"slack\"]; allow = [\"*\"]; }",
    "{ role = \"admin\"; deny = [\"*\"]; }, { role = \"guest\"; allow = [\"*\"]; }"};
static const char *const chats[] = {
    "slack:C1", "slack:C9/1.2", "telegram:-1", "telegram:-1/7", "telegram:77"};

/* All tools that there are, whatever the rules say, wherever they are. */
static void a_guest_reaches_nothing_that_writes_or_asks_or_is_for_admins(void **state)
{
	(void)state;
	for (size_t p = 0; p < ARRAY_LEN(policies); p++) {
		open_with(policies[p], NULL);
		for (size_t c = 0; c < ARRAY_LEN(chats); c++) {
			become("guest", chats[c]);
			char *names = offered();
			for (const struct tool *tool = NULL; (tool = tools_next(w.tools, tool));) {
				char *word = xasprintf("%s ", tool->name);
				bool named = strncmp(names, word, strlen(word)) == 0 ||
				    (strstr(names, word) && strstr(names, word)[-1] == ' ');
				if (named && tool->flags & (TOOL_WRITES | TOOL_ASKS | TOOL_ADMIN))
					fail_msg("%s is offered to a guest in %s under %s", tool->name,
					    chats[c], policies[p]);
				if (!named)
					tools_fixture_refused(&w, tool->name, "{}", "ACCESS_DENIED", "ROLE");
				free(word);
			}
			free(names);
		}
		shut();
	}
}

static const struct {
	const char *policy, *line, *says;
} wrong[] = {
    {"policy = 5;", "t.conf:3:", "this must be a list of groups. Write policy = ( { ... }, { ... } );"},
    {"policy: { allow = [\"x\"]; };", "t.conf:3:", "this must be a list of groups."},
    {"policy = ( \"x\" );", "t.conf:3:", "this must be a group"},
    {"policy = ( { allow = [\"glob\"]; },\n { role = \"guest\"; } );", "t.conf:4:", "The rule says nothing."},
    {"policy = ( { allow = [ ]; } );", "t.conf:3:", "The rule says nothing."},
    {"policy = ( { role = \"boss\"; deny = [\"*\"]; } );", "t.conf:3:", "boss"},
    {"policy = ( { who = \"guest\"; deny = [\"*\"]; } );", "t.conf:3:", "unknown key 'who'"},
    {"policy = ( { deny = [\"glob\",\n \"\"]; } );", "t.conf:4:", "deny: an empty name fits no tool."},
    {"policy = ( { deny = [\"*\"];\n channels = [\"slak\"]; } );",
	"t.conf:4:", "\"slak\" is no channel that is configured."},
    {"policy = ( { deny = [\"*\"];\n chats = [\"nowhere\"]; } );", "t.conf:4:", "chats: "},
    {"policy = ( { deny = [\"*\"];\n chats = [\"fax:1\"]; } );",
	"t.conf:4:", "\"fax:1\" names the channel \"fax\", which is not configured."},
};

static char *problems_of(const char *settings, void (*list)(const struct config *cfg, struct buf *out))
{
	char *text = xasprintf("state = \"/nowhere\"; %s\ntools: {\n%s };\n", CHANNELS, settings);
	struct error err = {0};
	struct config *cfg = config_parse("t.conf", text, &err);
	struct targets targets = {0};
	struct buf out = BUF_INIT;

	if (!cfg)
		fail_msg("%s", err.text);
	targets_read(&targets, cfg);
	struct tools *ts = tools_new(cfg, &targets);
	list(cfg, &out);
	tools_free(ts);
	targets_clear(&targets);
	config_free(cfg);
	free(text);
	return buf_take(&out);
}

static void a_mistake_is_told_with_its_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *text = problems_of(wrong[i].policy, config_errors);
		assert_holds(text, wrong[i].says);
		assert_holds(text, wrong[i].line);
		free(text);
	}
}

static void a_name_that_no_built_in_tool_has_is_a_warning(void **state)
{
	(void)state;
	char *text = problems_of("policy = ( { deny = [\"launch_rocket\"]; } );", config_warnings);
	assert_holds(text, "t.conf:3: deny: \"launch_rocket\" fits no built-in tool");
	free(text);
	text = problems_of("policy = ( { deny = [\"exec_shel\"]; } );", config_errors);
	assert_holds(text, "t.conf:3: deny: there is no tool \"exec_shel\". Did you mean \"exec_shell\"?");
	free(text);
	text = problems_of(
	    "policy = ( { deny = [\"glob\", \"file_write\", \"web__*\", \"x__y\", \"rea?_file\"]; } );",
	    config_warnings);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_rule_that_fits_takes_away),
	    cmocka_unit_test(a_guest_reaches_nothing_that_writes_or_asks_or_is_for_admins),
	    cmocka_unit_test(a_mistake_is_told_with_its_line),
	    cmocka_unit_test(a_name_that_no_built_in_tool_has_is_a_warning),
	};

	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
