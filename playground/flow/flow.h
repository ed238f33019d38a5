#ifndef PLAYGROUND_FLOW_FLOW_H
#define PLAYGROUND_FLOW_FLOW_H
/* Flow files: actions of people, expected messages of the bot, and faults, one step per line
 * (docs/playground-testing.md). */
struct buf;
struct flow;
struct playground;
struct task;

/* Reads a file. Blocks. Returns NULL after reporting each mistake on stderr as FILE:LINE: sentence. */
struct flow *flow_read(const char *path);
void flow_free(struct flow *f);

/* Runs the flow against pg, which listens at url, and ends the bot that it started. May suspend. Appends a
 * test suite of JUnit XML in which each step is a test case. Returns 0 when every step succeeded; else -1,
 * with the failure on stderr. */
int flow_play(
    struct task *t, const struct flow *f, struct playground *pg, const char *url, struct buf *suite);

#endif
