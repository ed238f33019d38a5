#ifndef CONFIG_HTTP_SETTINGS_H
#define CONFIG_HTTP_SETTINGS_H
/* http: { … } in the config. */
struct config;
struct config_section;

struct http_settings {
	char *listen; /* NULL: nothing is offered */
	const char *token;
};

extern const struct config_section http_section;

/* Reports what cannot work, and warns of what is unwise. */
void http_settings_read(struct http_settings *out, struct config *cfg);
void http_settings_clear(struct http_settings *s);

#endif
