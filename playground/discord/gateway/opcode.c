#include "playground/discord/gateway/gateway.h"

#include "base/time/clock_skip.h"

static void heartbeat(struct cord_socket *s, struct json_object *d)
{
	int64_t seq = json_object_get_int64(d);

	if (d && !json_object_is_type(d, json_type_int)) {
		cord_socket_close(s, CORD_CLOSE_DECODE);
		return;
	}
	if (s->session && seq > s->session->seq) {
		cord_socket_close(s, CORD_CLOSE_INVALID_SEQ);
		return;
	}
	s->heartbeats++;
	/* Twice the interval, to tolerate a late heartbeat. */
	s->due_ms = clock_machine() + (uint64_t)s->heartbeat_ms * 2;
	if (!s->no_acks)
		cord_socket_op(s, CORD_OP_ACK, "null");
}

/* Presences are not simulated. */
static void take_presence(struct cord_socket *s, struct json_object *d)
{
	if (!json_object_is_type(d, json_type_object) || !json_get_str(d, "status"))
		cord_socket_close(s, CORD_CLOSE_DECODE);
}

static const struct opcode {
	int64_t op;
	void (*run)(struct cord_socket *s, struct json_object *d);
	bool before; /* allowed without a session */
} opcodes[] = {
    {CORD_OP_HEARTBEAT, heartbeat, true},
    {CORD_OP_IDENTIFY, cord_identify, true},
    {CORD_OP_PRESENCE, take_presence, false},
    {CORD_OP_VOICE, cord_request_voice, false},
    {CORD_OP_RESUME, cord_resume, true},
    {CORD_OP_MEMBERS, cord_request_members, false},
    {CORD_OP_SOUNDS, cord_request_sounds, false},
};

void cord_opcode_run(struct cord_socket *s, int64_t op, struct json_object *d)
{
	const struct opcode *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(opcodes); i++)
		if (opcodes[i].op == op)
			found = &opcodes[i];
	if (!found)
		cord_socket_close(s, CORD_CLOSE_UNKNOWN_OP);
	else if (!s->session && !found->before)
		cord_socket_close(s, CORD_CLOSE_NOT_AUTHENTICATED);
	else
		found->run(s, d);
}
