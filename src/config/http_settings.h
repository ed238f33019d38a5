#ifndef CONFIG_HTTP_SETTINGS_H
#define CONFIG_HTTP_SETTINGS_H
/* http: { … } in the configuration. */
struct config;
struct config_section;

struct http_settings {
	char *listen; /* NULL: no HTTP server */
	const char *token;
};

extern const struct config_section http_section;

/* Reports errors and unwise settings to cfg. */
void http_settings_read(struct http_settings *out, struct config *cfg);
void http_settings_clear(struct http_settings *s);

#endif
