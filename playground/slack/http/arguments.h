#ifndef PLAYGROUND_SLACK_HTTP_ARGUMENTS_H
#define PLAYGROUND_SLACK_HTTP_ARGUMENTS_H
/* The arguments of a call: a query, a form, or JSON, as the Content-Type says
 * (docs.slack.dev/apis/web-api). */
struct slk_call;

/* Into call->params; sets call->json. -1 after slk_refuse. */
int slk_arguments_read(struct slk_call *call);

#endif
