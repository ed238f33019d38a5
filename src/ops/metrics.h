#ifndef OPS_METRICS_H
#define OPS_METRICS_H
/* The gateway's metrics in Prometheus' text format 0.0.4. */
struct buf;
struct health_view;
struct json_object;

/* status: from status_collect. */
void metrics_write(struct buf *out, struct json_object *status, const struct health_view *view);

#endif
