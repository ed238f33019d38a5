#include "session/commands/budget_parse.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/money.h"
#include "session/commands/command.h"

#define WORD_MAX 127
/* Maximum of tokens, turns and calls. */
#define COUNT_MAX INT64_C(1000000000000)

enum meaning { SCOPE, PERSON, ANSWERED, ACTION, NO_LIMIT, MEASURE, WINDOW, NOTHING };

static const struct {
	const char *word;
	enum meaning meaning;
	int value;
} words[] = {
    {"chat", SCOPE, STORE_CHAT},
    {"here", SCOPE, STORE_CHAT},
    {"me", SCOPE, STORE_PERSON},
    {"total", SCOPE, STORE_ALL},
    {"everybody", SCOPE, STORE_ALL},
    {"everyone", SCOPE, STORE_ALL},
    {"person", PERSON, 0},
    {"user", PERSON, 0},
    {BUDGET_THEM, ANSWERED, 0},
    {"lift", ACTION, BUDGET_LIFT},
    {"default", ACTION, BUDGET_RESTORE},
    {"reset", ACTION, BUDGET_RESTORE},
    {"restore", ACTION, BUDGET_RESTORE},
    {"no", NO_LIMIT, 0},
    {"none", NO_LIMIT, 0},
    {"unlimited", NO_LIMIT, 0},
    {"token", MEASURE, STORE_TOKENS},
    {"tokens", MEASURE, STORE_TOKENS},
    {"turn", MEASURE, STORE_TURNS},
    {"turns", MEASURE, STORE_TURNS},
    {"answer", MEASURE, STORE_TURNS},
    {"answers", MEASURE, STORE_TURNS},
    {"call", MEASURE, STORE_CALLS},
    {"calls", MEASURE, STORE_CALLS},
    {"request", MEASURE, STORE_CALLS},
    {"requests", MEASURE, STORE_CALLS},
    {"money", MEASURE, STORE_MONEY},
    {"day", WINDOW, STORE_DAY},
    {"daily", WINDOW, STORE_DAY},
    {"today", WINDOW, STORE_DAY},
    {"month", WINDOW, STORE_MONTH},
    {"monthly", WINDOW, STORE_MONTH},
    {"ever", WINDOW, STORE_EVER},
    {"altogether", WINDOW, STORE_EVER},
    {"a", NOTHING, 0},
    {"an", NOTHING, 0},
    {"per", NOTHING, 0},
    {"the", NOTHING, 0},
    {"each", NOTHING, 0},
    {"every", NOTHING, 0},
    {"in", NOTHING, 0},
    {"for", NOTHING, 0},
    {"of", NOTHING, 0},
    {"to", NOTHING, 0},
    {"this", NOTHING, 0},
    {"set", NOTHING, 0},
    {"limit", NOTHING, 0},
    {"budget", NOTHING, 0},
    {"model", NOTHING, 0},
};

struct reading {
	const char *currency;
	struct budget_request *request;
	struct buf *why;
	bool scope, person_next, action, amount, measure, window, no_limit;
	int64_t millionths; /* the amount */
};

static bool wrong(struct reading *r, const char *fmt, const char *word)
{
	buf_addf(r->why, fmt, word);
	return false;
}

/* The first "all" is the scope; after a scope or an amount it is the window "in all". */
static bool take_all(struct reading *r)
{
	bool as_window = r->scope || r->amount || r->no_limit;

	if (as_window)
		r->request->window = STORE_EVER;
	else
		r->request->scope = STORE_ALL;
	*(as_window ? &r->window : &r->scope) = true;
	return true;
}

static bool take_known(struct reading *r, size_t i)
{
	int value = words[i].value;
	bool *seen[] = {[SCOPE] = &r->scope,
	    [PERSON] = &r->scope,
	    [ANSWERED] = &r->scope,
	    [ACTION] = &r->action,
	    [NO_LIMIT] = &r->no_limit,
	    [MEASURE] = &r->measure,
	    [WINDOW] = &r->window};

	if (words[i].meaning == NOTHING)
		return true;
	if (*seen[words[i].meaning])
		return wrong(r, "\"%.40s\" says a second time what was said already.", words[i].word);
	*seen[words[i].meaning] = true;
	switch (words[i].meaning) {
	case SCOPE:
		r->request->scope = (enum store_scope)value;
		break;
	case ACTION:
		r->request->action = (enum budget_action)value;
		break;
	case MEASURE:
		r->request->measure = (enum store_measure)value;
		break;
	case WINDOW:
		r->request->window = (enum store_window)value;
		break;
	case PERSON:
		r->request->scope = STORE_PERSON;
		r->person_next = true;
		break;
	case ANSWERED:
		r->request->scope = STORE_PERSON;
		str_copy(r->request->whom, sizeof(r->request->whom), BUDGET_THEM);
		break;
	default:
		break;
	}
	return true;
}

/* "500,000", "1.5k", "2m". */
static bool take_number(struct reading *r, const char *word)
{
	char digits[WORD_MAX + 1];
	size_t n = 0;
	int64_t factor = 1;

	for (const char *c = word; *c; c++)
		if (*c != ',')
			digits[n++] = *c;
	digits[n] = '\0';
	if (n > 1 && strchr("kKmM", digits[n - 1]))
		factor = strchr("kK", digits[--n]) ? 1000 : 1000000;
	if (!money_parse(digits, n, &r->millionths) || r->millionths > MONEY_MAX / factor)
		return wrong(r, "\"%.40s\" is no amount. Write it as 500000, 500k, 1.5m or 2.50.", word);
	if (r->amount)
		return wrong(r, "\"%.40s\" is a second amount. One at a time.", word);
	r->millionths *= factor;
	return r->amount = true;
}

static bool take_chat(struct reading *r, const char *word)
{
	if (*r->request->whom || (r->scope && r->request->scope != STORE_CHAT))
		return wrong(r, "\"%.40s\" says a second time what was said already.", word);
	str_copy(r->request->whom, sizeof(r->request->whom), word);
	return r->scope = true;
}

/* "@Ann" alone is "person @Ann". */
static bool take_mention(struct reading *r, const char *word)
{
	if (r->scope)
		return wrong(r, "\"%.40s\" says a second time what was said already.", word);
	r->request->scope = STORE_PERSON;
	str_copy(r->request->whom, sizeof(r->request->whom), word);
	return r->scope = true;
}

static bool take(struct reading *r, const char *word)
{
	if (r->person_next) {
		str_copy(r->request->whom, sizeof(r->request->whom), word);
		r->person_next = false;
		return true;
	}
	if (strncmp(word, "<@", 2) == 0)
		return take_mention(r, word);
	if (strchr(word, ':'))
		return take_chat(r, word);
	if (strcasecmp(word, "all") == 0)
		return take_all(r);
	if (strcasecmp(word, r->currency) == 0) {
		r->request->measure = STORE_MONEY;
		return r->measure = true;
	}
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcasecmp(words[i].word, word) == 0)
			return take_known(r, i);
	if (isdigit((unsigned char)*word) || *word == '.')
		return take_number(r, word);
	return wrong(r, "I do not understand \"%.40s\".", word);
}

static bool finish(struct reading *r)
{
	struct budget_request *w = r->request;

	if (r->person_next)
		return wrong(r, "Who is meant? Write %s.", "person and an id, as in person 78, or a mention");
	if (r->action)
		return !r->amount && !r->no_limit && !r->measure ?
		    true :
		    wrong(r, "An amount cannot be combined with %s.",
			w->action == BUDGET_LIFT ? "lift" : "default");
	if (!r->amount && !r->no_limit)
		return wrong(r, "How much? Write an amount, as in %s.", "chat 500k tokens a day");
	if (r->amount && r->no_limit)
		return wrong(r, "An amount cannot be combined with %s.", "no limit");
	if (!r->measure)
		return wrong(r, "Of what? Write tokens, turns, calls or %s after the amount.", r->currency);
	if (r->no_limit)
		w->most = STORE_NO_LIMIT;
	else if (w->measure == STORE_MONEY)
		w->most = r->millionths;
	else if (r->millionths % MONEY_UNIT != 0 || r->millionths / MONEY_UNIT > COUNT_MAX)
		return wrong(r, "That is no number of %s.", w->measure == STORE_TOKENS ? "tokens" : "times");
	else
		w->most = r->millionths / MONEY_UNIT;
	return true;
}

bool budget_parse(const char *text, const char *currency, struct budget_request *out, struct buf *why)
{
	struct reading r = {.currency = currency, .request = out, .why = why};
	char word[WORD_MAX + 1];

	*out = (struct budget_request){.action = BUDGET_SET, .scope = STORE_CHAT, .window = STORE_DAY};
	while (*(text += strspn(text, " \t\r\n/=;")) != '\0') {
		size_t whole = arguments_word(text);
		/* An address may contain a slash. */
		bool id = r.person_next || memchr(text, ':', whole) || strncmp(text, "<@", 2) == 0;
		size_t len = id ? whole : strcspn(text, " \t\r\n/=;");
		if (len > WORD_MAX)
			return wrong(&r, "One of the words is too long.%s", "");
		memcpy(word, text, len);
		word[len] = '\0';
		if (!take(&r, word))
			return false;
		text += len;
	}
	return finish(&r);
}
