/* Every kind of mistake in a configuration file: where it is said to be, to the line, and what is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "config/gateway_config.h"

/* What is given begins on line 2, at the top of the file, in the channel or in llm. HERE stands for the
 * folder of the file. */
#define TOP(text)                                                                    \
	"state = \"/var/lib/myna\"; channels: { tg: { type = \"telegram\"; token = " \
	"\"123456:ABCDEF-ghij_klmnopqrstuvwxyz0123456789\"; allow = [\"77\"]; }; };\n" text "\n"
#define TG(text)                                                                                     \
	"state = \"/var/lib/myna\"; channels: { tg: { type = \"telegram\"; allow = [\"77\"];\n" text \
	"\n}; };\n"
#define TOKEN "token = \"123456:ABCDEF-ghij_klmnopqrstuvwxyz0123456789\";"
#define MODEL(text)                                                                                  \
	TOP("llm: { default = \"m\"; providers: { m: { api = \"openai-chat\"; model = \"x\"; key = " \
	    "\"k-0123456789\";\n" text "\n}; }; };")

static const struct {
	const char *text,
	    *says; /* says: LINE: the whole sentence, or what it begins with when it ends in … */
} rows[] = {
    {TOP("turns_at_once = \"many\";"),
	"2: turns_at_once: this is a string. Write a whole number: turns_at_once = 1;"},
    {TOP("\n\nturns_at_once = 0;"),
	"4: turns_at_once: 0 is out of range. Write a value between 1 and 100000."},
    {TOP("name = 5;"), "2: name: 5 is not quoted. Write \"5\"."},
    {TOP("log_level = \"loud\";"),
	"2: log_level: \"loud\" is not a choice. Write \"error\", \"warn\", \"info\" or \"debug\"."},
    {TOP("trns_at_once = 5;"), "2: unknown key 'trns_at_once' at the top. Did you mean 'turns_at_once'?"},
    {TOP("zzzzzz: { };"), "2: unknown key 'zzzzzz' at the top. Known here: approvals, budgets, channels, …"},
    {TOP("name = \"a\";\nname = \"b\";"), "3: 'name' stands twice in its group. Keep one of the two."},
    {TOP("queue_most = 4294967296;"),
	"2: 4294967296 does not fit into 32 bits. Ids are strings: write \"4294967296\". A number is written "
	"4294967296L."},
    {TOP("name = \"a;\nreports = \"ops\";"),
	"2: the string that starts here does not end on its line, and a quote is missing in the file. Add "
	"the closing quote."},
    {TOP("name = \"a\"\nreports \"ops\";"), "3: '=' is missing after 'reports'. Write reports = VALUE;"},
    {TOP("sessions: {\n idle = \"1 hour\"; };"),
	"3: sessions.idle: unknown unit \"hour\" in \"1 hour\". Write a whole number and one of s, ms, min, "
	"h, d."},
    {TOP("sessions: {\n daily = \"25:00\"; };"),
	"3: daily: \"25:00\" is no time of the day: write it as \"04:00\", in local time."},
    {TOP("targets: { ops = [\"telegram\"]; };"),
	"2: \"telegram\": an address is written CHANNEL:CHAT or CHANNEL:CHAT/THREAD."},
    {TOP("targets: { ops = [\"tg:77\",\n\"slack:C1\"]; };"),
	"3: \"slack:C1\" names the channel \"slack\", which is not configured."},
    {TOP("tools: { roots = [\"/srv\",\n\"/var/lib\"]; };"),
	"3: tools may use /var/lib, which holds the state (/var/lib/myna): they must never see that. …"},
    {TOP("tools: { roots = [\"/\"]; };"),
	"2: tools may use /, which holds the state (/var/lib/myna): they must …"},
    {TOP("tools: {\nworkspace = \"HERE\"; };"), "3: tools may use HERE, which holds the configuration …"},
    {TOP("http: { listen = \"127.0.0.1:0\"; token = \"file:HERE/secrets/token\"; };\n"
	 "tools: { roots = [\"HERE/secrets\"]; };"),
	"3: tools may use HERE/secrets, which holds a secret (HERE/secrets/token): they must never see that. "
	"…"},
    {TOP("@include \"HERE/secrets/more.conf\"\ntools: { roots = [\"HERE/secrets\"]; };"),
	"3: tools may use HERE/secrets, which holds the configuration (HERE/secrets/more.conf): they must "
	"never see that. …"},
    {TOP("control = \"/srv/a/../b/sock\";\ntools: { roots = [\"/srv\"]; };"),
	"3: tools may use /srv, which holds the control socket (/srv/a/../b/sock): they must never see that. "
	"…"},
    {TOP("tools: { roots = [\"/srv\",\n\"/srv/a/b\"]; };"),
	"3: /srv/a/b is inside of /srv, where tools write: a command could put a link in its place, and what "
	"that leads to would be granted. Remove it, or name a folder beside the other."},
    {TOP("tools: { roots = [\"/srv\"];\nworkspace = \"/srv/files/\"; };"),
	"3: /srv/files/ is inside of /srv, where tools write: …"},
    {TOP("tools: { workspace = \"/srv\"; workspace_scope = \"shared\";\nroots = [\"/srv/a\"]; };"),
	"3: /srv/a is inside of /srv, where tools write: …"},
    {TOP("tools: { workspace = \"/srv\";\nroots = [\"/srv/chat/telegram%3A77/proj\"]; };"),
	"3: /srv/chat/telegram%3A77/proj holds files of a chat or a person, which all chats would see. "
	"Remove "
	"it, name a folder beside the workspace, or set tools.workspace_scope to \"shared\"."},
    {TOP("tools: { workspace = \"/srv\"; workspace_scope = \"person\";\nroots = [\"/srv/person/\"]; };"),
	"3: /srv/person/ holds files of a chat or a person, which …"},
    {TOP("tools: { workspace = \"/srv\";\nroots = [\"/srv\"]; };"),
	"3: /srv holds files of a chat or a person, which …"},
    {TOP("tools: { roots = [\"/srv/notes/a\"]; mcp_servers: { n: { command = [\"sh\"];\nwrite = "
	 "[\"/srv/notes\"]; }; }; };"),
	"3: tools.mcp_servers.n.write[0]: the server would see /srv/notes/a, which all tools may use and it "
	"could replace by a link, in /srv/notes. …"},
    {TOP("targets: { ops = []; };"), "2: targets.ops has no address. Give it one, or remove it."},
    {TOP("targets: { ops = [\"tg:\"]; };"),
	"2: \"tg:\": an address needs a chat after the ':', as in telegram:-100123."},
    {TOP("quiet_hours: { ops = \"22:00-07:00\"; };"), "2: There is no target \"ops\"."},
    {TOP("targets: { ops = [\"tg:77\"]; };\nquiet_hours: { ops = \"22-7\"; };"),
	"3: quiet_hours.ops: \"22-7\" are no quiet hours: write them as \"22:00-07:00\", in local time."},
    {TOP("reports = \"nobody\";"),
	"2: reports: There is no target \"nobody\". Name one of these, or write CHANNEL:CHAT: none is "
	"configured."},
    {TOP("log: {\n bus = \"loud\"; };"),
	"3: log.bus must be one of \"error\", \"warn\", \"info\", \"debug\"."},
    {TOP("log: { bus = 3; };"), "2: log.bus must be one of \"error\", \"warn\", \"info\", \"debug\"."},
    {TOP("log: { bus = \"debug\";\n tg* = \"debug\"; };"),
	"3: log.tg*: the name of a module has no \"*\". Write the word before the colon of a log line, one "
	"module in each entry."},
    {TOP("http: { listen = \"nowhere\"; token = \"0123456789abcdef\"; };"),
	"2: http.listen is \"nowhere\", not HOST:PORT with a numeric host or localhost and a port up to "
	"65535, "
	"such as \"127.0.0.1:8080\"."},
    {TOP("http: { listen = \"127.0.0.1:99999\"; token = \"0123456789abcdef\"; };"),
	"2: http.listen is \"127.0.0.1:99999\", not HOST:PORT …"},
    {TOP("http: { token = \"0123456789abcdef\";\n listen = \"myhost:8080\"; };"),
	"3: http.listen is \"myhost:8080\", not HOST:PORT …"},
    {TOP("approvals: {\n ask = [\"write_fil\"]; };"),
	"3: ask: there is no tool \"write_fil\". Did you mean \"write_file\"?"},
    {TOP("tools: { policy = (\n{ deny = [\"exec_shel\"]; } ); };"),
	"3: deny: there is no tool \"exec_shel\". Did you mean \"exec_shell\"?"},
    {TOP("tools: { external = \"HERE\"; policy = (\n{ deny = [\"exec_shel\"]; } ); };"),
	"3: deny: there is no tool \"exec_shel\". Did you mean \"exec_shell\"?"},
    {TOP("tools: {\n workspace = \"//\"; };"),
	"3: tools.workspace is the whole machine. Name a folder for the agent's files alone."},
    {TOP("targets: { ops = [\"tg:@a_channel\",\n\"tg:ann\"]; };"),
	"3: targets.ops[1]: \"ann\" cannot be the id of a chat. Telegram knows groups by negative numbers, "
	"…"},
    {TOP("reports = \"tg:ann\";"), "2: reports: \"ann\" cannot be the id of a chat. …"},
    {TOP("people: { ann = [\n\"tg:@ann\"]; };"),
	"3: people.ann[0]: \"@ann\" cannot be the id of a person. …"},
    {TG(TOKEN "\nadmins = [\"78\", \"ann\"];"),
	"3: channels.tg.admins[1]: \"ann\" cannot be the id of a person. Telegram knows people by numbers, "
	"such "
	"as \"123456789\": let them write to the bot in private, or ask for /whoami."},
    {TG(TOKEN "\nchats = [\"Ops\"];"), "3: channels.tg.chats[0]: \"Ops\" cannot be the id of a group. …"},
    {TG(TOKEN "\ngroups: { a: {\nchat = \"ops\"; }; };"),
	"4: channels.tg.groups.a.chat: \"ops\" cannot be the id of a group. …"},
    {TG(TOKEN "\ngroups: { a: { chat = \"-1\";\nallow = [\"12345x\"]; }; };"),
	"4: channels.tg.groups.a.allow[0]: \"12345x\" cannot be the id of a person. …"},
    {TG(TOKEN " }; two: { type = \"telegram\"; allow = [\"77\"];\n" TOKEN),
	"3: token is that of the channel \"tg\", too: …"},
    {"state = \"/s\"; channels: { s: { type = \"slack\"; bot_token = \"xoxb-1-2-a\"; app_token = "
     "\"xapp-1-A1-2-a\";\nallow = [\"bea\"]; }; };\n",
	"2: channels.s.allow[0]: \"bea\" cannot be the id of a person. Slack knows people by member ids, …"},
    {"state = \"/s\"; channels: { d: { type = \"discord\"; token = "
     "\"MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.flowTestTokenOfTheFlowTests0123456\";\nguests = [\"bea#1234\"]; }; "
     "};\n",
	"2: channels.d.guests[0]: \"bea#1234\" cannot be the id of a person. Discord knows people by "
	"numbers, …"},
    {TOP("http: { listen = \"127.0.0.1:0\"; };"),
	"2: http.listen needs http.token: whoever can connect could send messages."},
    {TOP("http: { listen = \"127.0.0.1:0\";\n token = \"short\"; };"),
	"3: http.token is shorter than 16 characters: make one with `openssl rand -hex 32`."},
    {TOP("files: { file_limit = \"lots\"; };"),
	"2: files.file_limit: \"lots\" is not a number. Write a whole number and a unit: \"64 KiB\"."},
    {TG("token = \"123\";"),
	"2: token does not look like a Telegram bot token (123456:ABC...): copy it from @BotFather"},
    {TG("token = 123;"), "2: channels.tg.token: this is a number. Write a string: token = \"file:PATH\";"},
    {TG(""),
	"1: channels.tg.token is missing. The bot's token from @BotFather, or where to read it "
	"(\"file:PATH\", \"cred:NAME\")."},
    {TG("token = \"file:HERE/open.token\";"),
	"2: channels.tg.token: others can reach the secret file HERE/open.token (0644); run chmod 600 on it"},
    {TG("token = \"file:HERE/none.token\";"),
	"2: channels.tg.token: cannot open the secret file HERE/none.token: No such file or directory"},
    {TG("token = \"file:HERE/empty.token\";"),
	"2: channels.tg.token: file:HERE/empty.token: the secret is empty"},
    {TG("token = \"env:TOKEN\";"),
	"2: channels.tg.token: env:TOKEN: tools could read it in /proc; use file:PATH or cred:NAME"},
    {TG("token = \"cred:tg\";"),
	"2: channels.tg.token: cred:tg needs LoadCredential=tg:… in the unit: CREDENTIALS_DIRECTORY is not "
	"set"},
    {TG(TOKEN "\nadmins = [77];"),
	"3: channels.tg.admins[0]: 77 is not quoted. Ids are strings: write \"77\"."},
    {TG(TOKEN "\nadmins = \"77\";"),
	"3: channels.tg.admins: this is a string. Write a list of strings: admins = [\"...\"];"},
    {TG(TOKEN "\nadmins = [123456789012];"),
	"3: 123456789012 does not fit into 32 bits. Ids are strings: write \"123456789012\". A number is "
	"written 123456789012L."},
    {TG(TOKEN "\nchats = [-1001234567890];"),
	"3: -1001234567890 does not fit into 32 bits. Ids are strings: write \"-1001234567890\". A number is "
	"written -1001234567890L."},
    {TG(TOKEN "\ngroup = \"always\";"),
	"3: channels.tg.group: \"always\" is not a choice. Write \"mention\", \"all\" or \"off\"."},
    {TG(TOKEN "\ntokn = \"x\";"), "3: unknown key 'tokn' in channels.tg. Did you mean 'token'?"},
    {TG(TOKEN "\nquiet_hours = \"late\";"),
	"3: quiet_hours: \"late\" are no quiet hours: write them as \"22:00-07:00\", in local time."},
    {TG(TOKEN "\napi_base = \"http://example.org\";"),
	"3: api_base: http:// is allowed for this machine (127.0.0.1, ::1, localhost) only: use https:// for "
	"example.org"},
    {TG(TOKEN "\npoll_timeout = \"51 s\";"),
	"3: channels.tg.poll_timeout: 51 s is out of range. Write a value between 1 s and 50 s."},
    {TG(TOKEN "\ngroups: { a: { chat = \"-1\"; };\nb: { chat = \"-1\"; }; };"),
	"4: The chat \"-1\" has two groups. Keep one of them."},
    {TG(TOKEN "\ngroups: {\na: { group = \"all\"; }; };"),
	"4: channels.tg.groups.a.chat is missing. The id of the group or channel. It counts as listed in "
	"chats, if that is set."},
    {"state = \"/s\"; channels: {\n tg: { type = \"telegraph\"; }; };\n",
	"2: There is no channel type \"telegraph\". Known: \"console\", …"},
    {"state = \"/s\"; channels: {\n tg: { token = \"x\"; }; };\n",
	"2: The channel needs a type. Known: \"console\", …"},
    {"\nname = \"x\";\n",
	"1: state is missing. Directory of the database and everything else that must survive a restart; "
	"created (mode 0700) if missing."},
    {"state = \"/s\"; channels: { a: { type = \"console\"; };\n b: { type = \"console\"; }; };\n",
	"2: There are two channels of type \"console\". Remove one."},
    {"state = \"/s\"; channels: {\n console: { type = \"telegram\"; " TOKEN " allow = [\"77\"]; }; };\n",
	"2: The name console is kept for `myna chat`. Choose another one."},
    {"state = \"/s\"; store = { engine = \"postgres\"; url = \"postgresql://h/d\"; }; cluster = { node = "
     "\"anna\"; }; channels: {\n console-anna: { type = \"telegram\"; " TOKEN " allow = [\"77\"]; }; };\n",
	"2: The name console-anna is kept for `myna chat`. Choose another one."},
    {MODEL("base_url = \"http://example.org/v1\";"),
	"3: http:// is allowed for this machine (127.0.0.1, ::1, localhost) only: use https:// for "
	"example.org"},
    {MODEL("base_url = \"ftp://example.org/v1\";"), "3: the URL must begin with https:// or http://"},
    {MODEL("max_tokens = -5;"),
	"3: llm.providers.m.max_tokens: -5 is out of range. Write a value between 0 and 1000000."},
    {TOP("llm: { default = \"none\";\nproviders: { m: { api = \"openai-chat\"; model = \"x\"; }; }; };"),
	"2: llm.providers has no \"none\". Name one of its groups."},
    {TOP("llm: { providers: {\n m: { api = \"openai\"; model = \"x\"; }; }; };"),
	"3: llm.providers.m.api: \"openai\" is not a choice. Write …"},
    {TOP("llm: { default = \"m\"; fallbacks = [\n\"n\"]; providers: { m: { api = \"openai-chat\"; model = "
	 "\"x\"; key = \"k-0123456789\"; }; }; };"),
	"3: llm.providers has no \"n\". Name one of its groups."},
    {MODEL("}; };\nprices = ( { output = 1; } ); x: { y: {"),
	"4: llm.prices[0].input is missing. What tokens cost has both; 0 for a model that runs here."},
    {MODEL("}; };\nprices = (\n{ input = \"three\"; output = 1; } ); x: { y: {"),
	"5: llm.prices[0].input: \"three\" is no amount. Write a number from 0 to 1000000000, with at most 6 "
	"digits behind the point: 0.25."},
    {MODEL("}; };\nprices = (\n{ input = -1; output = 1; } ); x: { y: {"),
	"5: llm.prices[0].input: \"-1\" is no amount. …"},
    {MODEL("}; };\nprices = (\n{ input = true; output = 1; } ); x: { y: {"),
	"5: llm.prices[0].input: this is true or false. Write an amount: input = 0.25;"},
    {MODEL("}; };\nprices = (\n{ input = 1;\noutput = 0.0000000003; } ); x: { y: {"),
	"6: llm.prices[0].output: \"3e-10\" is no amount. …"},
    {MODEL("}; };\nprices = (\n{ modell = \"x\"; input = 1; output = 1; } ); x: { y: {"),
	"5: unknown key 'modell' in llm.prices[0]. Did you mean 'model'?"},
    {MODEL("}; };\nprices = (\n{ input = 1; output = 1; provider = \"n\"; } ); x: { y: {"),
	"5: llm.providers has no \"n\". Name one of its groups."},
    {MODEL("}; };\nprices: { input = 1; }; x: { y: {"),
	"4: this must be a list of groups. Write prices = ( { ... }, { ... } );"},
    {TOP("budgets = (\n{ tokens = 5; } );"),
	"3: budgets[0].scope is missing. Who has the budget: each chat with its threads (chat), each person "
	"in all chats (person), or everybody together (all)."},
    {TOP("budgets = (\n{ scope = \"total\"; tokens = 5; } );"),
	"3: budgets[0].scope: \"total\" is not a choice. Write \"all\", \"chat\" or \"person\"."},
    {TOP("budgets = (\n{ scope = \"chat\"; window = \"week\"; tokens = 5; } );"),
	"3: budgets[0].window: \"week\" is not a choice. Write \"day\", \"month\" or \"ever\"."},
    {TOP("budgets = (\n{ scope = \"chat\"; } );"),
	"3: The budget has no limit. Give it tokens, money, turns or calls."},
    {TOP("budgets = (\n{ scope = \"chat\"; tokens = -5; } );"),
	"3: budgets[0].tokens: -5 is out of range. Write a value of at least 0."},
    {TOP("budgets = (\n{ scope = \"chat\"; tokens = \"many\"; } );"),
	"3: budgets[0].tokens: this is a string. Write a whole number: tokens = 1;"},
    {TOP("budgets = (\n{ scope = \"chat\"; tokns = 5; } );"),
	"3: unknown key 'tokns' in budgets[0]. Did you mean 'tokens'?"},
    {TOP("budgets = ( { scope = \"all\"; tokens = 5;\nof = [\"tg:77\"]; } );"),
	"3: A budget for all cannot name anybody. Remove of, or write scope = \"chat\" or \"person\"."},
    {TOP("budgets = ( { scope = \"person\"; tokens = 5;\nof = [\"gast\"]; } );"),
	"3: \"gast\" is no role and no person: write guest, user or admin, or CHANNEL:ID, as in "
	"\"telegram:77\"."},
    {TOP("budgets = ( { scope = \"person\"; tokens = 5;\nof = [\"slack:U1\"]; } );"),
	"3: \"slack:U1\" names the channel \"slack\", which is not configured."},
    {TOP("budgets = ( { scope = \"chat\"; tokens = 5;\nof = [\"nowhere\"]; } );"),
	"3: of: There is no target \"nowhere\". Name one of these, or write CHANNEL:CHAT: none is "
	"configured."},
    {TOP("budgets: { scope = \"chat\"; };"),
	"2: this must be a list of groups. Write budgets = ( { ... }, { ... } );"},
    {TOP("llm: { default = \"m\"; providers: { m: { api = \"openai-chat\"; model = \"x\"; key = "
	 "\"k-0123456789\"; }; }; };\nbudgets = (\n{ scope = \"all\"; money = 5; } );"),
	"4: The model \"x\" of llm.providers.m has no price, so that nobody knows what it spends. Add one to "
	"llm.prices; 0 for a model that runs here."},
    {TOP("approvals: { ask = [\"write_file\"];\napprovers = [\"78\"]; };"),
	"3: \"78\" is no person: write CHANNEL:ID, as in \"telegram:77\"."},
    {TOP("approvals: { ask = [\"write_file\"];\nchat = \"nowhere\"; };"),
	"3: chat: There is no target \"nowhere\". Name one of these, or write CHANNEL:CHAT: none is "
	"configured."},
    {TOP("tools: {\n workspce = \"/w\"; };"),
	"3: unknown key 'workspce' in tools. Did you mean 'workspace'?"},
    {TG(TOKEN "\ngroups: { a: { chat = \"-1\";\nquiet_hours = \"x\"; }; };"), "4: quiet_hours: …"},
};

static char *dir;

static void put(const char *name, const char *text, mode_t mode)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	assert_int_equal(chmod(path, mode), 0);
	free(path);
}

/* text with the folder in place of HERE, malloc'd. */
static char *settle(const char *text)
{
	struct buf out = BUF_INIT;

	for (const char *at; (at = strstr(text, "HERE")); text = at + 4) {
		buf_add(&out, text, (size_t)(at - text));
		buf_addstr(&out, dir);
	}
	buf_addstr(&out, text);
	return buf_take(&out);
}

static void check(const char *config, mode_t mode, struct buf *report, int wanted)
{
	char *path = xasprintf("%s/myna.conf", dir), *text = settle(config);
	struct gateway_config gc;

	put("myna.conf", text, mode);
	buf_reset(report);
	int rc = gateway_config_load(&gc, path, report);
	gateway_config_clear(&gc);
	if (rc != wanted)
		fail_msg("%d for:\n%s\n%s", rc, text, report->data);
	free(text);
	free(path);
}

static bool has_line(const char *report, const char *says)
{
	bool whole = strlen(says) < 3 || strcmp(says + strlen(says) - 3, "…") != 0;
	char *line = xasprintf(
	    "%s/myna.conf:%.*s%s", dir, (int)(strlen(says) - (whole ? 0 : 3)), says, whole ? "\n" : "");
	bool found = strncmp(report, line, strlen(line)) == 0;

	for (const char *at = report; !found && (at = strchr(at, '\n')); at++)
		found = strncmp(at + 1, line, strlen(line)) == 0;
	free(line);
	return found;
}

static int set_up(void **state)
{
	char template[] = "/tmp/myna-check-XXXXXX";

	(void)state;
	unsetenv("CREDENTIALS_DIRECTORY");
	dir = xstrdup(mkdtemp(template));
	put("open.token", "123456:ABCDEF-ghij_klmnopqrstuvwxyz0123456789\n", 0644);
	put("empty.token", "", 0600);
	char *secrets = xasprintf("%s/secrets", dir);
	assert_int_equal(mkdir(secrets, 0700), 0);
	free(secrets);
	put("secrets/token", "abcdefghijklmnopqrstuvwxyz", 0600);
	put("secrets/more.conf", "name = \"Included\";\n", 0600);
	return 0;
}

static int tear_down(void **state)
{
	static const char *const names[] = {
	    "myna.conf", "open.token", "empty.token", "secrets/token", "secrets/more.conf"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *path = xasprintf("%s/%s", dir, names[i]);
		unlink(path);
		free(path);
	}
	char *secrets = xasprintf("%s/secrets", dir);
	rmdir(secrets);
	free(secrets);
	rmdir(dir);
	free(dir);
	return 0;
}

static void every_mistake_is_named_with_its_line(void **state)
{
	struct buf report = BUF_INIT;
	size_t bad = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *says = settle(rows[i].says);
		check(rows[i].text, 0600, &report, -1);
		if (!has_line(report.data, says)) {
			print_error("row %zu, not \"%s\" but:\n%s", i, says, report.data);
			bad++;
		}
		free(says);
	}
	buf_clear(&report);
	assert_int_equal(bad, 0);
}

static const struct {
	const char *text, *says;
} unwise[] = {
    {TOP("sessions: {\n idle = 3600; };"),
	"3: sessions.idle: 3600 without a unit means seconds. Write \"3600 s\"."},
    {TOP("tools: {\n external = \"HERE/none\"; };"),
	"3: There is no folder HERE/none, so there are no external tools. Make it, or remove "
	"tools.external."},
    {TOP("tools: {\n commands_path = \"/usr/bin:/opt/tools/bin:/usr/local/etc\"; };"),
	"3: Commands find nothing in /opt/tools/bin: the sandbox does not show it. …"},
    {TOP("tools: {\n commands_path = \"/usr/bin:/opt/tools/bin:/usr/local/etc\"; };"),
	"3: Commands find nothing in /usr/local/etc: …"},
    {TOP("tools: { workspace = \"/srv/ws\";\n commands_path = \"/srv/ws/bin\"; };"),
	"3: Commands find nothing in /srv/ws/bin: …"},
    {TOP("approvals: { ask = [\n\"launch_rocket\"]; };"),
	"3: ask: \"launch_rocket\" fits no built-in tool; …"},
};

static void what_is_unwise_is_warned_of_with_its_line(void **state)
{
	struct buf report = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(unwise); i++) {
		char *says = settle(unwise[i].says);
		check(unwise[i].text, 0600, &report, 0);
		if (!has_line(report.data, says))
			fail_msg("not \"%s\" but:\n%s", says, report.data);
		free(says);
	}
	check(TOP("sessions: { idle = 0; };"), 0600, &report, 0);
	assert_null(strstr(report.data, "without a unit"));
	assert_null(strstr(report.data, "Commands find nothing"));
	check(TOP("tools: { roots = [\"/srv/tools/\"]; commands_path = \"/srv/tools/bin:bin\"; };"), 0600,
	    &report, 0);
	assert_null(strstr(report.data, "Commands find nothing"));
	check(TOP("tools: { workspace = \"/srv/ws\"; workspace_scope = \"shared\"; commands_path = "
		  "\"/srv/ws/bin\"; };"),
	    0600, &report, 0);
	assert_null(strstr(report.data, "Commands find nothing"));
	buf_clear(&report);
}

/* A section of the documentation. */
struct documented {
	const char *path; /* "channels.NAME.groups.NAME", "budgets[]"; "" for the top */
	struct buf keys;  /* each as in a file */
	char type[16];    /* of the channel, where it is about one */
	bool free_names;  /* nothing is documented but the section itself */
};

/* The section in a file, with one key that nobody knows where its keys are documented. */
static char *written(const struct documented *d)
{
	struct buf text = BUF_INIT, end = BUF_INIT;
	char *path = xstrdup(d->path), *rest = path, *was;

	if (strncmp(path, "channels.", 9) != 0)
		buf_addstr(&text, "channels: { tg: { type = \"telegram\"; }; };\n");
	for (char *name; (name = strsep(&rest, ".")) && *name;) {
		bool is_list = strchr(name, '['), is_free = strcmp(name, "NAME") == 0;

		buf_addf(&text, is_list ? "%.*s = ( { " : "%.*s: { ", (int)strcspn(name, "["),
		    is_free ? "n" : name);
		if (strncmp(d->path, "channels.", 9) == 0 && is_free && !strstr(text.data, "type"))
			buf_addf(&text, "type = \"%s\"; ", d->type);
		was = buf_take(&end);
		buf_addf(&end, "%s%s", is_list ? " } );" : " };", was);
		free(was);
	}
	buf_addf(&text, "%s%s%s\n", d->keys.data, d->free_names ? "" : " zzzzzz = 1;", end.data);
	buf_clear(&end);
	free(path);
	return buf_take(&text);
}

static void check_documented(struct documented *d, size_t *bad)
{
	struct buf report = BUF_INIT;
	char *text = written(d);

	check(text, 0600, &report, -1);
	const char *unknown = strstr(report.data, "unknown key"),
		   *ours = strstr(report.data, "unknown key 'zzzzzz'");
	bool more = unknown && strstr(unknown + 1, "unknown key");
	if (unknown != ours || more || (!ours && !d->free_names)) {
		print_error("%s:\n%s%s\n", d->path, text, report.data);
		++*bad;
	}
	buf_clear(&report);
	buf_clear(&d->keys);
	free(text);
}

/* What myna settings prints, written into files. */
static void every_documented_setting_is_known_where_it_is_documented(void **state)
{
	struct buf doc = BUF_INIT;
	struct documented d = {0};
	size_t sections = 0, bad = 0;
	char *rest;

	(void)state;
	gateway_config_document(&doc);
	rest = doc.data;
	for (char *line; (line = strsep(&rest, "\n"));) {
		char *type = strstr(line, "(type = \"");

		if (strncmp(line, "## ", 3) == 0) {
			if (sections++ > 0)
				check_documented(&d, &bad);
			d = (struct documented){.path = line[3] == '`' ? line + 4 : "",
			    .keys = BUF_INIT,
			    .type = "telegram",
			    .free_names = true};
			line[strlen(line) - (line[3] == '`')] = '\0';
		} else if (strncmp(line, "| `", 3) == 0) {
			if (strncmp(line, "| `type`", 8) != 0)
				buf_addf(&d.keys, " %.*s = \"x\";", (int)strcspn(line + 3, "`"), line + 3);
			d.free_names = false;
		} else if (type) {
			snprintf(d.type, sizeof(d.type), "%.*s", (int)strcspn(type + 9, "\""), type + 9);
		}
	}
	check_documented(&d, &bad);
	assert_true(sections > 25);
	assert_int_equal(bad, 0);
	buf_clear(&doc);
}

static void what_is_right_is_accepted(void **state)
{
	struct buf report = BUF_INIT;

	(void)state;
	check(MODEL(""), 0600, &report, 0);
	assert_string_equal(report.data, "");
	buf_clear(&report);
}

static void a_secret_in_a_file_that_others_can_read_is_a_warning(void **state)
{
	struct buf report = BUF_INIT;

	(void)state;
	check(MODEL(""), 0644, &report, 0);
	assert_true(has_line(report.data,
	    "1: channels.tg.token: this secret stands in a file that others can read (mode 0644). Run chmod "
	    "600 …"));
	buf_clear(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_mistake_is_named_with_its_line),
	    cmocka_unit_test(what_is_unwise_is_warned_of_with_its_line),
	    cmocka_unit_test(every_documented_setting_is_known_where_it_is_documented),
	    cmocka_unit_test(what_is_right_is_accepted),
	    cmocka_unit_test(a_secret_in_a_file_that_others_can_read_is_a_warning),
	};

	return cmocka_run_group_tests_name("config_check", tests, set_up, tear_down);
}
