#include <libxml/uri.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "helpers/reader/html_internal.h"

#define URL_MAX 2000

static void trim(char *s)
{
	size_t len, lead = strspn(s, " \t\r\n");

	memmove(s, s + lead, strlen(s + lead) + 1);
	for (len = strlen(s); len > 0 && strchr(" \t\r\n", s[len - 1]); len--)
		s[len - 1] = '\0';
}

/* Returns the target as a full URL that is safe in parentheses, malloc'd; NULL when it cannot be fetched. */
static char *resolve(const struct page *p, char *href)
{
	static const char *const kinds[] = {"http:", "https:", "mailto:", "tel:", "ftp:"};
	char *url;

	trim(href);
	if (*href == '\0' || *href == '#' || strlen(href) > URL_MAX)
		return NULL;
	xmlChar *escaped = xmlURIEscapeStr((xmlChar *)href, (const xmlChar *)"/?#[]@!$&'*+,;=:%-._~");
	xmlChar *whole = *p->base && escaped ? xmlBuildURI(escaped, (xmlChar *)p->base) : NULL;
	url = xstrdup(whole ? (char *)whole : escaped ? (char *)escaped : NULL);
	xmlFree(whole);
	xmlFree(escaped);
	for (size_t i = 0; url && i < ARRAY_LEN(kinds); i++)
		if (strncasecmp(url, kinds[i], strlen(kinds[i])) == 0)
			return url;
	/* A relative URL without a base; other schemes (javascript:, data:) cannot be fetched. */
	if (url && !*p->base && strcspn(url, ":") >= strcspn(url, "/?#"))
		return url;
	free(url);
	return NULL;
}

void link_enter(struct page *p, xmlNode *node)
{
	char *href;

	p->w.flat++;
	if (p->links++ > 0 || p->verbatim > 0 || !(href = page_attribute(node, "href")))
		return;
	p->link = resolve(p, href);
	xmlFree(href);
	if (p->link)
		writer_lead(&p->w, "[");
}

void link_leave(struct page *p, xmlNode *node)
{
	(void)node;
	p->w.flat--;
	if (--p->links > 0 || !p->link)
		return;
	if (!writer_unlead(&p->w, "[")) {
		writer_tail(&p->w, "](");
		writer_tail(&p->w, p->link);
		writer_tail(&p->w, ")");
	}
	free(p->link);
	p->link = NULL;
}

/* An image without a description is decoration. */
void image_enter(struct page *p, xmlNode *node)
{
	char *alt = page_attribute(node, "alt");

	if (alt)
		trim(alt);
	if (alt && *alt && p->verbatim == 0) {
		char *src = page_attribute(node, "src");
		char *url = src ? resolve(p, src) : NULL;
		writer_sign(&p->w, "![");
		writer_text(&p->w, alt);
		p->w.space = false;
		writer_tail(&p->w, "](");
		writer_tail(&p->w, url ? url : "");
		writer_tail(&p->w, ")");
		free(url);
		xmlFree(src);
	}
	xmlFree(alt);
}
