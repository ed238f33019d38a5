#include "config/http_settings.h"

#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "net/server/server.h"

/* Shorter tokens can be guessed. */
#define TOKEN_MIN 16

static const struct config_key keys[] = {
    {.name = "listen",
	.type = CONFIG_STRING,
	.flags = CONFIG_RESTART,
	.offset = offsetof(struct http_settings, listen),
	.help = "HOST:PORT where the gateway answers HTTP requests, see docs/http.md: a numeric host or "
		"localhost; port 0 means any free port. Absent: no HTTP server."},
    {.name = "token",
	.type = CONFIG_SECRET,
	.offset = offsetof(struct http_settings, token),
	.help = "The token that requests to send messages and to read metrics must carry in Authorization: "
		"Bearer TOKEN; at least 16 characters."},
};

const struct config_section http_section = {
    .path = "http",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "The HTTP server, for sending messages from scripts on other machines and for monitoring the "
	    "gateway. It has no TLS: put a proxy in front of it.",
};

static bool is_loopback(const char *listen)
{
	return strncmp(listen, "127.", 4) == 0 || strncmp(listen, "localhost:", 10) == 0 ||
	    strncmp(listen, "[::1]:", 6) == 0;
}

void http_settings_read(struct http_settings *out, struct config *cfg)
{
	config_read(cfg, "http", &http_section, out);
	if (!out->listen) {
		if (out->token)
			config_warning(cfg, "http.token", "http.token is not used: set http.listen, too.");
		return;
	}
	struct error err = {0};
	if (strncmp(out->listen, "unix:", 5) == 0 || server_check_address(out->listen, &err) < 0)
		config_error(cfg, "http.listen",
		    "http.listen is \"%s\", not HOST:PORT with a numeric host or localhost and a port up to "
		    "65535, "
		    "such as \"127.0.0.1:8080\".",
		    out->listen);
	else if (!is_loopback(out->listen))
		config_warning(cfg, "http.listen",
		    "http.listen is open to other machines without TLS: put a proxy before it, or listen on "
		    "127.0.0.1.");
	if (!config_has(cfg, "http.token"))
		config_error(
		    cfg, "http", "http.listen needs http.token: whoever can connect could send messages.");
	else if (out->token && strlen(out->token) < TOKEN_MIN)
		config_error(cfg, "http.token",
		    "http.token is shorter than %d characters: make one with `openssl rand -hex 32`.",
		    TOKEN_MIN);
}

void http_settings_clear(struct http_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
}
