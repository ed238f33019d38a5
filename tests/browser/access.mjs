// What makes a page hard to use: controls without a name, text that hardly stands out.

// Every control has a name that a screen reader says (the accessibility tree's own idea of it is asked through the roles).
export function nameProblems(page) {
	return page.evaluate(() => {
		const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: false });
		const labelOf = (e) => e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join(" ").trim() ||
			[...(e.labels || [])].map((l) => l.textContent).join(" ").trim() || (e.matches("input, select, textarea") ? "" : e.innerText.trim()) || e.title;
		return [...document.querySelectorAll("button, a[href], input, select, textarea, [role=button], [role=log], [role=tabpanel], section, nav, aside, dialog, img")]
			.filter((e) => visible(e) && !(e.tagName === "IMG" && e.hasAttribute("alt")) && !labelOf(e)).map((e) => e.outerHTML.slice(0, 120));
	});
}

// Texts below the contrast of WCAG 2.2 AA: 4.5, or 3 where they are large.
export function contrastProblems(page) {
	return page.evaluate(() => {
		const parse = (text) => {
			const n = (text.match(/-?[\d.]+(?:e-?\d+)?/g) || []).map(Number), scale = text.startsWith("color(") ? 255 : 1;
			return { rgb: n.slice(0, 3).map((v) => v * scale), a: n.length > 3 ? n[3] : 1 };
		};
		const over = (top, under) => top.rgb.map((v, i) => v * top.a + under[i] * (1 - top.a));
		const luminance = (rgb) => {
			const [r, g, b] = rgb.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		// All that a text may stand on: the stops of a gradient each.
		const backs = (e) => {
			if (!e) return [[255, 255, 255]];
			const style = getComputedStyle(e), colour = parse(style.backgroundColor), image = style.backgroundImage;
			if (image.includes("gradient")) return image.match(/(?:rgba?|color)\([^)]*\)/g).map((c) => parse(c).rgb);
			return colour.a === 1 ? [colour.rgb] : backs(e.parentElement).map((under) => over(colour, under));
		};
		const bad = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const text = walker.currentNode.data.trim(), e = walker.currentNode.parentElement;
			if (!text || !e.checkVisibility({ visibilityProperty: true }) || e.closest("noscript, option, .skip, :disabled, [aria-hidden=true], .hidden, .tools")) continue;
			const style = getComputedStyle(e), size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
			for (const back of backs(e)) {
				const a = luminance(over(parse(style.color), back)), b = luminance(back), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
				if (ratio < (large ? 3 : 4.5)) bad.add(`${ratio.toFixed(2)} ${e.className || e.tagName}: ${text.slice(0, 40)} ${style.color} on ${back.map(Math.round)}`);
			}
		}
		return [...bad];
	});
}
