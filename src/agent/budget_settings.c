#include "agent/budget_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/targets.h"
#include "llm/llm.h"
#include "llm/transcribe.h"

struct row_settings {
	int scope, window;
	int64_t turns, calls, tokens, money;
	struct config_strings of;
};

static const char *const scope_names[] = {
    [STORE_ALL] = "all", [STORE_CHAT] = "chat", [STORE_PERSON] = "person", NULL};
static const char *const window_names[] = {
    [STORE_DAY] = "day", [STORE_MONTH] = "month", [STORE_EVER] = "ever", NULL};
static const char *const role_names[] = {
    [BUDGET_GUEST] = "guest", [BUDGET_USER] = "user", [BUDGET_ADMIN] = "admin"};

static const struct config_key keys[] = {
    {.name = "calls",
	.type = CONFIG_INT,
	.offset = offsetof(struct row_settings, calls),
	.max = -1,
	.help = "Maximum number of model requests: each step of a turn is one."},
    {.name = "money",
	.type = CONFIG_MONEY,
	.offset = offsetof(struct row_settings, money),
	.help = "Maximum cost, in llm.currency. Every model then needs a price in llm.prices."},
    {.name = "of",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct row_settings, of),
	.help = "Whom the budget applies to, instead of the general one: for chats, addresses and targets; "
		"for people, CHANNEL:ID and the roles guest, user and admin. A row without a limit lifts the "
		"limit for them."},
    {.name = "scope",
	.type = CONFIG_ENUM,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct row_settings, scope),
	.choices = scope_names,
	.help = "Who has the budget: each chat with its threads (chat), each person in all chats (person), "
		"or everybody together (all)."},
    {.name = "tokens",
	.type = CONFIG_INT,
	.offset = offsetof(struct row_settings, tokens),
	.max = -1,
	.help = "Maximum number of tokens that models read (cached ones included) and write."},
    {.name = "turns",
	.type = CONFIG_INT,
	.offset = offsetof(struct row_settings, turns),
	.max = -1,
	.help = "Maximum number of turns: a turn counts once, however many steps it has."},
    {.name = "window",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct row_settings, window),
	.fallback = "day",
	.choices = window_names,
	.help = "When the budget resets: each day or month in reminders.time_zone, or never."},
};

const struct config_section budget_section = {
    .path = "budgets[]",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Limits of usage: `budgets = ( { scope = \"chat\"; tokens = 500000; }, { scope = \"person\"; "
	    "of = [\"guest\"]; turns = 20; }, { scope = \"all\"; window = \"month\"; money = 50.0; } );`. "
	    "Checked before each request to a model; warnings come at 50, 80 and 100 %. /budget shows, "
	    "changes and lifts them.",
};

/* An absent limit means none; 0 is a limit. */
static int64_t limit(struct config *cfg, const char *path, const char *name, int64_t value)
{
	char *at = xasprintf("%s.%s", path, name);
	bool given = config_has(cfg, at);

	free(at);
	return given ? value : STORE_NO_LIMIT;
}

static bool add_role(struct budget_rule *row, const char *text)
{
	for (size_t i = 0; i < BUDGET_ROLES; i++)
		if (strcmp(role_names[i], text) == 0)
			return row->roles[i] = true;
	return false;
}

static void add_address(struct budget_rule *row, const struct address *a)
{
	row->of = xrealloc(row->of, (row->of_count + 1) * sizeof(*row->of));
	row->of[row->of_count] = *a;
	*row->of[row->of_count++].thread = '\0';
}

static void check_channel(struct config *cfg, const char *at, const char *text, const struct address *a)
{
	char *channel = xasprintf("channels.%s", a->channel);

	if (!config_has(cfg, channel))
		config_error(
		    cfg, at, "\"%s\" names the channel \"%s\", which is not configured.", text, a->channel);
	free(channel);
}

static void add_person(struct budget_rule *row, struct config *cfg, const char *at, const char *text,
    const struct targets *targets)
{
	struct error err = {0};
	struct address a;

	if (add_role(row, text))
		return;
	if (address_parse(text, &a, &err) < 0 || *a.thread) {
		config_error(cfg, at,
		    "\"%s\" is no role and no person: write guest, user or admin, or CHANNEL:ID, as in "
		    "\"telegram:77\".",
		    text);
		return;
	}
	check_channel(cfg, at, text, &a);
	const struct address *first = people_first(&targets->people, a.channel, a.chat);
	add_address(row, first ? first : &a);
}

static void add_chats(struct budget_rule *row, struct config *cfg, const char *at, const char *text,
    const struct targets *targets)
{
	struct error err = {0};
	size_t count = 0;
	struct address *found = targets_expand(targets, text, &count, &err);

	if (!found)
		config_error(cfg, at, "of: %s", err.text);
	for (size_t i = 0; found && i < count; i++) {
		check_channel(cfg, at, text, &found[i]);
		add_address(row, &found[i]);
	}
	free(found);
}

static void read_of(struct budget_rule *row, struct config *cfg, const char *path,
    const struct config_strings *of, const struct targets *targets)
{
	row->named = of->count > 0;
	for (size_t i = 0; i < of->count; i++) {
		char *at = xasprintf("%s.of[%zu]", path, i);
		if (row->scope == STORE_PERSON)
			add_person(row, cfg, at, of->items[i], targets);
		else if (row->scope == STORE_CHAT)
			add_chats(row, cfg, at, of->items[i], targets);
		else
			config_error(cfg, at,
			    "A budget for all cannot name anybody. Remove of, or write scope = "
			    "\"chat\" or \"person\".");
		free(at);
	}
}

static void check_prices(struct config *cfg, const char *path, const struct llm *llm)
{
	char *at = xasprintf("%s.money", path);

	for (const struct llm_provider *p = NULL; (p = llm_next_provider(llm, p));)
		if (!p->price.known)
			config_error(cfg, at,
			    "The model \"%s\" of llm.providers.%s has no price, so that nobody knows what it "
			    "spends. Add one to llm.prices; 0 for a model that runs here.",
			    p->settings.model ? p->settings.model : "", p->name);
	const struct llm_provider *transcriber = llm_transcription_provider(llm);
	if (transcriber && !transcriber->price.known && !transcriber->price.speech_known)
		config_error(cfg, at,
		    "The model \"%s\" of llm.transcribe has no price, so that nobody knows what it spends. "
		    "Add one to llm.prices, as in { model = \"whisper-1\"; minute = 0.006; }; 0 for one that "
		    "runs here.",
		    transcriber->settings.model ? transcriber->settings.model : "");
	free(at);
}

static void read_row(struct budget_rule *row, struct config *cfg, const char *path,
    const struct targets *targets, const struct llm *llm)
{
	struct row_settings s = {0};

	config_read(cfg, path, &budget_section, &s);
	*row = (struct budget_rule){.scope = s.scope, .window = s.window};
	row->most[STORE_TURNS] = limit(cfg, path, "turns", s.turns);
	row->most[STORE_CALLS] = limit(cfg, path, "calls", s.calls);
	row->most[STORE_TOKENS] = limit(cfg, path, "tokens", s.tokens);
	row->most[STORE_MONEY] = limit(cfg, path, "money", s.money);
	read_of(row, cfg, path, &s.of, targets);
	bool limits = false;
	for (size_t i = 0; i < STORE_MEASURES; i++)
		limits |= row->most[i] != STORE_NO_LIMIT;
	if (!limits && !row->named)
		config_error(cfg, path, "The budget has no limit. Give it tokens, money, turns or calls.");
	if (row->most[STORE_MONEY] != STORE_NO_LIMIT)
		check_prices(cfg, path, llm);
	config_settings_clear(keys, ARRAY_LEN(keys), &s);
}

void budget_settings_read(struct budget_settings *s, struct config *cfg, const struct targets *targets,
    const char *zone, const struct llm *llm)
{
	*s = (struct budget_settings){.count = config_groups(cfg, "budgets"), .zone = zone_load(zone, NULL)};
	str_copy(s->zone_name, sizeof(s->zone_name), s->zone ? zone : "UTC");
	s->rows = xcalloc(s->count + 1, sizeof(*s->rows));
	for (size_t i = 0; i < s->count; i++) {
		char *path = xasprintf("budgets[%zu]", i);
		read_row(&s->rows[i], cfg, path, targets, llm);
		free(path);
	}
}

void budget_settings_clear(struct budget_settings *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->rows[i].of);
	free(s->rows);
	zone_free(s->zone);
	*s = (struct budget_settings){0};
}

/* Returns how specifically the rule matches: 0 not at all, otherwise higher is closer. */
static int closeness(const struct budget_rule *row, const struct store_account *a, enum budget_role role)
{
	if (!row->named)
		return 1;
	for (size_t i = 0; i < row->of_count; i++)
		if (strcmp(row->of[i].channel, a->channel) == 0 && strcmp(row->of[i].chat, a->who) == 0)
			return 3;
	return row->roles[role] ? 2 : 0;
}

const struct budget_rule *budget_settings_find(const struct budget_settings *s, const struct store_account *a,
    enum budget_role role, enum store_window window)
{
	const struct budget_rule *best = NULL;
	int closest = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct budget_rule *row = &s->rows[i];
		int close =
		    row->scope == (int)a->scope && row->window == (int)window ? closeness(row, a, role) : 0;
		if (close > closest) {
			closest = close;
			best = row;
		}
	}
	return best;
}

bool budget_settings_have(const struct budget_settings *s, enum store_scope scope)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->rows[i].scope == (int)scope)
			return true;
	return false;
}
