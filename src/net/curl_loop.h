#ifndef NET_CURL_LOOP_H
#define NET_CURL_LOOP_H
/* A curl multi handle driven by the loop, with its own connections, name cache and sessions. Internal to
 * src/net. */
#include <curl/curl.h>

struct curl_loop;
/* A transfer has ended; the easy handle is still in the multi handle. Called by the loop: must not suspend
 * or remove the handle. */
typedef void curl_loop_ended_fn(CURL *easy, CURLcode result);

struct curl_loop *curl_loop_new(curl_loop_ended_fn *ended);
/* It must hold no transfer. Closes its connections. NULL is allowed. */
void curl_loop_free(struct curl_loop *l);
CURLM *curl_loop_multi(const struct curl_loop *l);
/* CURLOPT_CLOSESOCKETFUNCTION of every handle that is added. */
int curl_loop_close_socket(void *arg, curl_socket_t fd);
/* Appends a copy of the line. */
void curl_list_add(struct curl_slist **list, const char *line);

#endif
