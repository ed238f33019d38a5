#ifndef NET_CURL_LOOP_H
#define NET_CURL_LOOP_H
/* A multi handle of curl that the loop drives. Its connections, names and sessions are its own. Private to
 * net. */
#include <curl/curl.h>

struct curl_loop;
/* A transfer has ended; the easy handle is still in the multi handle. Called by the loop: must not suspend,
 * nor remove it. */
typedef void curl_loop_ended_fn(CURL *easy, CURLcode result);

struct curl_loop *curl_loop_new(curl_loop_ended_fn *ended);
/* No transfer may be in it. Closes its connections. NULL is fine. */
void curl_loop_free(struct curl_loop *l);
CURLM *curl_loop_multi(const struct curl_loop *l);

#endif
