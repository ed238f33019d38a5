#ifndef CHANNELS_SHARED_BASE_URL_H
#define CHANNELS_SHARED_BASE_URL_H
/* Handles the base URL of a platform's API (setting api_base). */

/* Copies the URL without trailing slashes. The caller frees it. */
char *base_url_trim(const char *url);
/* Returns "host:port" for logs and errors, without any user:password part. The caller frees it. */
char *base_url_host(const char *url);

#endif
