#include "net/server/head.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"

static const char *const methods[] = {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"};
/* Headers that must not occur twice. */
static const char *const once[] = {
    "authorization", "content-length", "content-type", "expect", "host", "origin", "transfer-encoding"};

int server_refuse(struct error *err, int status, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	error_set(err, ERROR_REFUSED, "%s", text);
	if (err)
		err->code = status;
	return -1;
}

ssize_t server_head_find(const char *in, size_t len, size_t *scanned)
{
	for (size_t i = *scanned; i < len; i++) {
		unsigned char c = (unsigned char)in[i];
		bool after_cr = i > 0 && in[i - 1] == '\r';

		if (after_cr != (c == '\n') || c == 0x7f || (c < ' ' && c != '\t' && c != '\r' && c != '\n'))
			return -1;
		if (c == '\n' && i >= 3 && in[i - 2] == '\n')
			return (ssize_t)i + 1;
	}
	*scanned = len;
	return 0;
}

/* RFC 9110, 5.6.2. */
static bool is_token(const char *s)
{
	if (*s == '\0')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("!#$%&'*+-.^_`|~", *s))
			return false;
	return true;
}

static bool is_one_of(const char *s, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(s, list[i]) == 0)
			return true;
	return false;
}

/* Cuts off the next line at its CRLF. */
static char *line_next(char **rest)
{
	char *line = *rest, *end = strstr(line, "\r\n");

	*end = '\0';
	*rest = end + 2;
	return line;
}

static int parse_target(struct server_head *head, char *target, struct error *err)
{
	bool whole_server = strcmp(target, "*") == 0 && strcmp(head->method, "OPTIONS") == 0;
	char *question;

	if (strlen(target) > SERVER_TARGET_MAX)
		return server_refuse(
		    err, 414, "The path and query are longer than %d bytes.", SERVER_TARGET_MAX);
	if (target[0] != '/' && !whole_server)
		return server_refuse(err, 400, "The request line needs a path that starts with a slash.");
	question = strchr(target, '?');
	if (question)
		*question++ = '\0';
	head->path = target;
	head->query = question ? question : "";
	return 0;
}

static int parse_version(struct server_head *head, const char *version, struct error *err)
{
	if (strncmp(version, "HTTP/", 5) != 0)
		return server_refuse(
		    err, 400, "This is not an HTTP request line: METHOD PATH HTTP/1.1 is expected.");
	if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
		return server_refuse(err, 505, "This server speaks HTTP/1.1 and HTTP/1.0 only.");
	head->version_1_0 = version[7] == '0';
	head->keep_alive = !head->version_1_0;
	return 0;
}

static int parse_request_line(struct server_head *head, char *line, struct error *err)
{
	char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;

	if (!version || strchr(version + 1, ' ') || strchr(line, '\t'))
		return server_refuse(
		    err, 400, "This is not an HTTP request line: METHOD PATH HTTP/1.1 is expected.");
	*target++ = '\0';
	*version++ = '\0';
	if (parse_version(head, version, err) < 0)
		return -1;
	if (!is_token(line))
		return server_refuse(err, 400, "The method is not a word.");
	if (!is_one_of(line, methods, ARRAY_LEN(methods)))
		return server_refuse(err, 501, "The method %.20s is not known here.", line);
	head->method = line;
	return parse_target(head, target, err);
}

static char *trim(char *s)
{
	size_t len;

	s += strspn(s, " \t");
	for (len = strlen(s); len > 0 && strchr(" \t", s[len - 1]); len--)
		;
	s[len] = '\0';
	return s;
}

static int parse_header(struct server_head *head, char *line, struct error *err)
{
	char *colon = strchr(line, ':');

	if (colon)
		*colon = '\0';
	if (!colon || !is_token(line))
		return server_refuse(err, 400, "A header line is not of the form Name: value.");
	for (char *p = line; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (is_one_of(line, once, ARRAY_LEN(once)) && server_head_get(head, line))
		return server_refuse(err, 400, "The header %s stands there twice.", line);
	if (head->header_count == SERVER_HEADERS_MAX)
		return server_refuse(err, 431, "The request has more than %d headers.", SERVER_HEADERS_MAX);
	head->headers[head->header_count++] = (struct server_header){line, trim(colon + 1)};
	return 0;
}

/* Does a comma-separated header contain word? */
static bool list_has(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; p && *p; p = strchr(p, ',')) {
		size_t n;

		p += strspn(p, ", \t");
		n = strcspn(p, ", \t");
		if (n == len && strncasecmp(p, word, len) == 0)
			return true;
	}
	return false;
}

static int use_length(struct server_head *head, const char *value, struct error *err)
{
	/* 18 digits cannot overflow. */
	if (*value == '\0' || strlen(value) > 18 || value[strspn(value, "0123456789")] != '\0')
		return server_refuse(err, 400, "The Content-Length is not a number.");
	head->length = strtoull(value, NULL, 10);
	return 0;
}

static int use_encoding(struct server_head *head, const char *value, struct error *err)
{
	if (strcasecmp(value, "chunked") != 0)
		return server_refuse(err, 501, "The Transfer-Encoding must be chunked.");
	if (head->version_1_0 || server_head_get(head, "content-length"))
		return server_refuse(err, 400, "The length of the body is given in two ways.");
	head->chunked = true;
	return 0;
}

static int use_connection(struct server_head *head, const char *value, struct error *err)
{
	(void)err;
	if (list_has(value, "close"))
		head->keep_alive = false;
	else if (list_has(value, "keep-alive"))
		head->keep_alive = true;
	return 0;
}

static int use_expect(struct server_head *head, const char *value, struct error *err)
{
	if (strcasecmp(value, "100-continue") != 0)
		return server_refuse(
		    err, 417, "The only expectation that this server meets is 100-continue.");
	head->expects_continue = !head->version_1_0;
	return 0;
}

/* Headers that define the framing of the request. */
static const struct {
	const char *name;
	int (*use)(struct server_head *head, const char *value, struct error *err);
} framing[] = {
    {"connection", use_connection},
    {"content-length", use_length},
    {"expect", use_expect},
    {"transfer-encoding", use_encoding},
};

int server_head_parse(struct server_head *head, const char *text, size_t len, struct error *err)
{
	char *rest, *line;

	*head = (struct server_head){.text = xstrndup(text, len)};
	rest = head->text;
	if (parse_request_line(head, line_next(&rest), err) < 0)
		return -1;
	while (*(line = line_next(&rest)))
		if (parse_header(head, line, err) < 0)
			return -1;
	for (size_t i = 0; i < ARRAY_LEN(framing); i++) {
		const char *value = server_head_get(head, framing[i].name);

		if (value && framing[i].use(head, value, err) < 0)
			return -1;
	}
	return 0;
}

const char *server_head_get(const struct server_head *head, const char *name)
{
	for (size_t i = 0; i < head->header_count; i++)
		if (strcmp(head->headers[i].name, name) == 0)
			return head->headers[i].value;
	return NULL;
}

void server_head_clear(struct server_head *head)
{
	free(head->text);
	head->text = NULL;
}
