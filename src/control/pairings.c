#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "bus/bus.h"
#include "bus/channel.h"
#include "control/answer.h"
#include "control/control_internal.h"
#include "ops/gateway_view.h"
#include "session/access/pairing.h"
#include "store/grants.h"

/* Who decided, as /pair and /allow show it. */
#define OPERATOR "the operator"

static struct json_object *pairing_object(const struct store_pairing *p)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "code", p->code);
	json_set_str(o, "channel", p->where.channel);
	json_set_str(o, "id", p->person);
	json_set_str(o, "name", p->name ? p->name : "");
	json_set_int(o, "expires_ms", p->expires_ms);
	return o;
}

/* Returns the sessions, or NULL after answering that it is too early. */
static struct sessions *sessions_of(struct gateway *g, struct server_request *req)
{
	struct sessions *all = gateway_sessions(g);

	if (!all)
		control_refuse(req, 503, "The gateway is still starting.");
	return all;
}

void control_pairings(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct sessions *all = sessions_of(g, req);

	(void)t, (void)body;
	if (!all)
		return;
	struct json_object *o = json_object_new_object(), *open = json_object_new_array(),
			   *no_admin = json_object_new_array();
	pairing_watch(all);
	for (const struct store_pairing *p = NULL; (p = pairing_next(all, p));)
		json_object_array_add(open, pairing_object(p));
	for (struct channel *ch = NULL; (ch = bus_next_channel(gateway_bus(g), ch));)
		if (ch->unit == 0 && pairing_lacks_admin(all, ch->name))
			json_object_array_add(no_admin, json_object_new_string(ch->name));
	json_set(o, "pairings", open);
	json_set(o, "no_admin", no_admin);
	control_answer(req, 200, o);
}

void control_pairing_decide(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	const char *code = json_get_str(body, "code"), *name = json_get_str(body, "role");
	struct sessions *all = sessions_of(g, req);
	enum access_role role = ACCESS_NONE;
	struct buf text = BUF_INIT;

	if (!all)
		return;
	const struct store_pairing *p = code ? pairing_find(all, code) : NULL;
	if (!name || (strcmp(name, "none") != 0 && access_role_parse(name, &role) < 0)) {
		control_refuse(req, 400, "'role' is admin, user, guest or none");
	} else if (!p) {
		control_refuse(req, 404, "There is no such code, or its time is over.");
	} else {
		int rc = pairing_decide(t, all, p, role, OPERATOR, NULL, &text);
		if (rc < 0) {
			control_refuse(req, 503, "The gateway is stopping.");
		} else if (rc > 0) {
			control_refuse(req, 409, text.len > 0 ? text.data : "This code has expired.");
		} else {
			struct json_object *o = json_object_new_object();
			json_set_str(o, "text", text.data);
			control_answer(req, 200, o);
		}
	}
	buf_clear(&text);
}
