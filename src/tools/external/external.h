#ifndef TOOLS_EXTERNAL_EXTERNAL_H
#define TOOLS_EXTERNAL_EXTERNAL_H
/*
 * Tools that are programs in a folder (tools.external; docs/external-tools.md). Each program is asked
 * for its schema once with --schema, and again when its file changes. A program that belongs to someone
 * else, can be written by others, or answers badly is quarantined with the reason. Programs always run
 * in the sandbox.
 */
struct external;
struct task;
struct tool_sources;
struct tools;

struct external *external_new(struct tool_sources *all);
/* No refresh may be running. NULL is allowed. */
void external_free(struct external *e);
/* Scans the tools' folder and asks new programs for their schema; concurrent callers wait for the result.
 * Returns early when t is cancelled; the next caller continues. */
void external_refresh(struct task *t, struct external *e, const struct tools *ts);

#endif
