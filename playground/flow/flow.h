#ifndef PLAYGROUND_FLOW_FLOW_H
#define PLAYGROUND_FLOW_FLOW_H
/* Flow files: what people do, what a bot must say, and what goes wrong, a step a line
 * (docs/playground.md). */
struct flow;
struct playground;
struct task;

/* Reads a whole file. NULL when something in it is wrong: each mistake is on stderr then, as FILE:LINE:
 * sentence. Blocks. */
struct flow *flow_read(const char *path);
void flow_free(struct flow *f);

/* Plays it against pg, which listens at url, and ends the bot that it has started. 0: every step went as it
 * should; else -1, what did not is on stderr. May suspend. */
int flow_play(struct task *t, const struct flow *f, struct playground *pg, const char *url);

#endif
