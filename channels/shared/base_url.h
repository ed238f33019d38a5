#ifndef CHANNELS_SHARED_BASE_URL_H
#define CHANNELS_SHARED_BASE_URL_H
/* The address of a platform's API, as it is configured (api_base). */

/* Without slashes at its end; malloc'd. */
char *base_url_trim(const char *url);
/* Host and port, for logs and errors, without what could be a password before them; malloc'd. */
char *base_url_host(const char *url);

#endif
