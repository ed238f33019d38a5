#include "playground/control/report.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/spec/spec.h"

#define NEAR_PERCENT 80
#define GRACE_US     50000    /* clocks and timers are not exact */
#define TWICE_US     60000000 /* equal messages within this time are suspicious */
#define TOKEN_BYTES  65536    /* of a body that are searched */

enum {
	DEPRECATED,
	DOUBLE_SEND,
	IGNORED,
	MENTION,
	NEAR_LIMIT,
	NOT_SIMULATED,
	RATE_LIMITED,
	REFUSED,
	RETRY_AFTER,
	TOKEN,
	UNACKNOWLEDGED,
	UNANSWERED,
	UNCONFIRMED
};

const struct report_check report_checks[] = {
    [DEPRECATED] = {"deprecated", "nothing deprecated is used",
	"Use what the platform's documentation names instead: it may stop reading this."},
    [DOUBLE_SEND] = {"double_send", "no message is sent twice",
	"Repeat only what surely has not arrived; use a nonce where the platform has one, or look into the "
	"chat first."},
    [IGNORED] = {"ignored", "no parameter is ignored", "Leave it out, or correct its name or its type."},
    [MENTION] = {"mention", "no text mentions everybody",
	"Escape what people and models write, and on Discord send allowed_mentions with each message."},
    [NEAR_LIMIT] = {"near_limit", "rate limits are kept at a distance",
	"Send less at once: queue messages by chat and spread them."},
    [NOT_SIMULATED] = {"not_simulated", "the playground can judge it",
	"Test this against the real platform: the playground does not simulate it."},
    [RATE_LIMITED] = {"rate_limited", "no rate limit is exceeded",
	"Queue messages by chat and spread them, so that the platform need not refuse any."},
    [REFUSED] = {"refused", "no request is refused", "Correct the request as the text says."},
    [RETRY_AFTER] = {"retry_after", "a 429 is obeyed",
	"Wait for as long as the answer says before the next request of that kind: who goes on is blocked "
	"for longer."},
    [TOKEN] = {"token", "no secret is sent",
	"Take secrets out of texts before they are sent; revoke this one."},
    [UNACKNOWLEDGED] = {"unacknowledged", "each envelope is acknowledged",
	"Acknowledge at once, within three seconds, and work afterwards: Slack repeats what is not "
	"acknowledged, and shows people an error."},
    [UNANSWERED] = {"unanswered", "each interaction is answered",
	"Answer each interaction within three seconds, if only with a deferred answer: people see that it "
	"failed."},
    [UNCONFIRMED] = {"unconfirmed", "each update is confirmed",
	"Pass the newest update_id + 1 as offset with the next getUpdates: the same updates come again "
	"otherwise."},
    {NULL, NULL, NULL},
};

/* Secrets that are known by their looks: of the platforms, of models, of clouds. */
static const char secrets[] =
    "xox[a-z]-[0-9A-Za-z-]{6}|xapp-[0-9A-Za-z-]{6}|[0-9]{4,}:[A-Za-z0-9_-]{30}|"
    "[MNO][A-Za-z0-9_-]{3,}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27}|sk-[A-Za-z0-9_-]{20}|"
    "gh[opsu]_[A-Za-z0-9]{30}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|-----BEGIN [A-Z ]*PRIVATE KEY";

/* While the log of one platform is read. */
struct reading {
	struct report *report;
	const char *platform;
	const struct record_log *log;
	regex_t secret;
	uint64_t poll_caller; /* of the last getUpdates with updates, and its newest update */
	int64_t newest_update;
};

static const struct record *record_at(const struct record_log *log, size_t i)
{
	return &log->ring[(log->first + i) % RECORD_MAX];
}

static struct report_finding *find(struct report *r, const struct report_finding *like)
{
	for (size_t i = 0; i < r->count; i++) {
		struct report_finding *f = &r->findings[i];

		if (f->check == like->check && f->platform == like->platform && f->warning == like->warning &&
		    strcmp(f->method, like->method) == 0)
			return f;
	}
	return NULL;
}

static void add_one(struct reading *g, int check, bool warning, const char *method, uint64_t first,
    size_t count, const char *text)
{
	struct report_finding new = {
	    .check = &report_checks[check], .platform = g->platform, .warning = warning, .first = first};
	struct report_finding *f;

	str_copy(new.method, sizeof(new.method), method);
	str_copy(new.text, sizeof(new.text), text);
	f = find(g->report, &new);
	if (!f) {
		g->report->findings =
		    xrealloc(g->report->findings, (g->report->count + 1) * sizeof(*g->report->findings));
		f = &g->report->findings[g->report->count++];
		*f = new;
	}
	f->count += count;
}

static void add(struct reading *g, int check, bool warning, const struct record *r, const char *text)
{
	add_one(g, check, warning, r->method, r->n, 1, text);
}

static void judge_problems(struct reading *g, const struct record *r)
{
	char *text = xasprintf("[%s]", r->problems);
	struct json_object *all = json_parse(text, strlen(text), NULL);

	for (size_t i = 0; i < json_count(all); i++) {
		const char *problem = json_object_get_string(json_at(all, i));

		if (strstr(problem, "the playground"))
			add(g, NOT_SIMULATED, true, r, problem);
		else if (r->refused && i == 0)
			add(g, REFUSED, false, r, problem);
		else
			add(g,
			    strstr(problem, "deprecated")     ? DEPRECATED :
				strstr(problem, "rate limit") ? RATE_LIMITED :
								IGNORED,
			    true, r, problem);
	}
	if (r->refused && r->problems[0] == '\0')
		add(g, REFUSED, false, r, "it was not let in");
	json_object_put(all);
	free(text);
}

static void judge_names(struct reading *g, const struct record *r, struct json_object *body)
{
	const struct spec_record *method = spec_method(spec_of(g->platform), r->method);

	if (!method || !json_object_is_type(body, json_type_object))
		return;
	json_object_object_foreach(body, name, value) {
		const struct spec_member *m = spec_member(method, name);

		(void)value;
		if (m && (m->flags & SPEC_LEGACY))
			add(g, DEPRECATED, true, r, name);
	}
}

static bool begins_with_one(const char *text, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(text, list[i], strlen(list[i])) == 0)
			return true;
	return false;
}

static bool is_sent(const struct record *r)
{
	static const char *const senders[] = {"send", "copyMessage", "forwardMessage", "chat.postMessage",
	    "POST /channels/messages", "POST /webhooks"};

	return begins_with_one(r->method, senders, ARRAY_LEN(senders)) &&
	    strcmp(r->method, "sendChatAction") != 0 && !strstr(r->method, "Draft") &&
	    strcmp(r->method, "POST /channels/messages/threads") != 0;
}

/* Returns the object that people see of a request that sends, changes or answers; NULL: none. */
static struct json_object *shown(const struct record *r, struct json_object *body)
{
	static const char *const others[] = {"PATCH /channels/messages", "PATCH /webhooks",
	    "POST /channels/threads", "POST /interactions/callback", "chat.appendStream", "chat.meMessage",
	    "chat.postEphemeral", "chat.scheduleMessage", "chat.startStream", "chat.stopStream",
	    "chat.update", "files.completeUploadExternal"};
	static const char *const inside[] = {"data", "message"};

	if (!is_sent(r) && !begins_with_one(r->method, others, ARRAY_LEN(others)))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(inside); i++)
		if (json_get_object(body, inside[i]))
			return json_get_object(body, inside[i]);
	return body;
}

static const char *mention_in(const char *const *words, const char *text)
{
	for (; text && *words; words++)
		if (strstr(text, *words))
			return *words;
	return NULL;
}

/* The mention in blocks or components; NULL: there is none. Slack: block-kit/composition-objects/text-object,
 * block-kit/block-elements/broadcast-element; Discord: components/reference, Text Display. Undocumented: that
 * Slack's attachments and Discord's embeds ping nobody, as bots have observed; that Slack reads mentions in
 * Markdown, a choice. */
static const char *mention_inside(const char *const *words, struct json_object *o)
{
	static const struct {
		const char *type, *text; /* text NULL: it is a mention itself */
	} parts[] = {{"10", "content"}, {"broadcast", NULL}, {"markdown", "text"}, {"markdown_text", "text"},
	    {"mrkdwn", "text"}, {"usergroup", NULL}};
	static const char *const inside[] = {"body", "child_blocks", "components", "elements", "fields",
	    "rich_text_title", "rows", "subtitle", "text", "title"};
	const char *type = json_object_get_string(json_get(o, "type")), *found = NULL;

	for (size_t i = 0; type && i < ARRAY_LEN(parts); i++)
		if (strcmp(type, parts[i].type) == 0)
			return parts[i].text ? mention_in(words, json_get_str(o, parts[i].text)) : type;
	for (size_t i = 0; json_object_is_type(o, json_type_array) && !found && i < json_count(o); i++)
		found = mention_inside(words, json_at(o, i));
	for (size_t i = 0; o && !found && i < ARRAY_LEN(inside); i++)
		found = mention_inside(words, json_get(o, inside[i]));
	return found;
}

/* On Discord changes ping nobody, and answers to interactions and webhooks none but users by themselves
 * (resources/message, Allowed Mentions Object). */
static void judge_mention(struct reading *g, const struct record *r, struct json_object *body)
{
	static const char *const discord[] = {"@everyone", "@here", "<@&", NULL},
				 *const slack[] = {"<!channel", "<!here", "<!everyone", "<!subteam^", NULL};
	static const char *const texts[] = {"content", "initial_comment", "markdown_text", "text"},
				 *const parts[] = {"blocks", "chunks", "components"};
	const char *const *words = strcmp(g->platform, "slack") == 0 ? slack : discord;
	struct json_object *o = shown(r, body);
	const char *found = NULL;

	if (strcmp(g->platform, "telegram") == 0 || json_get(o, "allowed_mentions"))
		return;
	for (size_t i = 0; !found && i < ARRAY_LEN(texts); i++)
		found = mention_in(words, json_get_str(o, texts[i]));
	for (size_t i = 0; !found && i < ARRAY_LEN(parts); i++) {
		const char *form = json_get_str(o, parts[i]);
		struct json_object *part =
		    form ? json_parse(form, strlen(form), NULL) : json_object_get(json_get(o, parts[i]));

		found = mention_inside(words, part);
		json_object_put(part);
	}
	if (found)
		add(g, MENTION, strncmp(r->method, "POST /channels", 14) != 0, r, found);
}

static void judge_secret(struct reading *g, const struct record *r)
{
	/* These two are meant to hold a token. */
	if (strlen(r->body) <= TOKEN_BYTES && strcmp(r->method, "setWebhook") != 0 &&
	    strncmp(r->method, "gateway", 7) != 0 && regexec(&g->secret, r->body, 0, NULL, 0) == 0)
		add(g, TOKEN, false, r, "something in the request has the form of a token or key");
}

static bool is_taken(const struct record *r)
{
	return r->status == 200 && !r->refused &&
	    (!r->answer || strncmp(r->answer, "{\"ok\":false", 11) != 0);
}

/* Was this message sent before, without an action of a person in between? It is surely a mistake if the first
 * answer was lost, or if at most one act of a person led to both. */
static void judge_repeat(struct reading *g, size_t i, struct json_object *body)
{
	const struct record *r = record_at(g->log, i), *first = NULL;
	uint64_t before = 0;
	bool lost;

	if (!is_sent(r) || !is_taken(r) || json_get_bool(body, "enforce_nonce", false))
		return;
	for (size_t k = i; k-- > 0;) {
		const struct record *old = record_at(g->log, k);

		if (old->caller != r->caller || strcmp(old->method, r->method) != 0 || !is_taken(old))
			continue;
		if (first) {
			before = old->person_actions;
			break;
		}
		if (old->person_actions != r->person_actions || old->time_us + TWICE_US < r->began_us)
			return;
		if (strcmp(old->body, r->body) == 0)
			first = old;
	}
	if (!first)
		return;
	lost = first->fault != NULL;
	add(g, DOUBLE_SEND, !lost && r->person_actions - before > 1, r,
	    lost ? "the same again, after the answer to the first was lost" :
		   "the same again, and nobody wrote in between");
}

static int64_t wait_us(const struct record *r)
{
	struct json_object *o = r->answer ? json_parse_object(r->answer, strlen(r->answer), NULL) : NULL;
	struct json_object *parameters = json_get_object(o, "parameters");
	double seconds = json_get_double(parameters ? parameters : o, "retry_after", r->retry_s);

	json_object_put(o);
	return (int64_t)(seconds * 1e6);
}

static bool has_same_chat(struct json_object *a, struct json_object *b)
{
	static const char *const names[] = {"chat_id", "channel"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (json_get(a, names[i]) && !json_object_equal(json_get(a, names[i]), json_get(b, names[i])))
			return false;
	return true;
}

/* Discord: topics/rate-limits. A global limit is for all that a token does, but interactions and webhooks. */
static bool is_global(const struct record *r)
{
	struct json_object *o = r->answer ? json_parse_object(r->answer, strlen(r->answer), NULL) : NULL;
	bool global = json_get_bool(o, "global", false);

	json_object_put(o);
	return global;
}

static bool is_bound(const struct record *r)
{
	return !strstr(r->method, " /interactions") && !strstr(r->method, " /webhooks");
}

static void judge_limit(struct reading *g, size_t i, struct json_object *body)
{
	const struct record *r = record_at(g->log, i);
	int64_t until = r->status == 429 ? r->time_us + wait_us(r) - GRACE_US : 0;
	bool global = r->status == 429 && r->token != 0 && is_global(r);

	if (r->status == 429 && !r->fault)
		add(g, RATE_LIMITED, true, r, "answered with 429");
	else if (r->limit_used >= NEAR_PERCENT)
		add(g, NEAR_LIMIT, true, r, "at least 80 % of a limit were used up");
	for (size_t k = i + 1; until != 0 && k < g->log->count; k++) {
		const struct record *next = record_at(g->log, k);
		struct json_object *next_body;

		if (next->began_us <= r->time_us || next->began_us >= until ||
		    (global ? next->token != r->token || !is_bound(next) :
			      next->caller != r->caller || strcmp(next->method, r->method) != 0))
			continue;
		next_body = json_parse(next->body, strlen(next->body), NULL);
		if (global || has_same_chat(body, next_body))
			add(g, RETRY_AFTER, false, next,
			    "sent before the time that a 429 had named was over");
		json_object_put(next_body);
	}
}

static void judge_poll(struct reading *g, const struct record *r)
{
	struct json_object *o, *updates;
	size_t count;

	if (strcmp(r->method, "getUpdates") != 0 || !r->answer || r->fault)
		return;
	o = json_parse_object(r->answer, strlen(r->answer), NULL);
	updates = json_get_array(o, "result");
	count = json_count(updates);
	if (count > 0 && g->poll_caller == r->caller &&
	    json_get_int(json_at(updates, 0), "update_id", 0) <= g->newest_update)
		add(g, UNCONFIRMED, true, r, "it brought updates that had been delivered before");
	if (count > 0) {
		g->poll_caller = r->caller;
		g->newest_update = json_get_int(json_at(updates, count - 1), "update_id", 0);
	}
	json_object_put(o);
}

static void on_unanswered(void *arg, const char *method, size_t count)
{
	struct reading *g = arg;
	bool slack = strcmp(g->platform, "slack") == 0;

	if (count > 0)
		add_one(g, slack ? UNACKNOWLEDGED : UNANSWERED, false, method, 0, count,
		    slack ? "not acknowledged within three seconds" : "not answered within three seconds");
}

static void read_log(struct reading *g, const struct platform_instance *s)
{
	g->platform = s->platform->name;
	g->log = &s->log;
	for (size_t i = 0; i < s->log.count; i++) {
		const struct record *r = record_at(&s->log, i);
		struct json_object *body = json_parse(r->body, strlen(r->body), NULL);

		if (!r->fault)
			judge_problems(g, r);
		judge_names(g, r, body);
		judge_mention(g, r, body);
		judge_secret(g, r);
		judge_repeat(g, i, body);
		judge_limit(g, i, body);
		judge_poll(g, r);
		json_object_put(body);
	}
	s->platform->unanswered(s->self, on_unanswered, g);
}

static int compare(const void *a, const void *b)
{
	const struct report_finding *x = a, *y = b;

	if (x->warning != y->warning)
		return x->warning ? 1 : -1;
	return strcmp(x->platform, y->platform) != 0 ? strcmp(x->platform, y->platform) :
	    x->check != y->check                     ? (x->check < y->check ? -1 : 1) :
						       strcmp(x->method, y->method);
}

void report_make(struct playground *pg, struct report *r)
{
	struct reading g = {.report = r};

	*r = (struct report){0};
	if (regcomp(&g.secret, secrets, REG_EXTENDED | REG_NOSUB) != 0)
		abort(); /* it is a constant */
	for (const struct platform_instance *s = pg->platform_instances; s->platform; s++)
		read_log(&g, s);
	regfree(&g.secret);
	if (r->count > 0)
		qsort(r->findings, r->count, sizeof(*r->findings), compare);
}

void report_clear(struct report *r)
{
	free(r->findings);
	*r = (struct report){0};
}

size_t report_count(const struct report *r, bool warnings)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++)
		n += r->findings[i].warning == warnings;
	return n;
}
