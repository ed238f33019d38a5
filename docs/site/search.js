// Finds sections that have all words of the query, or their beginnings; the best first.
(() => {
	const root = document.currentScript.dataset.root;
	const query = document.getElementById("query"), found = document.getElementById("found");
	const MOST = 20, AROUND = 70;
	const index = window.sections.map(([address, title, heading, text]) =>
		({ address, title, heading, text, words: text.toLowerCase(), head: heading.toLowerCase(), page: title.toLowerCase() }));

	function score(section, words) {
		let sum = 0;
		for (const word of words) {
			const one = (section.page.includes(word) ? 8 : 0) + (section.head.includes(word) ? 12 : 0) + Math.min(section.words.split(word).length - 1, 4);
			if (one === 0) return 0;
			sum += one;
		}
		return sum;
	}

	// The text around the first word, with every word marked.
	function excerpt(section, words) {
		const places = words.map((w) => section.words.indexOf(w)).filter((n) => n >= 0), out = document.createElement("span");
		const near = places.length ? Math.max(0, Math.min(...places) - AROUND) : 0, at = near && section.text.indexOf(" ", near) + 1;
		const part = `${at ? "… " : ""}${section.text.slice(at, at + 3 * AROUND)}`;
		const pattern = new RegExp(`(${words.map((w) => w.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "iu");
		part.split(pattern).forEach((piece, i) => {
			const node = document.createElement(i % 2 ? "mark" : "span");
			node.textContent = piece;
			out.append(node);
		});
		return out;
	}

	function row({ section }, words) {
		const item = document.createElement("li"), link = document.createElement("a"), name = document.createElement("b");
		link.href = root + section.address;
		name.textContent = section.title === section.heading ? section.title : `${section.title}: ${section.heading}`;
		link.append(name, excerpt(section, words));
		item.append(link);
		return item;
	}

	function search() {
		const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
		found.hidden = words.length === 0;
		if (found.hidden) return;
		const hits = index.map((section) => ({ section, score: score(section, words) })).filter((h) => h.score > 0);
		hits.sort((a, b) => b.score - a.score);
		const nothing = document.createElement("li");
		nothing.textContent = "Nothing is found.";
		found.replaceChildren(...(hits.length ? hits.slice(0, MOST).map((h) => row(h, words)) : [nothing]));
	}

	function close() {
		found.hidden = true;
	}

	query.addEventListener("input", search);
	query.addEventListener("focus", search);
	found.addEventListener("click", (event) => event.target.closest("a") && close());
	document.addEventListener("click", (event) => event.target.closest("search") || close());
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape") close();
		if (event.key === "Enter" && event.target === query) found.querySelector("a")?.click();
		if (event.key !== "/" || event.target === query) return;
		event.preventDefault();
		query.focus();
	});
	// The list of pages is open where there is room for it.
	const pages = document.querySelector(".pages"), wide = matchMedia("(min-width: 60rem)");
	const fit = () => { pages.open = wide.matches; };
	wide.addEventListener("change", fit);
	fit();
	for (const link of pages.querySelectorAll("a")) if (link.href === location.href.replace(/[?#].*/, "")) link.setAttribute("aria-current", "page");
})();
