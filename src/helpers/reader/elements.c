/* What each element of HTML means for the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "helpers/reader/html_internal.h"

static void heading_enter(struct page *p, xmlNode *node)
{
	static const char *const leads[] = {"# ", "## ", "### ", "#### ", "##### ", "###### "};

	if (p->w.flat++ == 0)
		writer_lead(&p->w, leads[node->name[1] - '1']);
}

static void heading_leave(struct page *p, xmlNode *node)
{
	static const char *const leads[] = {"# ", "## ", "### ", "#### ", "##### ", "###### "};

	if (--p->w.flat == 0)
		writer_unlead(&p->w, leads[node->name[1] - '1']);
}

static void break_enter(struct page *p, xmlNode *node)
{
	(void)node;
	if (p->verbatim > 0)
		writer_verbatim(&p->w, "\n");
	else
		writer_break(&p->w, 1);
}

static void rule_enter(struct page *p, xmlNode *node)
{
	(void)node;
	if (p->w.flat == 0)
		writer_sign(&p->w, "---");
}

static void quote_enter(struct page *p, xmlNode *node)
{
	(void)node;
	writer_indent(&p->w, "> ", NULL);
}

static void indent_leave(struct page *p, xmlNode *node)
{
	(void)node;
	writer_outdent(&p->w);
}

static void list_enter(struct page *p, xmlNode *node)
{
	char *start = page_attribute(node, "start");
	bool numbered = strcmp((const char *)node->name, "ol") == 0;

	if (p->lists < ARRAY_LEN(p->list_next))
		p->list_next[p->lists] = !numbered       ? 0 :
		    start && strtol(start, NULL, 10) > 0 ? (int)strtol(start, NULL, 10) :
							   1;
	p->lists++;
	xmlFree(start);
	/* A nested list begins on the next line. */
	writer_break(&p->w, p->lists > 1 ? 1 : 2);
}

static void list_leave(struct page *p, xmlNode *node)
{
	(void)node;
	p->lists--;
	writer_break(&p->w, p->lists > 0 ? 1 : 2);
}

static void item_enter(struct page *p, xmlNode *node)
{
	int *next = p->lists > 0 && p->lists <= ARRAY_LEN(p->list_next) ? &p->list_next[p->lists - 1] : NULL;
	char marker[16] = "- ", blanks[16];

	(void)node;
	if (next && *next > 0) {
		snprintf(marker, sizeof(marker), "%d. ", *next);
		*next = *next < 1000000 ? *next + 1 : *next;
	}
	snprintf(blanks, sizeof(blanks), "%*s", (int)strlen(marker), "");
	if (p->w.flat > 0)
		writer_sign(&p->w, "-");
	writer_indent(&p->w, blanks, p->w.flat > 0 ? NULL : marker);
}

static void definition_enter(struct page *p, xmlNode *node)
{
	(void)node;
	writer_indent(&p->w, "  ", NULL);
}

static void code_enter(struct page *p, xmlNode *node)
{
	(void)node;
	if (p->verbatim == 0)
		writer_lead(&p->w, "`");
}

static void code_leave(struct page *p, xmlNode *node)
{
	(void)node;
	if (p->verbatim == 0 && !writer_unlead(&p->w, "`"))
		writer_tail(&p->w, "`");
}

/* Sets a fence longer than any run of backquotes in the content. */
static void set_fence(struct page *p, const char *content)
{
	size_t most = 2, run = 0;

	for (const char *s = content; *s; s++) {
		run = *s == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	most = most + 1 < sizeof(p->fence) ? most + 1 : sizeof(p->fence) - 1;
	memset(p->fence, '`', most);
	p->fence[most] = '\0';
}

static void pre_enter(struct page *p, xmlNode *node)
{
	char *content;

	if (p->verbatim++ > 0 || p->w.flat > 0)
		return;
	content = (char *)xmlNodeGetContent(node);
	p->fence[0] = '\0';
	if (content && content[strspn(content, " \t\r\n")]) {
		set_fence(p, content);
		p->fresh = true;
		writer_sign(&p->w, p->fence);
		writer_verbatim(&p->w, "\n");
	}
	xmlFree(content);
}

static void pre_leave(struct page *p, xmlNode *node)
{
	(void)node;
	if (--p->verbatim > 0 || p->w.flat > 0 || !p->fence[0])
		return;
	if (p->w.out.len > 0 && p->w.out.data[p->w.out.len - 1] != '\n')
		writer_break(&p->w, 1);
	writer_sign(&p->w, p->fence);
}

#define BLOCK   .flags = ELEMENT_BLOCK
#define LINE    .flags = ELEMENT_LINE
#define SKIP    .flags = ELEMENT_SKIP
#define COMPLEX .flags = ELEMENT_BLOCK | ELEMENT_COMPLEX
#define HEADING COMPLEX, .enter = heading_enter, .leave = heading_leave

/* In byte order of name. */
static const struct element elements[] = {
    {"a", .enter = link_enter, .leave = link_leave},
    {"address", BLOCK},
    {"applet", SKIP},
    {"article", COMPLEX},
    {"aside", COMPLEX},
    {"audio", SKIP},
    {"blockquote", COMPLEX, .enter = quote_enter, .leave = indent_leave},
    {"body", BLOCK},
    {"br", .enter = break_enter},
    {"button", SKIP},
    {"canvas", SKIP},
    {"caption", BLOCK},
    {"center", BLOCK},
    {"code", .enter = code_enter, .leave = code_leave},
    {"datalist", SKIP},
    {"dd", LINE, .enter = definition_enter, .leave = indent_leave},
    {"details", COMPLEX},
    {"dialog", BLOCK},
    {"div", LINE},
    {"dl", COMPLEX},
    {"dt", LINE},
    {"embed", SKIP},
    {"fieldset", BLOCK},
    {"figcaption", BLOCK},
    {"figure", BLOCK},
    {"footer", BLOCK},
    {"form", BLOCK},
    {"h1", HEADING},
    {"h2", HEADING},
    {"h3", HEADING},
    {"h4", HEADING},
    {"h5", HEADING},
    {"h6", HEADING},
    {"head", SKIP},
    {"header", BLOCK},
    {"hr", BLOCK, .enter = rule_enter},
    {"iframe", SKIP},
    {"img", .enter = image_enter},
    {"input", SKIP},
    {"kbd", .enter = code_enter, .leave = code_leave},
    {"legend", BLOCK},
    {"li", .flags = ELEMENT_LINE | ELEMENT_COMPLEX, .enter = item_enter, .leave = indent_leave},
    {"link", SKIP},
    {"main", COMPLEX},
    {"menu", .flags = ELEMENT_COMPLEX, .enter = list_enter, .leave = list_leave},
    {"meta", SKIP},
    {"nav", SKIP},
    {"object", SKIP},
    {"ol", .flags = ELEMENT_COMPLEX, .enter = list_enter, .leave = list_leave},
    {"option", LINE},
    {"p", BLOCK},
    {"pre", COMPLEX, .enter = pre_enter, .leave = pre_leave},
    {"samp", .enter = code_enter, .leave = code_leave},
    {"script", SKIP},
    {"section", COMPLEX},
    {"select", SKIP},
    {"style", SKIP},
    {"summary", BLOCK},
    {"svg", SKIP},
    {"table", .flags = ELEMENT_COMPLEX, .enter = table_enter, .leave = table_leave},
    {"td", .enter = cell_enter, .leave = cell_leave},
    {"template", SKIP},
    {"textarea", BLOCK},
    {"th", .enter = cell_enter, .leave = cell_leave},
    {"title", SKIP},
    {"tr", .enter = row_enter, .leave = row_leave},
    {"ul", .flags = ELEMENT_COMPLEX, .enter = list_enter, .leave = list_leave},
    {"video", SKIP},
};

static int compare(const void *name, const void *element)
{
	return strcmp(name, ((const struct element *)element)->name);
}

const struct element *element_of(const xmlNode *node)
{
	if (node->type != XML_ELEMENT_NODE)
		return NULL;
	return bsearch(node->name, elements, ARRAY_LEN(elements), sizeof(elements[0]), compare);
}

char *page_attribute(xmlNode *node, const char *name)
{
	return (char *)xmlGetNoNsProp(node, (const xmlChar *)name);
}

static bool attribute_is(xmlNode *node, const char *name, const char *value)
{
	char *have = page_attribute(node, name);
	bool is = have && strcasecmp(have, value) == 0;

	xmlFree(have);
	return is;
}

/* Detects "display: none" and the like in the element's own style attribute. */
static bool style_hides(xmlNode *node)
{
	char *style = page_attribute(node, "style"), *to = style;
	bool hides;

	for (const char *s = style; s && *s; s++)
		if (!strchr(" \t\r\n", *s))
			*to++ = *s;
	if (style)
		*to = '\0';
	hides = style && (strcasestr(style, "display:none") || strcasestr(style, "visibility:hidden"));
	xmlFree(style);
	return hides;
}

static bool is_navigation(xmlNode *node, const struct element *e)
{
	return (e && strcmp(e->name, "nav") == 0) || attribute_is(node, "role", "navigation");
}

bool element_is_hidden(const struct page *p, xmlNode *node)
{
	const struct element *e = element_of(node);

	if (is_navigation(node, e))
		return !p->keep_navigation;
	if (e && e->flags & ELEMENT_SKIP)
		return true;
	if (!node->properties)
		return e && strcmp(e->name, "dialog") == 0;
	if (e && strcmp(e->name, "dialog") == 0 && !xmlHasProp(node, (const xmlChar *)"open"))
		return true;
	return xmlHasProp(node, (const xmlChar *)"hidden") || attribute_is(node, "aria-hidden", "true") ||
	    style_hides(node);
}
