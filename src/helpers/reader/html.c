#include "helpers/reader/html.h"

#include <libxml/HTMLparser.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "helpers/reader/html_internal.h"

/* The limit of browsers; parse time grows with the square of the depth. */
#define DEPTH_MAX 512
#define TITLE_MAX 300
#define DEEP_TEXT "\n\n[The rest of the page is nested too deep to be read.]"

xmlNode *page_next(xmlNode *node, const xmlNode *root, bool into)
{
	if (into && node->type == XML_ELEMENT_NODE && node->children)
		return node->children;
	while (node && node != root) {
		if (node->next)
			return node->next;
		node = node->parent;
	}
	return NULL;
}

static void write_text(struct page *p, const xmlNode *node)
{
	const char *s = (const char *)node->content;

	if (!s)
		return;
	if (p->verbatim > 0 && p->w.flat == 0 && p->fence[0])
		/* A line end directly after <pre> is ignored. */
		writer_verbatim(&p->w, s + (p->fresh && *s == '\n'));
	else
		writer_text(&p->w, s);
	p->fresh = false;
}

static void break_around(struct page *p, const struct element *e)
{
	if (e && e->flags & (ELEMENT_BLOCK | ELEMENT_LINE) && p->verbatim == 0)
		writer_break(&p->w, e->flags & ELEMENT_BLOCK ? 2 : 1);
}

/* Is the element's content written? */
static bool enter(struct page *p, xmlNode *node)
{
	if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
		write_text(p, node);
	if (node->type != XML_ELEMENT_NODE || element_is_hidden(p, node))
		return false;
	const struct element *e = element_of(node);
	break_around(p, e);
	if (e && e->enter)
		e->enter(p, node);
	return true;
}

static void leave(struct page *p, xmlNode *node)
{
	const struct element *e = element_of(node);

	if (e && e->leave)
		e->leave(p, node);
	break_around(p, e);
}

/* Iterative, because a page may be deep. */
static void write_tree(struct page *p, xmlNode *root)
{
	xmlNode *node = root;

	for (;;) {
		bool open = enter(p, node);
		if (open && node->children) {
			node = node->children;
			continue;
		}
		if (open)
			leave(p, node);
		while (node != root && !node->next) {
			node = node->parent;
			leave(p, node);
		}
		if (node == root)
			return;
		node = node->next;
	}
}

static xmlNode *find(xmlNode *root, const char *name)
{
	for (xmlNode *n = root; n; n = page_next(n, root, true))
		if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0)
			return n;
	return NULL;
}

/* Returns the text of an element with single blanks, malloc'd; "" for none. */
static char *words_of(xmlNode *node)
{
	char *content = node ? (char *)xmlNodeGetContent(node) : NULL;
	struct writer w;

	writer_init(&w, TITLE_MAX);
	writer_text(&w, content ? content : "");
	xmlFree(content);
	char *words = buf_take(&w.out);
	writer_clear(&w);
	return words;
}

/* Writes the title, unless the first heading of the page repeats it. */
static void write_title(struct page *p, xmlNode *root)
{
	xmlNode *head = find(root, "head");
	char *title = words_of(head ? find(head, "title") : NULL), *heading = words_of(find(root, "h1"));

	if (*title && !(*heading && strstr(title, heading))) {
		writer_sign(&p->w, "# ");
		writer_tail(&p->w, title);
		writer_break(&p->w, 2);
	}
	free(title);
	free(heading);
}

static char *base_of(xmlNode *root, const char *url)
{
	xmlNode *base = find(root, "base");
	char *href = base ? page_attribute(base, "href") : NULL;
	char *own = xstrdup(href && strstr(href, "://") ? href : url);

	xmlFree(href);
	return own;
}

static void write_page(
    struct buf *out, xmlNode *root, const struct html_options *options, bool keep_navigation)
{
	struct page p = {.keep_navigation = keep_navigation, .base = base_of(root, options->url)};
	size_t title;

	writer_init(&p.w, options->max);
	write_title(&p, root);
	title = p.w.out.len;
	write_tree(&p, root);
	/* If the page has only navigation, the navigation is kept. */
	if (p.w.out.len == title && !keep_navigation)
		write_page(out, root, options, true);
	else
		buf_add(out, p.w.out.data, p.w.out.len);
	writer_clear(&p.w);
	free(p.base);
}

static startElementSAXFunc real_start;

static void on_start(void *arg, const xmlChar *name, const xmlChar **attributes)
{
	htmlParserCtxt *ctxt = arg;

	/* Otherwise libxml2 silently stops at 256. */
	ctxt->options |= XML_PARSE_HUGE;
	if (ctxt->nodeNr <= DEPTH_MAX) {
		real_start(arg, name, attributes);
		return;
	}
	ctxt->_private = ctxt; /* tells html_to_markdown */
	xmlStopParser(ctxt);
}

void html_to_markdown(struct buf *out, const char *html, size_t len, const struct html_options *options)
{
	htmlParserCtxt *ctxt = htmlNewParserCtxt();
	int flags = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
	    HTML_PARSE_COMPACT;

	if (!ctxt)
		mem_exhausted(0);
	real_start = ctxt->sax->startElement;
	ctxt->sax->startElement = on_start;
	htmlDocPtr doc = len > 0 ? htmlCtxtReadMemory(ctxt, html, (int)len, "", "UTF-8", flags) : NULL;
	xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
	if (root)
		write_page(out, root, options, false);
	if (ctxt->_private)
		buf_addstr(out, DEEP_TEXT);
	xmlFreeDoc(doc);
	htmlFreeParserCtxt(ctxt);
	xmlResetLastError();
}
