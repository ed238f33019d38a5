#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

/* Answers with a message; loading: what people see until it arrives. */
static int answer_message(
    struct cord_call *call, struct cord_interaction *i, struct json_object *data, bool loading)
{
	struct cord_message *m = cord_webhook_message(i);

	i->ephemeral = (json_get_int(data, "flags", 0) & CORD_FLAG_EPHEMERAL) != 0;
	if (i->ephemeral)
		m->visible_to = i->user->id;
	if (loading) {
		m->flags = (json_get_int(data, "flags", 0) & CORD_FLAG_EPHEMERAL) | CORD_FLAG_LOADING;
	} else if (cord_compose(call, data, m, CORD_WEBHOOK_FLAGS | CORD_FLAG_EPHEMERAL) != 0) {
		cord_message_free(m);
		return -1;
	}
	cord_channel_add(i->channel, m);
	cord_event_message(m, "MESSAGE_CREATE");
	i->original = m;
	return 0;
}

static int run_message(struct cord_call *call, struct cord_interaction *i, struct json_object *data)
{
	return answer_message(call, i, data, false);
}

static int run_deferred_message(struct cord_call *call, struct cord_interaction *i, struct json_object *data)
{
	return answer_message(call, i, data, true);
}

/* The message with the component becomes the original. */
static int run_deferred_update(struct cord_call *call, struct cord_interaction *i, struct json_object *data)
{
	(void)call;
	(void)data;
	i->original = i->source;
	return 0;
}

static int run_update(struct cord_call *call, struct cord_interaction *i, struct json_object *data)
{
	if (cord_compose_edit(call, data, i->source) != 0)
		return -1;
	i->original = i->source;
	return 0;
}

static int run_autocomplete(struct cord_call *call, struct cord_interaction *i, struct json_object *data)
{
	(void)call;
	i->choices = json_object_get(json_get(data, "choices"));
	return 0;
}

/* The person fills it in; see POST /control/submit. */
static int run_modal(struct cord_call *call, struct cord_interaction *i, struct json_object *data)
{
	struct json_object *components = json_get_array(data, "components");

	cord_components_check(components, CORD_FLAG_COMPONENTS_V2, &call->errors);
	if (call->errors.tree)
		return cord_refuse(call);
	cord_components_finish(components);
	i->modal = json_object_get(data);
	cord_show_channel(i->channel);
	return 0;
}

/* Discord: interactions/receiving-and-responding, Interaction Callback Type. */
static const struct callback {
	enum cord_callback type;
	bool component_only, autocomplete;
	int (*run)(struct cord_call *call, struct cord_interaction *i, struct json_object *data);
} callbacks[] = {
    {CORD_CALLBACK_MESSAGE, false, false, run_message},
    {CORD_CALLBACK_DEFERRED_MESSAGE, false, false, run_deferred_message},
    {CORD_CALLBACK_DEFERRED_UPDATE, true, false, run_deferred_update},
    {CORD_CALLBACK_UPDATE, true, false, run_update},
    {CORD_CALLBACK_AUTOCOMPLETE, false, true, run_autocomplete},
    {CORD_CALLBACK_MODAL, false, false, run_modal},
};

static const struct callback *find_callback(int64_t type)
{
	for (size_t i = 0; i < ARRAY_LEN(callbacks); i++)
		if (callbacks[i].type == type)
			return &callbacks[i];
	return NULL;
}

/* The callback that the body asks for, if this interaction takes it; NULL after a failure. */
static const struct callback *read_callback(
    struct cord_call *call, const struct cord_interaction *i, struct json_object **data)
{
	const struct callback *c = find_callback(json_get_int(call->body, "type", 0));

	*data = json_get_object(call->body, "data");
	if (!*data) {
		*data = json_object_new_object();
		json_set(call->body, "data", *data);
	}
	if (c && (!c->component_only || i->source) &&
	    c->autocomplete == (i->type == CORD_INTERACTION_AUTOCOMPLETE) &&
	    (c->type != CORD_CALLBACK_MODAL || i->type != CORD_INTERACTION_MODAL))
		return c;
	cord_refuse_field(
	    call, "type", "BASE_TYPE_CHOICES", "Value must be one of those that this interaction takes.");
	return NULL;
}

/* InteractionCallbackResponse has a resource for answers that show a message, and for activities. */
static struct json_object *response_json(const struct cord_interaction *i)
{
	struct json_object *o = json_object_new_object(), *interaction = json_object_new_object();

	json_setf(interaction, "id: %p, type: %d", cord_id_or_null(i->id), i->type);
	if (i->original) {
		cord_set_id(interaction, "response_message_id", i->original->id);
		json_set_bool(
		    interaction, "response_message_loading", (i->original->flags & CORD_FLAG_LOADING) != 0);
		json_set_bool(interaction, "response_message_ephemeral", i->original->visible_to != 0);
	}
	json_set(o, "interaction", interaction);
	if (i->answered == CORD_CALLBACK_MESSAGE || i->answered == CORD_CALLBACK_UPDATE)
		json_set(o, "resource",
		    json_newf("{type: %d, message: %p}", i->answered, cord_message_json(i->original)));
	return o;
}

int cord_create_interaction_response(struct cord_call *call)
{
	struct cord_interaction *i = map_get(&call->world->interactions, (int64_t)call->ids[0], 0);
	const struct callback *c;
	struct json_object *data;

	if (!i || strcmp(i->token, call->args[1]) != 0)
		return cord_fail(call, "Unknown interaction");
	if (i->answered != CORD_CALLBACK_NONE)
		return cord_fail(call, "Interaction has already been acknowledged.");
	if (clock_now() > i->began_ms + CORD_INTERACTION_ANSWER_MS)
		return cord_fail(call, "Unknown interaction");
	call->bot = i->bot;
	c = read_callback(call, i, &data);
	if (!c || c->run(call, i, data) != 0)
		return -1;
	i->answered = c->type;
	cord_show_channel(i->channel);
	if (json_get_bool(call->query, "with_response", false))
		call->result = response_json(i);
	return 0;
}
