#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/telegram/methods/compose.h"

/* Messages that are one object: a location, a venue, a contact, a dice. */

#define LIVE_FOREVER 0x7FFFFFFF

int location_write(struct json_object *in, struct buf *out)
{
	double latitude = json_get_double(in, "latitude", NAN),
	       longitude = json_get_double(in, "longitude", NAN),
	       accuracy = json_get_double(in, "horizontal_accuracy", 0);

	if (!(fabs(latitude) <= 90 && fabs(longitude) <= 180))
		return -1;
	buf_addf(out, "{\"latitude\":%.6f,\"longitude\":%.6f", latitude, longitude);
	if (accuracy > 0 && accuracy <= 1500)
		buf_addf(out, ",\"horizontal_accuracy\":%.1f", accuracy);
	buf_addch(out, '}');
	return 0;
}

/* Returns the Location of the parameters, new; NULL after call_refuse. */
static struct json_object *read_location(struct call *call)
{
	struct buf text = BUF_INIT;
	struct json_object *o = NULL;

	if (location_write(call->params, &text) == 0)
		o = json_parse_object(text.data, text.len, NULL);
	else
		call_refuse(call, "invalid location specified");
	buf_clear(&text);
	return o;
}

static void take_number(struct call *call, struct json_object *o, const char *name)
{
	int64_t n = json_get_int(call->params, name, 0);

	if (n > 0)
		json_set_int(o, name, n);
}

/* Adds what a live location has besides. */
static int read_live(struct call *call, struct json_object *o)
{
	int64_t period = json_get_int(call->params, "live_period", 0),
		heading = json_get_int(call->params, "heading", 0),
		radius = json_get_int(call->params, "proximity_alert_radius", 0);

	if (period != 0 && (period < 60 || period > 86400) && period != LIVE_FOREVER)
		return call_refuse(call, "wrong live location period specified");
	if (heading < 0 || heading > 360)
		return call_refuse(call, "wrong live location heading specified");
	if (radius < 0 || radius > 100000)
		return call_refuse(call, "wrong live location proximity alert radius specified");
	take_number(call, o, "live_period");
	if (json_get(o, "live_period")) {
		take_number(call, o, "heading");
		take_number(call, o, "proximity_alert_radius");
	}
	return 0;
}

/* Sends a message with that one object, which it takes; NULL after a refusal. */
static int send_part(struct call *call, const char *name, struct json_object *o, const char *what)
{
	struct message *m;

	if (!o)
		return -1;
	m = telegram_message_new();
	message_set_extra(m, name, o);
	return post_send(call, what, m);
}

int method_send_location(struct call *call)
{
	struct json_object *o = read_location(call);

	if (o && read_live(call, o) != 0) {
		json_object_put(o);
		return -1;
	}
	return send_part(call, "location", o, json_get(o, "live_period") ? "live locations" : "locations");
}

static void copy_texts(struct call *call, const char *const *names, struct json_object *o)
{
	for (; *names; names++) {
		const char *text = json_get_str(call->params, *names);

		if (text && text[0] != '\0')
			json_set_str(o, *names, text);
	}
}

int method_send_venue(struct call *call)
{
	static const char *const names[] = {"title", "address", "foursquare_id", "foursquare_type",
	    "google_place_id", "google_place_type", NULL};
	struct json_object *place = read_location(call), *o;
	struct message *m;

	if (!place)
		return -1;
	o = json_object_new_object();
	json_set(o, "location", place);
	copy_texts(call, names, o);
	m = telegram_message_new();
	message_set_extra(m, "venue", o);
	message_set_extra(m, "location", json_object_get(place)); /* for old clients */
	return post_send(call, "venues", m);
}

int method_send_contact(struct call *call)
{
	static const char *const names[] = {"phone_number", "first_name", "last_name", "vcard", NULL};
	struct json_object *o = json_object_new_object();

	copy_texts(call, names, o);
	return send_part(call, "contact", o, "contacts");
}

/* Bot API, Dice.value. */
int dice_sides(const char *emoji)
{
	static const struct {
		const char *emoji;
		int sides;
	} dice[] = {{"🎲", 6}, {"🎯", 6}, {"🏀", 5}, {"⚽", 5}, {"🎳", 6}, {"🎰", 64}};

	for (size_t i = 0; i < ARRAY_LEN(dice); i++)
		if (strncmp(dice[i].emoji, emoji, strlen(dice[i].emoji)) == 0)
			return dice[i].sides;
	return 0;
}

int method_send_dice(struct call *call)
{
	const char *emoji = json_get_str(call->params, "emoji");

	emoji = emoji && emoji[0] != '\0' ? emoji : "🎲";
	if (dice_sides(emoji) == 0)
		return call_refuse(call, "EMOTICON_INVALID");
	return send_part(call, "dice",
	    json_newf("{emoji: %s, value: %jd}", emoji,
		1 + (int64_t)clock_random_below((uint64_t)dice_sides(emoji))),
	    "dice");
}

/* A location is live from its message's date for its period. */
static struct json_object *open_live(struct call *call, struct edit *e)
{
	struct json_object *live;
	int64_t period;

	if (edit_open(call, e) != 0)
		return NULL;
	live = json_get_object(e->message->extra, "location");
	period = json_get_int(live, "live_period", 0);
	if (!live)
		edit_fail(call, e, "there is no live location in the message to edit");
	else if (period == 0 || (period != LIVE_FOREVER && e->message->date + period < clock_wall() / 1000))
		edit_fail(call, e, "message can't be edited");
	else
		return live;
	return NULL;
}

int method_edit_message_live_location(struct call *call)
{
	struct json_object *o = read_location(call), *was;
	struct edit e;

	if (!o || read_live(call, o) != 0 || !(was = open_live(call, &e))) {
		json_object_put(o);
		return -1;
	}
	if (!json_get(o, "live_period")) {
		json_set_int(o, "live_period", json_get_int(was, "live_period", 0));
		take_number(call, o, "heading");
		take_number(call, o, "proximity_alert_radius");
	}
	if (edit_check(call, &e, !json_object_equal(o, was)) != 0) {
		json_object_put(o);
		return -1;
	}
	message_set_extra(e.message, "location", o);
	edit_close(call, &e);
	return 0;
}

int method_stop_message_live_location(struct call *call)
{
	static const char *const gone[] = {"live_period", "heading", "proximity_alert_radius"};
	struct json_object *live;
	struct edit e;

	live = open_live(call, &e);
	if (!live || edit_check(call, &e, true) != 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(gone); i++)
		json_object_object_del(live, gone[i]);
	edit_close(call, &e);
	return 0;
}
