#ifndef STORE_MESSAGE_TRACE_H
#define STORE_MESSAGE_TRACE_H
/* The way of one message through the tables, in slices, so that nobody waits long for the one who asks. */
struct db;
struct error;
struct json_object;
struct trace;

/* As store_trace says. */
struct trace *message_trace_new(const char *what);
void message_trace_free(struct trace *tr);
/* 1: there is more to look at. 0: done. */
int message_trace_slice(struct trace *tr, struct db *db, struct error *err);
/* After 0; the caller's. NULL: there is no such message. */
struct json_object *message_trace_result(const struct trace *tr);

#endif
