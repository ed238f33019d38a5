#include "helpers/reader/charset.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"

/* How far a text is searched for its declared charset (HTML, "prescan a byte stream"). */
#define PRESCAN  1024
#define LONG     (64 * 1024)
#define NO_ICONV ((iconv_t)-1)

struct charset {
	char name[41];
	size_t mark;   /* length of the byte order mark */
	iconv_t iconv; /* NO_ICONV for UTF-8 */
};

static const struct {
	const char *bytes;
	size_t len;
	const char *name;
} marks[] = {
    {"\xef\xbb\xbf", 3, "UTF-8"},
    {"\xfe\xff", 2, "UTF-16BE"},
    {"\xff\xfe", 2, "UTF-16LE"},
};

/* What pages mean by a name (https://encoding.spec.whatwg.org). Like that standard it leaves UTF-7 out. */
static const struct {
	const char *label, *name;
} meanings[] = {
    {"ascii", "WINDOWS-1252"},
    {"big5-hkscs", "BIG5-HKSCS"},
    {"euc-kr", "CP949"},
    {"gb2312", "GB18030"},
    {"gb_2312-80", "GB18030"},
    {"gbk", "GB18030"},
    {"iso-8859-1", "WINDOWS-1252"},
    {"iso-8859-9", "WINDOWS-1254"},
    {"iso8859-1", "WINDOWS-1252"},
    {"ks_c_5601-1987", "CP949"},
    {"latin1", "WINDOWS-1252"},
    {"shift-jis", "CP932"},
    {"shift_jis", "CP932"},
    {"sjis", "CP932"},
    {"tis-620", "WINDOWS-874"},
    {"unicode", "UTF-16LE"},
    {"us-ascii", "WINDOWS-1252"},
    {"utf-16", "UTF-16LE"},
    {"utf-7", "WINDOWS-1252"},
    {"utf8", "UTF-8"},
    {"x-gbk", "GB18030"},
    {"x-mac-roman", "MACINTOSH"},
    {"x-sjis", "CP932"},
};

static void set_name(struct charset *c, const char *label, size_t len)
{
	char name[sizeof(c->name)];

	if (len == 0 || len >= sizeof(name))
		return;
	memcpy(name, label, len);
	name[len] = '\0';
	/* For iconv a slash starts options. */
	if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:.") != len)
		return;
	str_copy(c->name, sizeof(c->name), name);
	for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
		if (strcasecmp(meanings[i].label, name) == 0)
			str_copy(c->name, sizeof(c->name), meanings[i].name);
}

/* Finds charset=x, or encoding="x" in the first lines of XML. */
static void prescan(struct charset *c, const char *data, size_t len)
{
	static const char *const keys[] = {"charset", "encoding"};
	char *head = xstrndup(data, len < PRESCAN ? len : PRESCAN);
	const char *at = NULL;

	for (size_t i = 0; i < ARRAY_LEN(keys) && !c->name[0]; i++) {
		if (!(at = strcasestr(head, keys[i])))
			continue;
		at += strlen(keys[i]);
		at += strspn(at, " \t\r\n");
		if (*at != '=')
			continue;
		at += 1 + strspn(at + 1, " \t\r\n\"'");
		set_name(c, at, strcspn(at, " \t\r\n\"';>/?"));
	}
	/* The declaration was readable as ASCII, so the text is not UTF-16. */
	if (strncasecmp(c->name, "UTF-16", 6) == 0)
		set_name(c, "UTF-8", 5);
	free(head);
}

/* Checks all of it, except the last character of a long text, which may be cut. */
static bool looks_like_utf8(const char *data, size_t len)
{
	size_t cut = len;

	while (cut > 0 && len - cut < 3 && (data[cut - 1] & 0xc0) == 0x80)
		cut--;
	if (cut > 0 && (data[cut - 1] & 0xc0) == 0xc0)
		cut--;
	return utf8_valid(data, len) || (len >= LONG && utf8_valid(data, cut));
}

struct charset *charset_open(const char *data, size_t len, const char *label)
{
	struct charset *c = xcalloc(1, sizeof(*c));

	c->iconv = NO_ICONV;
	for (size_t i = 0; i < ARRAY_LEN(marks) && c->mark == 0; i++)
		if (len >= marks[i].len && memcmp(data, marks[i].bytes, marks[i].len) == 0) {
			set_name(c, marks[i].name, strlen(marks[i].name));
			c->mark = marks[i].len;
		}
	if (!c->name[0])
		set_name(c, label, strlen(label));
	if (!c->name[0])
		prescan(c, data, len);
	if (!c->name[0])
		set_name(c, "utf-8", looks_like_utf8(data, len) ? 5 : 0);
	if (strcasecmp(c->name, "UTF-8") == 0)
		return c;
	if (c->name[0])
		c->iconv = iconv_open("UTF-8", c->name);
	if (c->iconv == NO_ICONV && !looks_like_utf8(data, len)) {
		set_name(c, "WINDOWS-1252", 12);
		c->iconv = iconv_open("UTF-8", c->name);
	}
	return c;
}

const char *charset_name(const struct charset *c)
{
	return c->name;
}

static void convert(struct charset *c, struct buf *out, char *data, size_t len)
{
	char chunk[4096];

	while (len > 0) {
		char *to = chunk;
		size_t room = sizeof(chunk), left = iconv(c->iconv, &data, &len, &to, &room);
		buf_add(out, chunk, sizeof(chunk) - room);
		if (left == (size_t)-1 && errno != E2BIG) {
			utf8_encode(out, 0xfffd);
			data++;
			len--;
		}
	}
}

void charset_convert(struct charset *c, struct buf *out, const char *data, size_t len)
{
	struct buf plain = BUF_INIT;

	data += c->mark;
	len -= c->mark;
	if (c->iconv != NO_ICONV) {
		/* iconv does not write to its input. */
		convert(c, &plain, (char *)(uintptr_t)data, len);
		data = plain.data;
		len = plain.len;
	}
	utf8_sanitize(out, data, len);
	buf_clear(&plain);
}

void charset_close(struct charset *c)
{
	if (c->iconv != NO_ICONV)
		iconv_close(c->iconv);
	free(c);
}
