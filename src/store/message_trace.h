#ifndef STORE_MESSAGE_TRACE_H
#define STORE_MESSAGE_TRACE_H
/* The history of one message across the tables, collected in slices, so that other jobs wait briefly. */
struct db;
struct error;
struct json_object;
struct trace;

/* what: as in store_trace. */
struct trace *message_trace_new(const char *what);
void message_trace_free(struct trace *tr);
/* Returns 1 when there is more to read, 0 when done, -1 on an error. */
int message_trace_slice(struct trace *tr, struct db *db, struct error *err);
/* After 0. The caller owns the result. NULL when there is no such message. */
struct json_object *message_trace_result(const struct trace *tr);

#endif
