#ifndef PLAYGROUND_CONTROL_GATEWAY_H
#define PLAYGROUND_CONTROL_GATEWAY_H
/* /control/gateway/…: see struct control_verb. 409 where the playground knows no gateway, or no supervisor of
 * it. */
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
/* From the supervisor: {"state","pid"?,"exit"?,"held"?}. */
int control_gateway_state(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_gateway_status(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_gateway_trace(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);

#endif
