#include "channels/discord/interaction.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/discord/event.h"
#include "channels/discord/params.h"
#include "channels/discord/cache.h"
#include "channels/discord/api.h"
#include "channels/discord/split.h"
#include "channels/discord/discord_internal.h"

/* Interaction and callback types, message flags (API v10). */
#define COMMAND           2
#define COMPONENT         3
#define CALLBACK_DEFERRED 5
#define CALLBACK_UPDATE   6
#define FLAG_EPHEMERAL    64
/* Part of the three seconds; the rest is for the network. */
#define HOLD_MS 1500
/* How long a token is valid (API v10: 15 minutes). */
#define TOKEN_MS (15 * 60 * 1000)
/* Maximum of open interactions; further ones get messages as answers. */
#define INTERACTIONS_MAX 256

struct interaction {
	struct list link;
	struct discord *d;
	char id[24];
	char *token;
	bool command;
	bool committed, held; /* held: its task waits for the commit */
	bool deferred;        /* Discord shows "thinking" */
	bool failed;          /* it can no longer be answered */
	bool answering;       /* a delivery has it */
	bool kept;            /* for a delivery that will be tried again */
	struct task *waiter;  /* the delivery, until it is deferred or has failed */
	struct task *task;    /* of its deferral and end; NULL once that has ended */
};

/* The answer to a press. */
struct reply {
	struct discord *d;
	char *id, *token, *text; /* id and token are one string */
};

static void interaction_free(struct interaction *i)
{
	list_remove(&i->link);
	i->d->interaction_count--;
	free(i->token);
	free(i);
}

/* A request whose path is its authorization. */
static int token_call(struct task *t, struct discord *d, const char *method, const char *route, char *path,
    struct json_object *params, struct discord_answer *a, struct error *err)
{
	struct discord_call call = {
	    .method = method, .route = route, .path = path, .params = params, .token = true};
	int rc = discord_api_call(t, d, &call, a, err);

	free(path);
	return rc;
}

static void defer(struct task *t, struct interaction *i)
{
	struct json_object *params = json_object_new_object();
	struct discord_answer a;
	struct error err = {0};

	json_set_int(params, "type", i->command ? CALLBACK_DEFERRED : CALLBACK_UPDATE);
	if (token_call(t, i->d, "POST", "/interactions/{}/{}/callback",
		xasprintf("/interactions/%s/%s/callback", i->id, i->token), params, &a, &err) == 0) {
		i->deferred = true;
	} else {
		i->failed = true;
		log_info(i->d->self.channel,
		    "an interaction was not acknowledged in time, and is answered as a message: %s",
		    err.text);
	}
	discord_api_clear(&a);
	if (i->waiter)
		task_wake(i->waiter);
}

/* Removes the "thinking" of a command without an answer, which would stay for good. Tries again, because
 * Discord limits bursts. */
static void take_back(struct task *t, struct interaction *i)
{
	struct backoff wait = {.base_ms = i->d->limits->retry_ms, .max_ms = i->d->limits->retry_max_ms};
	uint64_t until = clock_now() + TOKEN_MS;
	struct error err = {0};

	while (!i->d->refused) {
		struct discord_answer a;
		int rc = token_call(t, i->d, "DELETE", "/webhooks/{}/{}/messages/@original",
		    xasprintf("/webhooks/%" PRIu64 "/%s/messages/@original", i->d->self.app, i->token), NULL,
		    &a, &err);
		bool later = err.kind == ERROR_LIMITED || err.kind == ERROR_NETWORK;
		uint64_t ms = err.kind == ERROR_LIMITED ? err.retry_ms : backoff_next(&wait);

		discord_api_clear(&a);
		if (rc == 0 || discord_interaction_is_expired(&err))
			return;
		if (!later || clock_now() + ms > until) {
			log_warn(i->d->self.channel,
			    "an interaction without an answer was not taken back: %s", err.text);
			return;
		}
		if (task_sleep(t, ms, &err) < 0)
			return;
	}
}

static struct interaction *find_id(struct discord *d, const char *id)
{
	list_each(&d->interactions, it, tmp) {
		struct interaction *i = list_entry(it, struct interaction, link);
		if (strcmp(i->id, id) == 0)
			return i;
	}
	return NULL;
}

/* Waits for the commit, but not so long that Discord gives up: it sends an uncommitted event again. */
static void wait_committed(struct task *t, struct interaction *i)
{
	uint64_t due_ms = clock_now() + HOLD_MS;

	i->held = true;
	while (!i->committed && task_wait_until(t, due_ms, NULL) == 0)
		;
	i->held = false;
}

static void interaction_task(struct task *t, void *arg)
{
	struct interaction *i = arg;

	wait_committed(t, i);
	defer(t, i);
	if (i->command && i->deferred && task_sleep(t, i->d->limits->thinking_ms, NULL) == 0 &&
	    !i->answering && !i->kept && !i->failed) {
		i->failed = true;
		take_back(t, i);
	}
	i->task = NULL;
	if (!i->answering && !i->kept)
		interaction_free(i);
}

void discord_interaction_arrived(struct discord *d, struct json_object *interaction)
{
	const char *id = json_get_str(interaction, "id"), *token = json_get_str(interaction, "token");
	int64_t type = json_get_int(interaction, "type", 0);
	struct interaction *i;

	if ((type != COMMAND && type != COMPONENT) || d->interaction_count >= INTERACTIONS_MAX)
		return;
	if (discord_id_parse(id) == 0 || !token || strcspn(token, "/?# ") != strlen(token) || find_id(d, id))
		return;
	i = xcalloc(1, sizeof(*i));
	i->d = d;
	str_copy(i->id, sizeof(i->id), id);
	i->token = xstrdup(token);
	i->command = type == COMMAND;
	d->interaction_count++;
	list_append(&d->interactions, &i->link);
	i->task = task_start(&d->tasks, "discord.interaction", interaction_task, i);
}

void discord_interaction_begin(struct discord *d, struct json_object *interaction)
{
	const char *id = json_get_str(interaction, "id");
	struct interaction *i = id ? find_id(d, id) : NULL;

	if (!i)
		return;
	i->committed = true;
	if (i->held)
		task_wake(i->task);
}

static struct interaction *find(struct discord *d, const struct outbound *delivery)
{
	size_t mark = strlen(DISCORD_INTERACTION_MARK);

	if (!delivery->reply_to || strncmp(delivery->reply_to, DISCORD_INTERACTION_MARK, mark) != 0)
		return NULL;
	return find_id(d, delivery->reply_to + mark);
}

bool discord_interaction_takes(struct discord *d, const struct outbound *delivery)
{
	struct interaction *i = find(d, delivery);

	return i && i->command && !i->failed && !i->answering && !delivery->edit_of && !delivery->file;
}

bool discord_interaction_is_expired(const struct error *why)
{
	static const int codes[] = {404, 10008, 10015, 10062, 40060, 50027};

	for (size_t n = 0; n < ARRAY_LEN(codes); n++)
		if (why->kind == ERROR_REFUSED && why->code == codes[n])
			return true;
	return false;
}

/* Suspends until Discord has received the deferred response. */
static int wait_deferred(struct task *t, struct interaction *i, struct error *why)
{
	int rc = 0;

	i->waiter = t;
	while (rc == 0 && !i->deferred && !i->failed)
		rc = task_wait(t, why);
	i->waiter = NULL;
	if (rc == 0 && i->failed) {
		rc = error_set(why, ERROR_REFUSED, "the interaction can no longer be answered");
		why->code = 10062;
	}
	return rc;
}

int discord_interaction_send(
    struct task *t, struct discord *d, const struct outbound *delivery, char **id, struct error *why)
{
	struct json_object *params = json_object_new_object();
	struct interaction *i = find(d, delivery);
	struct discord_answer a = {.reply = NULL};
	int rc;

	i->answering = true;
	discord_params_text(
	    params, d->settings, delivery->text, delivery->repeat ? DISCORD_REPEAT_MARK : NULL);
	discord_params_buttons(params, delivery->buttons, false);
	rc = wait_deferred(t, i, why);
	if (rc == 0)
		/* The same edit again changes nothing, so this process can repeat one in doubt. */
		rc = token_call(t, d, "PATCH", "/webhooks/{}/{}/messages/@original",
		    xasprintf("/webhooks/%" PRIu64 "/%s/messages/@original", d->self.app, i->token), params,
		    &a, why);
	else
		json_object_put(params);
	*id = xstrdup(json_get_str(a.reply, "id"));
	if (rc == 0 && !*id)
		*id = xstrdup(delivery->reply_to);
	if (rc < 0)
		why->uncertain = false;
	discord_api_clear(&a);
	/* The next try finds it again; else it is over, and ends with its task. */
	i->answering = false;
	i->kept = rc < 0 && (why->kind == ERROR_NETWORK || why->kind == ERROR_LIMITED);
	i->failed = !i->kept;
	if (i->failed && !i->task)
		interaction_free(i);
	return rc;
}

void discord_interaction_clear(struct discord *d)
{
	list_each(&d->interactions, it, tmp)
		interaction_free(list_entry(it, struct interaction, link));
}

/* Waits for the acknowledgement, before which Discord knows no webhook of the interaction. Meanwhile the
 * interaction's own task may free it. */
static int wait_acknowledged(struct task *t, const struct reply *r, struct error *err)
{
	struct interaction *i;
	int rc = 0;

	while (rc == 0 && (i = find_id(r->d, r->id)) && !i->deferred && !i->failed) {
		i->waiter = t;
		rc = task_wait(t, err);
		i = find_id(r->d, r->id);
		if (i)
			i->waiter = NULL;
	}
	return rc;
}

static void reply_task(struct task *t, void *arg)
{
	struct reply *r = arg;
	struct json_object *params = json_object_new_object(), *mentions = json_object_new_object();
	struct discord_answer a = {.reply = NULL};
	struct error err = {0};

	json_set_str(params, "content", r->text);
	json_set_int(params, "flags", FLAG_EPHEMERAL);
	json_set(mentions, "parse", json_object_new_array());
	json_set(params, "allowed_mentions", mentions);
	if (wait_acknowledged(t, r, &err) < 0)
		json_object_put(params);
	else if (token_call(t, r->d, "POST", "/webhooks/{}/{}",
		     xasprintf("/webhooks/%" PRIu64 "/%s", r->d->self.app, r->token), params, &a, &err) < 0)
		log_debug(r->d->self.channel, "a button press was not answered: %s", err.text);
	discord_api_clear(&a);
	free(r->id);
	free(r->text);
	free(r);
}

void discord_interaction_answer_press(struct channel *ch, const struct message *m, const char *text)
{
	const char *colon = m->press_id ? strchr(m->press_id, ':') : NULL;
	struct discord *d = ch->state;
	struct reply *r;

	if (!colon || !text || d->refused)
		return;
	r = xcalloc(1, sizeof(*r));
	r->d = d;
	r->id = xstrdup(m->press_id);
	r->token = r->id + (colon - m->press_id);
	*r->token++ = '\0';
	r->text = xstrdup(text);
	task_start(&d->tasks, "discord.press", reply_task, r);
}
