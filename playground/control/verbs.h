#ifndef PLAYGROUND_CONTROL_VERBS_H
#define PLAYGROUND_CONTROL_VERBS_H
/*
 * The paths below /control. A verb gets its parameters (body or query) and appends the JSON
 * answer to out; -1 with err otherwise, err->code being the HTTP status unless it is 0 (400).
 */
struct buf;
struct error;
struct json_object;
struct playground;
struct platform_instance;
struct task;

struct control_verb {
	const char *method, *name;
	/* May suspend. */
	int (*run)(struct task *t, struct playground *pg, struct json_object *in, struct buf *out,
	    struct error *err);
};

/* By name; a row of NULLs ends it. */
extern const struct control_verb control_verbs[];

/* The platform that in names; NULL with err set otherwise. */
struct platform_instance *control_platform(struct playground *pg, struct json_object *in, struct error *err);
void control_write_settings(struct playground *pg, struct buf *out);
/* Faults: setting one, all of them, clearing. */
int control_fault(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_faults(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_faults_clear(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
/* Waits until a transcript or the model's record is long enough. */
int control_wait(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);

#endif
