"""HTML becomes Markdown that reads like the page, whatever shape the HTML is in."""

from __future__ import annotations

import time
from typing import Any

import pytest

from agentctl.tools.failure import ToolError
from agentctl.tools.fetch.page import perform


def convert(source: str, form: str = "markdown") -> dict[str, Any]:
    return perform({"form": form, "source": source, "url": "https://e.example/d/page.html"})


def text(source: str, form: str = "markdown") -> str:
    found: str = convert(source, form)["text"]
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1>One</h1><h3>Three</h3><p>Text", "# One\n\n### Three\n\nText"),
        ("<p>a<p>b<p>c", "a\n\nb\n\nc"),
        ("<p>one\n  two\t three&nbsp;four", "one two three four"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<p>x <b>bold</b> <strong>too</strong> <i>it</i> <del>no</del>", "x **bold** **too** *it* ~~no~~"),
        ("<p>x<b> bold </b>y", "x **bold** y"),
        ("<p><b></b><i> </i>x", "x"),
        ("<p>run <code>a  b</code>, <kbd>Ctrl</kbd>", "run `a b`, `Ctrl`"),
        ("<p><code>a`b</code>", "`` a`b ``"),
        ("<p><code>x <b>y</b></code>", "`x y`"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<ol start=99999999999999><li>a</ol>", "1. a"),
        ("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n- c"),
        ("<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
        ("<blockquote>a<ul><li>b</ul></blockquote>", "> a\n>\n> - b"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<dl><dt>T<dd>D<dt>U<dd>E</dl>", "**T**\n: D\n\n**U**\n: E"),
        ("<pre>a\n  b &lt;c&gt;\n\n</pre>", "```\na\n  b <c>\n```"),
        ('<pre><code class="language-py">x = 1</code></pre>', "```py\nx = 1\n```"),
        ('<div class="highlight-python"><pre>x</pre></div>', "```python\nx\n```"),
        ("<pre>``` x</pre>", "````\n``` x\n````"),
        ("<pre><span>a</span><br><b>b</b></pre>", "```\na\nb\n```"),
        ("<ul><li>x<pre>a\nb</pre></ul>", "- x\n\n  ```\n  a\n  b\n  ```"),
        ("<a href=/x>y</a>", "[y](https://e.example/x)"),
        ("<a href='../z?a=1&amp;b=2'>y</a>", "[y](https://e.example/z?a=1&b=2)"),
        ("<a href='//h.example/(x) y'>y</a>", "[y](https://h.example/%28x%29%20y)"),
        ("<a href='/日本'>語</a>", "[語](https://e.example/%E6%97%A5%E6%9C%AC)"),
        ("<a href='mailto:a@b.example'>m</a>", "[m](mailto:a@b.example)"),
        ("<a href='javascript:alert(1)'>y</a>", "y"),
        ("<a href='data:text/html,x'>y</a>", "y"),
        ("<a href='#part'>y</a>", "y"),
        ("<a href='http://[::1'>y</a>", "y"),
        ("<a>y</a>", "y"),
        ("<h2>T<a class=headerlink href='#t'>¶</a></h2>", "## T"),
        ("<a href=/x><h3>Card</h3><p>more</a>", "### [Card](https://e.example/x)\n\nmore"),
        ("<a href=/x>a<a href=/y>b</a>", "[a](https://e.example/x)[b](https://e.example/y)"),
        ("<base href='https://o.example/q/'><a href=x>y</a>", "[y](https://o.example/q/x)"),
        ("<img src=/i.png alt='A  dog'>", "![A dog](https://e.example/i.png)"),
        ("<img src='data:image/png;base64,xx' alt='A dog'>", "![A dog]"),
        ("<img src=/i.png><img src=/j.png alt=''>x", "x"),
        ("<a href=/x><img src=/i.png alt=i></a>", "[![i](https://e.example/i.png)](https://e.example/x)"),
        (
            "<table><tr><th>A<th>B<tr><td>1<td>2 | 3</table>",
            "| A | B |\n| --- | --- |\n| 1 | 2 \\| 3 |",
        ),
        (
            "<table><caption>C</caption><thead><tr><th>A<th>B</thead><tbody><tr><td colspan=2>1</table>",
            "C\n\n| A | B |\n| --- | --- |\n| 1 |  |",
        ),
        (
            "<table><tr><td rowspan=2>a<td>b<tr><td>c</table>",
            "| a | b |\n| --- | --- |\n|  | c |",
        ),
        (
            "<table><tr><td>a<br>b<td><ul><li>c<li>d</ul></table>",
            "| a b | c; d; |\n| --- | --- |",
        ),
        ("<table><tr><td><h2>T</h2><td><p>x</table>", "## T\n\nx"),
        ("<table><tr><td>only<tr><td>one</table>", "only\n\none"),
        (
            "<table><tr><td><table><tr><td>a<td>b</table><td>c</table>",
            "| a | b |\n| --- | --- |\n\nc",
        ),
        ("<math alttext='x^2'><mi>x</mi></math>", "$x^2$"),
        ("<details><summary>S</summary>x</details>", "**S**\n\nx"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("1 < 2 && 3 > 2 <3", "1 < 2 && 3 > 2 <3"),
        ("a<!-- <p>no -->b<!-->c<!--->d", "abcd"),
        ("a<?php echo '<p>'; ?>b<!x>c</>d</ x>e", "a'; ?>bcde"),
        ("<p title='a > b'>x", "x"),
        ("<p\n class=a\n>x</p\n>", "x"),
        ("&lt;p&gt; &amp;amp; &eacute; &#x41; &#65; &nosuch; &#xD800; &", "<p> &amp; é A A &nosuch; � &"),
        ("<xmp><b>raw</b></xmp>", "<b>raw</b>"),
        ("", ""),
        ("   \n ", ""),
    ],
)
def test_html_becomes_markdown(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    "noise",
    [
        "<script>if (a < b) document.write('<p>noise</p>')</script>",
        "<SCRIPT>noise</script >",
        "<style>p { noise: 1 }</style>",
        "<noscript>noise</noscript>",
        "<template><p>noise</p></template>",
        "<svg><title>noise</title><text>noise</text></svg>",
        "<iframe>noise</iframe>",
        "<nav><ul><li><a href=/>noise</a></ul></nav>",
        "<footer>noise</footer>",
        "<aside>noise</aside>",
        "<form><label>noise</label><input value=noise><select><option>noise</select></form>",
        "<button>noise</button>",
        "<textarea>noise <b></textarea>",
        "<header><div>noise</div></header>",
        "<div role=navigation>noise</div>",
        "<div role=banner>noise</div>",
        "<div hidden>noise</div>",
        "<div style='color: red; display : none'>noise</div>",
        "<span aria-hidden=true>noise</span>",
        "<div class='cookie-banner x'>noise</div>",
        "<div id=sidebar>noise</div>",
        "<ul class='share-buttons'><li>noise</ul>",
        "<div class='ad'>noise</div>",
        "<p class='newsletter_signup'>noise",
        "<!-- noise -->",
        "<div class='breadcrumbs'>noise</div>",
    ],
)
def test_what_is_not_the_text_of_the_page_is_gone(noise: str) -> None:
    found = text(f"<body><p>{'The text of the page. ' * 5}</p>{noise}<p>Its end.</p></body>")
    assert found == f"{'The text of the page. ' * 5}".strip() + "\n\nIts end."


@pytest.mark.parametrize(
    "source",
    [
        "<form><p>{}</p></form>",
        "<div class='main-nav'><p>{}</p></div>",
        "<aside>{}</aside><p>x",
        "<div id=sidebar-layout class='no-sidebar'>{}</div>",
        "<header><h1>T</h1>{}</header>",
    ],
)
def test_what_holds_most_of_the_text_is_the_text_whatever_it_is_called(source: str) -> None:
    words = "Everything that this page says stands here. " * 10
    assert words.strip() in text(source.format(words))


def test_the_main_element_is_read_without_what_is_around_it() -> None:
    page = "<div>before</div><main><h1>T</h1><p>body</p></main><div>after</div>"
    assert text(page) == "# T\n\nbody"


def test_an_article_is_read_and_a_list_of_articles_is_read_whole() -> None:
    words = "word " * 50
    assert text(f"<div>x</div><article>{words}</article><div>y</div>") == words.strip()
    many = "".join(f"<article><h2>{n}</h2>{words}</article>" for n in range(3))
    assert text(f"<div>{many}</div>").count("## ") == 3


def test_an_empty_main_is_not_the_page() -> None:
    assert text("<main></main><div>" + "word " * 50 + "</div>") == ("word " * 50).strip()


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title> A &amp;\n B </title><h1>C</h1>", "A & B"),
        ("<svg><title>no</title></svg><p>x", "no"),
        ("<meta property='og:title' content='S'><p>x", "S"),
        ("<h1>C</h1>", "C"),
        ("<p>x", None),
        ("<title>" + "x" * 5_000, "x" * 300),
    ],
)
def test_the_title_is_the_pages_own(source: str, title: str | None) -> None:
    assert convert(source)["title"] == title


def test_plain_text_has_no_marks() -> None:
    source = "<h1>T</h1><p>a <b>b</b> <a href=/x>c</a> <code>d</code> <img src=/i alt=e><pre>f</pre>"
    assert text(source, "text") == "T\n\na b c d e\n\nf"


def test_html_is_kept_without_scripts_styles_and_comments() -> None:
    source = (
        "<!DOCTYPE html>\n<html><head><title>T</title><style>x</style>\n\n\n<script>y</script></head>"
        "<!-- z --><body onload=a><p>b &amp; c</p></body></html>"
    )
    body = "<body onload=a><p>b &amp; c</p></body></html>"
    assert convert(source, "html") == {
        "title": "T",
        "text": f"<!DOCTYPE html>\n<html><head><title>T</title>\n</head>{body}",
    }


def test_json_is_formatted_and_nothing_of_it_lost() -> None:
    source = '{"a":1e999,"a":12345678901234567890123,"b":[1.10,"é"]}'
    assert text(source, "json") == (
        '{\n  "a": 1e999,\n  "a": 12345678901234567890123,\n  "b": [\n    1.10,\n    "é"\n  ]\n}'
    )


@pytest.mark.parametrize(
    "source", ["[" * 100_000, '{"a":' * 100_000, "[1,]", "NaN", "{", "<p>", "1" * 100_000 + "x"]
)
def test_json_that_is_none_or_too_deep_is_an_error(source: str) -> None:
    with pytest.raises(ToolError, match="JSON"):
        convert(source, "json")


def test_twenty_thousand_nested_elements_survive() -> None:
    for tag in (
        "div",
        "span",
        "b",
        "ul><li",
        "blockquote",
        "table><tr><td",
        "p",
        "a",
        "font",
        "section",
        "dl><dd",
    ):
        source = (
            f"<{tag}>" * 20_000 + "deep" + "".join(f"</{part}>" for part in tag.split("><")[::-1]) * 20_000
        )
        assert "deep" in text(source + "<p>after"), tag
        assert "after" in text(source + "<p>after"), tag


SIZE = 60_000
BROKEN = {
    "opened tags": "<div>",
    "opened links": "<a href='",
    "quotes": '<a x="b',
    "lone brackets": "<",
    "ends": "</",
    "end tags of nothing": "</span>",
    "comments": "<!--",
    "declarations": "<!",
    "instructions": "<?",
    "sections": "<![CDATA[",
    "scripts": "<script>",
    "titles": "<title>",
    "crossed tags": "<b><i></b></i>",
    "paragraphs": "<p><span>x",
    "items": "<li>x",
    "lists": "<ul><li>x",
    "tables": "<table><tr><td>x",
    "rows": "<tr><td colspan=999999 rowspan=999999>x",
    "ampersands": "&",
    "entities": "&#9",
    "backticks": "`",
    "spaces": " ",
    "lines": "\n",
    "attributes": "a=b ",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_html_is_read_once_and_not_over_and_over(name: str) -> None:
    for before in ("", "<table><tr><td>", "<a ", "<pre><code>"):
        source = before + BROKEN[name] * (SIZE // len(BROKEN[name]))
        started = time.process_time()
        convert(source)
        convert(source, "html")
        # Parts of a second where each place is looked at a few times; minutes where it is for each other one.
        assert time.process_time() - started < 20, before


@pytest.mark.parametrize(
    "source",
    [
        "&#" + "9" * 1_000_000 + ";",
        "&#x" + "f" * 1_000_000 + ";",
        "<a href='" + "x" * 1_000_000 + "'>y</a>",
        "<div class='" + "ad " * 300_000 + "'>y</div>",
        "<div style='" + "display" + " " * 1_000_000 + "'>y</div>",
        "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>&b;",
        "<" + "x" * 1_000_000 + ">y",
        "<img alt='" + "y" * 1_000_000 + "'>",
    ],
)
def test_huge_parts_and_entities_cost_no_more_than_their_size(source: str) -> None:
    started = time.process_time()
    convert(source)
    assert time.process_time() - started < 10


def test_a_text_that_grows_is_cut() -> None:
    found = convert("<blockquote>" * 10 + "<p>x" * 60_000)
    assert (len(found["text"]), found["truncated"]) == (1_000_000, True)
