#ifndef PLAYGROUND_FLOW_VERBS_H
#define PLAYGROUND_FLOW_VERBS_H
/* The steps of a flow as in struct flow_verb; docs/playground-testing.md describes them. All but the last two
 * may suspend. */
struct error;
struct flow_run;
struct flow_step;
struct task;

/* Actions of people (people.c). */
int flow_command(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_press(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_react(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_ready(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_say(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);

/* Expectations (expect.c). */
int flow_expect(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_shows(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_silence(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_clean(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
int flow_accepted(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);

#endif
