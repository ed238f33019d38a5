#include <string.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/http/call.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/methods/compose.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/interaction.h"
#include "playground/discord/world/message.h"
#include "playground/discord/http/handlers.h"
#include "playground/discord/http/shapes.h"
#include "playground/discord/control/show.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/methods/webhook.h"
#include "playground/discord/world/world.h"
#include "playground/playground.h"

static const struct cord_field choice_fields[] = {
    {.name = "name", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 100},
    {.name = "name_localizations", .type = CORD_MAP},
    {.name = "value", .type = CORD_ANY, .flags = CORD_REQUIRED},
};

static const struct cord_shape choice =
    CORD_SHAPE("ApplicationCommandOptionStringChoice", choice_fields, NULL);

static const struct cord_field autocomplete_fields[] = {
    {.name = "choices", .type = CORD_LIST, .max = 25, .shape = &choice},
};

const struct cord_shape cord_shape_autocomplete =
    CORD_SHAPE("InteractionApplicationCommandAutocompleteCallbackStringData", autocomplete_fields, NULL);

static const struct cord_field modal_fields[] = {
    {.name = "components", .type = CORD_LIST, .flags = CORD_REQUIRED, .min = 1, .max = 40, .each = CORD_MAP},
    {.name = "custom_id", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 100},
    {.name = "title", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 45},
};

const struct cord_shape cord_shape_modal =
    CORD_SHAPE("ModalInteractionCallbackRequestData", modal_fields, NULL);

static const struct cord_field deferred_fields[] = {{.name = "flags", .type = CORD_INT, .max = INT64_MAX}};
static const struct cord_shape deferred = CORD_SHAPE(NULL, deferred_fields, NULL);

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

/* Modals are not filled in here. */
static int run_modal(struct cord_call *call, struct cord_interaction *i, struct json_object *data)
{
	(void)call;
	(void)i;
	(void)data;
	return 0;
}

/* Discord: interactions/receiving-and-responding, Interaction Callback Type. */
static const struct callback {
	enum cord_callback type;
	const struct cord_shape *data;
	bool component_only, autocomplete;
	int (*run)(struct cord_call *call, struct cord_interaction *i, struct json_object *data);
} callbacks[] = {
    {CORD_CALLBACK_MESSAGE, &cord_shape_callback_message, false, false, run_message},
    {CORD_CALLBACK_DEFERRED_MESSAGE, &deferred, false, false, run_deferred_message},
    {CORD_CALLBACK_DEFERRED_UPDATE, &deferred, true, false, run_deferred_update},
    {CORD_CALLBACK_UPDATE, &cord_shape_callback_edit, true, false, run_update},
    {CORD_CALLBACK_AUTOCOMPLETE, &cord_shape_autocomplete, false, true, run_autocomplete},
    {CORD_CALLBACK_MODAL, &cord_shape_modal, false, false, run_modal},
};

static const struct callback *find_callback(int64_t type)
{
	for (size_t i = 0; i < ARRAY_LEN(callbacks); i++)
		if (callbacks[i].type == type)
			return &callbacks[i];
	return NULL;
}

/* Reads "type", and "data" as the type requires; NULL after a failure. */
static const struct callback *read_callback(
    struct cord_call *call, const struct cord_interaction *i, struct json_object **data)
{
	static const struct cord_field fields[] = {
	    {.name = "data", .type = CORD_MAP},
	    {.name = "type", .type = CORD_INT, .flags = CORD_REQUIRED},
	};
	static const struct cord_shape shape = CORD_SHAPE(NULL, fields, NULL);
	const struct callback *c;

	cord_shape_check(&shape, call->body, &call->errors);
	c = find_callback(json_get_int(call->body, "type", 0));
	if (!call->errors.tree &&
	    (!c || (c->component_only && !i->source) ||
		c->autocomplete != (i->type == CORD_INTERACTION_AUTOCOMPLETE)))
		cord_errors_add(&call->errors, "type", "BASE_TYPE_CHOICES",
		    "Value must be one of those that this interaction takes.");
	*data = json_get_object(call->body, "data");
	if (!*data) {
		*data = json_object_new_object();
		json_set(call->body, "data", *data);
	}
	if (!call->errors.tree) {
		cord_errors_enter(&call->errors, "data");
		cord_shape_check(c->data, *data, &call->errors);
		cord_errors_leave(&call->errors);
	}
	if (!call->errors.tree)
		return c;
	cord_refuse(call);
	return NULL;
}

static struct json_object *response_json(const struct cord_interaction *i)
{
	struct json_object *o = json_object_new_object(), *interaction = json_object_new_object(), *resource;
	bool shows = i->answered == CORD_CALLBACK_MESSAGE || i->answered == CORD_CALLBACK_UPDATE;

	cord_set_id(interaction, "id", i->id);
	json_set_int(interaction, "type", i->type);
	if (i->original) {
		cord_set_id(interaction, "response_message_id", i->original->id);
		json_set_bool(
		    interaction, "response_message_loading", (i->original->flags & CORD_FLAG_LOADING) != 0);
		json_set_bool(interaction, "response_message_ephemeral", i->original->visible_to != 0);
	}
	json_set(o, "interaction", interaction);
	resource = json_object_new_object();
	json_set_int(resource, "type", i->answered);
	if (shows || (i->original && i->answered == CORD_CALLBACK_DEFERRED_MESSAGE))
		json_set(resource, "message", cord_message_json(i->original));
	json_set(o, "resource", resource);
	return o;
}

int cord_create_interaction_response(struct cord_call *call)
{
	struct cord_interaction *i = map_get(&call->world->interactions, (int64_t)call->ids[0], 0);
	const struct callback *c;
	struct json_object *data;

	if (!i || strcmp(i->token, call->args[1]) != 0)
		return cord_fail(call, CORD_UNKNOWN_INTERACTION);
	if (i->answered != CORD_CALLBACK_NONE)
		return cord_fail(call, CORD_ALREADY_ACKNOWLEDGED);
	if (clock_now() > i->began_ms + CORD_INTERACTION_ANSWER_MS)
		return cord_fail(call, CORD_UNKNOWN_INTERACTION);
	call->bot = i->bot;
	c = read_callback(call, i, &data);
	if (!c || c->run(call, i, data) != 0)
		return -1;
	i->answered = c->type;
	cord_show_channel(i->channel);
	playground_changed(call->world->pg);
	if (json_get_bool(call->query, "with_response", false))
		call->result = response_json(i);
	return 0;
}
