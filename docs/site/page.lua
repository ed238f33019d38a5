-- What a page of the site is more than its Markdown: links lead to pages, tables can be scrolled, and its sections are in the index of the search.
local file, out = os.getenv("SITE_FILE"), os.getenv("SITE_OUT")
local index, files = io.open(out .. "/search-index.js", "a"), io.open(out .. "/files", "a")
local title, sections = nil, {}

local function quoted(text)
	return '"' .. text:gsub('[%c"\\]', function(c) return string.format("\\u%04x", c:byte()) end) .. '"'
end

local function is_elsewhere(target)
	return target:match("^%a[%w+.-]*:") or target:match("^#")
end

-- Notes a file that belongs to the site, too.
local function need(target)
	files:write("./", file:match("^.*/") or "", target, "\n")
end

function Link(link)
	if is_elsewhere(link.target) then return end
	if not link.target:match("%.md$") and not link.target:match("%.md#") then
		need(link.target)
	end
	link.target = link.target:gsub("README%.md", "index.md"):gsub("%.md$", ".html"):gsub("%.md#", ".html#")
	return link
end

function Image(image)
	need(image.src)
end

function Table(table)
	return pandoc.Div({ table }, { class = "table" })
end

-- Sections in order, each with its text.
local function collect(blocks)
	for _, block in ipairs(blocks) do
		if block.t == "Header" then
			title = title or pandoc.utils.stringify(block)
			sections[#sections + 1] = { id = block.identifier, heading = pandoc.utils.stringify(block), text = {} }
		elseif #sections > 0 then
			local section = sections[#sections].text
			block:walk({
				traverse = "topdown",
				Str = function(s) section[#section + 1] = s.text end,
				Code = function(c) section[#section + 1] = c.text end,
				CodeBlock = function(c) section[#section + 1] = c.text end,
				Space = function() section[#section + 1] = " " end,
				SoftBreak = function() section[#section + 1] = " " end,
				Plain = function() section[#section + 1] = " " end,
				Para = function() section[#section + 1] = " " end,
			})
			if block.t == "CodeBlock" then section[#section + 1] = block.text end
			section[#section + 1] = " "
		end
	end
end

function Pandoc(doc)
	collect(doc.blocks)
	for _, s in ipairs(sections) do
		local text = table.concat(s.text):gsub("%s+", " ")
		index:write("[", quoted(file .. "#" .. s.id), ",", quoted(title), ",", quoted(s.heading), ",", quoted(text), "],\n")
	end
	index:close()
	files:close()
	doc.meta.pagetitle = title == "Myna" and title or title .. " · Myna"
	return doc
end
