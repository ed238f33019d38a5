#ifndef PLAYGROUND_CONTROL_GATEWAY_H
#define PLAYGROUND_CONTROL_GATEWAY_H
/* /control/gateway/...: rows as in struct control_verb. Fails with 409 without a gateway, or without a
 * supervisor. */
struct buf;
struct error;
struct json_object;
struct playground;
struct task;

int control_gateway_kill(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_gateway_model(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_gateway_restart(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_gateway_set_model(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
/* Called by the supervisor: {"state","pid"?,"exit"?,"held"?}. */
int control_gateway_state(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_gateway_status(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_gateway_trace(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);

#endif
