#include "net/http/transfer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/time/civil.h"
#include "base/wrong.h"
#include "base/time/clock_skip.h"
#include "net/egress.h"
#include "net/http/multi.h"

#define RETRY_AFTER_MAX_MS (7 * 24 * 3600 * 1000LL)

static void on_silent(struct clock_timer *timer, void *arg)
{
	struct http_transfer *x = arg;
	uint64_t due = x->received_ms + x->idle_ms, now = clock_machine();

	if (now < due)
		clock_timer_start(timer, due - now, on_silent, x);
	else
		http_transfer_end(x, HTTP_SILENT);
}

/* Notes that the peer sent or accepted a byte. The timer is not set anew with each. */
static void sign_of_life(struct http_transfer *x)
{
	if (!x->res->sent || x->end != HTTP_RUNNING)
		return;
	if (x->received_ms == 0)
		clock_timer_start(&x->timer, x->idle_ms, on_silent, x);
	x->received_ms = clock_machine();
}

/* Called before each sending of the request; a second call means that the pooled connection was dead. */
static int on_sending(void *arg, char *remote_ip, char *local_ip, int remote_port, int local_port)
{
	struct http_transfer *x = arg;

	(void)remote_ip;
	(void)local_ip;
	(void)remote_port;
	(void)local_port;
	if (x->res->sent && x->req->once && !WRONG("no-second-call-guard")) {
		http_transfer_end(x, HTTP_NOT_REPEATED);
		return CURL_PREREQFUNC_ABORT;
	}
	if (!egress_is_open()) {
		http_transfer_end(x, HTTP_HELD_BACK);
		return CURL_PREREQFUNC_ABORT;
	}
	if (!x->res->sent)
		http_multi_sent(x);
	x->res->sent = true;
	sign_of_life(x);
	return CURL_PREREQFUNC_OK;
}

static int on_progress(void *arg, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up)
{
	struct http_transfer *x = arg;

	(void)down_total;
	(void)down;
	(void)up_total;
	if (up != x->uploaded)
		sign_of_life(x);
	x->uploaded = up;
	return 0;
}

/* Parses seconds with an optional fraction, or milliseconds with unit 1; 0 for anything else. */
static uint64_t read_delay(const char *text, uint64_t unit)
{
	uint64_t ms = 0, scale = unit;
	size_t digits = strspn(text, "0123456789");

	if (digits == 0 || digits > 12)
		return digits == 0 ? 0 : RETRY_AFTER_MAX_MS;
	ms = strtoull(text, NULL, 10) * unit;
	text += digits;
	if (*text == '.') {
		for (text++; *text >= '0' && *text <= '9'; text++) {
			scale /= 10;
			ms += (uint64_t)(*text - '0') * scale;
		}
	}
	if (*text != '\0')
		return 0;
	return ms < RETRY_AFTER_MAX_MS ? ms : RETRY_AFTER_MAX_MS;
}

static int two_digits(const char *text)
{
	return (text[0] - '0') * 10 + text[1] - '0';
}

/* A date as servers send it, "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7), or in another of the forms
 * that curl knows. Returns seconds since 1970, or -1. */
static int64_t read_date(const char *value)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec",
			  digits[] = "dd mmm dddd dd:dd:dd GMT";
	const char *text = strlen(value) == 29 ? value + 5 : "", *month;
	char name[4] = "";

	for (size_t i = 0; digits[i]; i++)
		if (digits[i] == 'd' ? text[i] < '0' || text[i] > '9' :
				       digits[i] != 'm' && text[i] != digits[i])
			return curl_getdate(value, NULL);
	memcpy(name, text + 3, 3);
	month = strstr(months, name);
	if (!month || (month - months) % 3 != 0)
		return -1;
	return civil_seconds(&(struct civil){.year = two_digits(text + 7) * 100 + two_digits(text + 9),
	    .month = (int)(month - months) / 3 + 1,
	    .day = two_digits(text),
	    .hour = two_digits(text + 12),
	    .minute = two_digits(text + 15),
	    .second = two_digits(text + 18)});
}

uint64_t http_retry_after_ms(const char *value)
{
	uint64_t delay_ms = read_delay(value, 1000);
	int64_t date = delay_ms == 0 ? read_date(value) : -1, ms = date * 1000 - clock_wall();

	if (date < 0 || ms <= 0)
		return delay_ms;
	return (uint64_t)(ms < RETRY_AFTER_MAX_MS ? ms : RETRY_AFTER_MAX_MS);
}

static void take_retry_after(struct http_response *res, const char *value)
{
	if (res->retry_after_ms == 0)
		res->retry_after_ms = http_retry_after_ms(value);
}

/* More exact than Retry-After; Anthropic and OpenAI send both. */
static void take_retry_after_ms(struct http_response *res, const char *value)
{
	uint64_t ms = read_delay(value, 1);

	if (ms != 0)
		res->retry_after_ms = ms;
}

static void take_content_type(struct http_response *res, const char *value)
{
	str_copy(res->content_type, sizeof(res->content_type), value);
}

static void take_date(struct http_response *res, const char *value)
{
	int64_t date = read_date(value);

	res->date_ms = date >= 0 ? date * 1000 : 0;
}

static void take_request_id(struct http_response *res, const char *value)
{
	str_copy(res->request_id, sizeof(res->request_id), value);
}

static const struct {
	const char *name;
	void (*take)(struct http_response *res, const char *value);
} known_headers[] = {
    {"content-type", take_content_type},
    {"date", take_date},
    {"request-id", take_request_id},
    {"retry-after", take_retry_after},
    {"retry-after-ms", take_retry_after_ms},
    {"x-request-id", take_request_id},
};

static void take_header(struct http_transfer *x, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	size_t name_len = colon ? (size_t)(colon - line) : 0, known = 0;
	char *name, *value;

	if (name_len == 0)
		return;
	while (known < ARRAY_LEN(known_headers) &&
	    (strncasecmp(line, known_headers[known].name, name_len) != 0 ||
		known_headers[known].name[name_len]))
		known++;
	if (known == ARRAY_LEN(known_headers) && !x->req->on_header)
		return;
	for (colon++; colon < line + len && (*colon == ' ' || *colon == '\t'); colon++)
		;
	name = xstrndup(line, name_len);
	value = xstrndup(colon, (size_t)(line + len - colon));
	if (known < ARRAY_LEN(known_headers))
		known_headers[known].take(x->res, value);
	if (x->req->on_header)
		x->req->on_header(name, value, x->req->arg);
	free(name);
	free(value);
}

/* Starts a new head; headers of an interim response (1xx) are dropped. */
static void head_begin(struct http_transfer *x, const char *line, size_t len)
{
	x->head_begun = true;
	x->res->content_type[0] = x->res->request_id[0] = '\0';
	x->res->retry_after_ms = 0;
	x->res->date_ms = 0;
	http_multi_saw_version(x, len > 6 && line[5] == '1');
}

/* An answer has begun: curl does not send again, and what it has sent it reads no more. */
static void report_taken(struct http_transfer *x)
{
	curl_off_t sent = 0;

	curl_easy_getinfo(x->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
	if (x->req->on_taken && (size_t)sent == x->req->body_len)
		x->req->on_taken(x->res->status, x->req->arg);
}

static void head_end(struct http_transfer *x)
{
	long status = 0;

	curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200)
		return;
	x->head_done = true;
	x->res->status = (int)status;
	report_taken(x);
	if (x->req->on_status)
		x->req->on_status(x->res->status, x->res->content_type, x->req->arg);
}

static size_t on_header(char *line, size_t size, size_t count, void *arg)
{
	struct http_transfer *x = arg;
	size_t len = size * count;

	sign_of_life(x);
	if (x->end != HTTP_RUNNING || x->head_done) /* done: a trailer */
		return size * count;
	while (len > 0 && strchr("\r\n \t", line[len - 1]))
		len--;
	if (len == 0)
		head_end(x);
	else if (len > 5 && memcmp(line, "HTTP/", 5) == 0)
		head_begin(x, line, len);
	else
		take_header(x, line, len);
	return size * count;
}

static size_t on_body(char *data, size_t size, size_t count, void *arg)
{
	struct http_transfer *x = arg;
	size_t len = size * count;
	bool streams = x->req->on_data && x->res->status / 100 == 2;

	sign_of_life(x);
	if (x->end != HTTP_RUNNING)
		return 0;
	x->received += len;
	if (x->received > x->max_body) {
		http_transfer_end(x, HTTP_TOO_LARGE);
		return 0;
	}
	if (!streams) {
		buf_add(&x->res->body, data, len);
	} else if (x->req->on_data(data, len, x->req->arg) != 0) {
		http_transfer_end(x, HTTP_STOPPED);
		return 0;
	}
	return len;
}

void http_response_attach(struct http_transfer *x)
{
	bool uploads = x->req->body_len > 0 || x->req->part_count > 0;

	curl_easy_setopt(x->easy, CURLOPT_PREREQFUNCTION, on_sending);
	curl_easy_setopt(x->easy, CURLOPT_PREREQDATA, x);
	curl_easy_setopt(x->easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(x->easy, CURLOPT_HEADERDATA, x);
	curl_easy_setopt(x->easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(x->easy, CURLOPT_WRITEDATA, x);
	/* Uploading a large request takes long; its progress counts as activity, too. */
	curl_easy_setopt(x->easy, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(x->easy, CURLOPT_XFERINFODATA, x);
	curl_easy_setopt(x->easy, CURLOPT_NOPROGRESS, uploads ? 0L : 1L);
}
