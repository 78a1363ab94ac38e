import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseContactPages } from "./contact-pages.ts";
import { isOwnEmail } from "./emails.ts";
import { readPage } from "./page.ts";
import { socialProfile } from "./social-profiles.ts";
import { decodeText } from "./text-decoding.ts";

const home = "https://www.cafe-sonne.ch/";

test("an e-mail address is found however it is written", () => {
  const spellings = [
    `<a href="mailto:info@cafe-sonne.ch">write</a>`,
    `<a href="MAILTO:Info%40Cafe-Sonne.ch?subject=Hi&cc=other@elsewhere.ch">write</a>`,
    `<a href="&#109;&#97;&#105;&#108;&#116;&#111;&#58;info&#64;cafe-sonne.ch">write</a>`,
    `<p>Write to info@cafe-sonne.ch.</p>`,
    `<p>info&#64;cafe-sonne&#46;ch</p>`,
    `<p>&#x69;nfo&commat;cafe-sonne&period;ch</p>`,
    `<p>info<span>@</span><b>cafe-sonne</b>.ch</p>`,
    `<p>info<span style="display: none">.nothing</span>@cafe-sonne.ch</p>`,
    `<p>info<!-- @nobody.com -->@cafe-sonne.ch</p>`,
    `<p>info [at] cafe-sonne [dot] ch</p>`,
    `<p>info(at)cafe-sonne(dot)ch</p>`,
    `<p>info {AT} cafe-sonne {DOT} ch</p>`,
    `<p>info (ät) cafe-sonne (punkt) ch</p>`,
    `<p>info [arroba] cafe-sonne.ch</p>`,
    `<p>info[@]cafe-sonne.ch</p>`,
    `<p>info＠cafe-sonne.ch</p>`,
    `<p>in&shy;fo@cafe&shy;-sonne.ch</p>`,
    `<p>in&#8203;fo&#8288;@&#65279;cafe-sonne.ch</p>`,
    `<p>in\0fo@cafe-sonne.ch</p>`,
    `<p>邮箱info@cafe-sonne.ch</p>`,
    `<p>(info@cafe-sonne.ch)</p><p>'INFO@CAFE-SONNE.CH'</p>`,
    `<a href="/cdn-cgi/l/email-protection#${masked("info@cafe-sonne.ch", 0x5a)}">[email&#160;protected]</a>`,
    `<span class="__cf_email__" data-cfemail="${masked("info@cafe-sonne.ch", 0x01)}">[email&#160;protected]</span>`,
    `<script type="application/ld+json">{"@type":"Cafe","email":"mailto:info@cafe-sonne.ch"}</script>`,
    `<script type="application/ld+json">[{"@graph":[{"contactPoint":[{"email":["info@cafe-sonne.ch"]}]}]}]</script>`,
    `<noscript>info@cafe-sonne.ch</noscript>`,
    `<span style="unicode-bidi: bidi-override; direction: rtl">hc.ennos-efac@<b>ofni</b></span>`,
    `<script>document.write("<a href='mailto:" + "info" + "@" + "cafe-sonne" + '.ch' + "'>write</a>")</script>`,
    `<script>var m = 'info' + '@' + 'cafe-sonne.ch';</script>`,
    `<html><head><title>x</title><p>info@cafe-sonne.ch`,
  ];

  for (const html of spellings) assert.deepEqual(readPage(html, home).emails, ["info@cafe-sonne.ch"], html);
});

test("what only looks like an e-mail address is none", () => {
  const decoys = [
    `<p>logo@2x.png icon@3x.webp banner@2x.ai photo@1.5x.jpg jquery@3.7.1.min.js</p>`,
    `<p>your@email, name@domain, me@localhost, me@printer.local, me@cafe.test, @cafe_sonne, a@b, me@10.0.0.1</p>`,
    `<p>we meet at noon (at the bar) at 5.30</p>`,
    `<script>var a = "info@cafe-sonne.ch"</script><style>a@cafe-sonne.ch</style><template>a@cafe-sonne.ch</template>`,
    `<p hidden>info@cafe-sonne.ch</p><img src="info@cafe-sonne.ch"><p>one<br>@two.ch</p>`,
    `<script type="application/ld+json">{"email": "info@cafe-sonne.ch"</script>`,
    `<span data-cfemail="zz">x</span><span data-cfemail="5a">x</span>`,
    `<p>info@${"a".repeat(250)}.ch</p><p>info@${`${"a".repeat(60)}.`.repeat(4)}chch.ch</p>`,
    `<p>..@cafe.ch a..b@cafe.ch</p>`,
    `<p>müller@cafe-sonne.ch mu\u0308ller@cafe-sonne.ch</p><a href="mailto:m%C3%BCller@cafe-sonne.ch">x</a>`,
    `<p>${"x".repeat(65)}@cafe-sonne.ch ${"x".repeat(100_000)}@cafe-sonne.ch</p>`,
  ];

  for (const html of decoys) assert.deepEqual(readPage(html, home).emails, [], html);
});

test("an address of 254 characters is taken and one of 255 is not", () => {
  const start = `${"x".repeat(20)}@${`${"a".repeat(60)}.`.repeat(3)}`;
  const [fits, exceeds] = [`${start}${"b".repeat(47)}.ch`, `${start}${"b".repeat(48)}.ch`];
  assert.equal(fits.length, 254);

  assert.deepEqual(readPage(`<p>${fits}</p><p>${exceeds}</p>`, home).emails, [fits]);
});

test("a name of 64 characters and one with an apostrophe are taken whole", () => {
  const long = `${"x".repeat(64)}@cafe-sonne.ch`;

  assert.deepEqual(readPage(`<p>'${long}', o'brien@cafe-sonne.ch</p>`, home).emails, [long, "o'brien@cafe-sonne.ch"]);
});

test("an address under a domain with letters of its language is told in ASCII", () => {
  assert.deepEqual(readPage("<p>info@müller.de</p>", home).emails, ["info@xn--mller-kva.de"]);
});

test("examples, toolmakers and machines are not the business", () => {
  const strangers = `info@example.com name@domain.com your.name@gmail.com you@cafe-sonne.ch john.doe@company.com
    0123456789abcdef0123456789abcdef@o1.ingest.sentry.io x@sentry.wixpress.com support@squarespace.com
    max.mustermann@web.de noreply@cafe-sonne.ch filler@godaddy.com user@email.com`.split(/\s+/);
  for (const email of strangers) assert.equal(isOwnEmail(email, "cafe-sonne.ch"), false, email);
  for (const email of ["info@cafe-sonne.ch", "cafe.sonne@gmail.com", "x@email.cz", "info@mail.cafe-sonne.ch"])
    assert.equal(isOwnEmail(email, "cafe-sonne.ch"), true, email);
  assert.equal(isOwnEmail("press@squarespace.com", "squarespace.com"), true);
});

test("a social profile has one spelling", () => {
  const spellings: Record<string, string> = {
    "http://facebook.com/cafesonne/": "https://www.facebook.com/cafesonne",
    "https://de-de.facebook.com/cafesonne?ref=page#x": "https://www.facebook.com/cafesonne",
    "https://m.facebook.com/cafesonne/about": "https://www.facebook.com/cafesonne",
    "https://fb.com/cafesonne": "https://www.facebook.com/cafesonne",
    "https://www.facebook.com/profile.php?id=100012345678&sk=about":
      "https://www.facebook.com/profile.php?id=100012345678",
    "https://www.facebook.com/pages/Cafe-Sonne/123456789": "https://www.facebook.com/pages/Cafe-Sonne/123456789",
    "https://www.facebook.com/p/Cafe-Sonne-61550000000000/": "https://www.facebook.com/p/Cafe-Sonne-61550000000000",
    "https://instagram.com/cafe.sonne?igshid=x": "https://www.instagram.com/cafe.sonne",
    "https://twitter.com/cafesonne": "https://x.com/cafesonne",
    "https://mobile.twitter.com/cafesonne?lang=de": "https://x.com/cafesonne",
    "https://de.linkedin.com/company/cafe-sonne/about/": "https://www.linkedin.com/company/cafe-sonne",
    "https://linkedin.com/in/anna-sonne": "https://www.linkedin.com/in/anna-sonne",
    "https://youtube.com/@cafesonne/videos": "https://www.youtube.com/@cafesonne",
    "https://m.youtube.com/channel/UC0123456789": "https://www.youtube.com/channel/UC0123456789",
    "https://www.tiktok.com/@cafe.sonne?lang=en": "https://www.tiktok.com/@cafe.sonne",
    "https://pinterest.de/cafesonne/": "https://www.pinterest.com/cafesonne",
    "https://t.me/s/cafesonne": "https://t.me/cafesonne",
    "https://telegram.me/cafesonne": "https://t.me/cafesonne",
    "https://api.whatsapp.com/send?phone=%2B41441234567&text=Hi": "https://wa.me/41441234567",
    "https://wa.me/41441234567?text=Hi": "https://wa.me/41441234567",
    "https://wa.me/+41%2044%20123%2045%2067": "https://wa.me/41441234567",
    "https://wa.me/(41) 441234567": "https://wa.me/41441234567",
    "https://www.threads.net/@cafesonne": "https://www.threads.net/@cafesonne",
    "https://bsky.app/profile/cafesonne.bsky.social": "https://bsky.app/profile/cafesonne.bsky.social",
    "https://www.xing.com/companies/cafesonne": "https://www.xing.com/companies/cafesonne",
    "https://vk.com/cafesonne": "https://vk.com/cafesonne",
    "https://vimeo.com/cafesonne": "https://vimeo.com/cafesonne",
  };

  for (const [link, profile] of Object.entries(spellings)) assert.equal(socialProfile(link), profile, link);
});

test("links to share, to posts and to the networks themselves are no profiles", () => {
  const links =
    `https://www.facebook.com/sharer/sharer.php?u=x https://www.facebook.com/ https://facebook.com/dialog/share
    https://www.facebook.com/cafesonne/posts/123456 https://www.facebook.com/tr?id=1 https://www.facebook.com/events/12345
    https://www.facebook.com/profile.php https://www.facebook.com/index.php https://www.facebook.com/wix https://www.instagram.com/p/Cx1/
    https://www.instagram.com/explore/tags/x https://instagram.com https://twitter.com/intent/tweet?text=x
    https://x.com/share?url=x https://x.com/cafesonne/status/123 https://twitter.com/hashtag/x
    https://www.linkedin.com/shareArticle?url=x https://www.linkedin.com/feed/update/x https://www.linkedin.com/company
    https://www.linkedin.com/company/x/jobs/123 https://www.youtube.com/watch?v=x https://youtu.be/x
    https://www.youtube.com/embed/x https://www.tiktok.com/@cafe/video/123 https://www.tiktok.com/tag/x
    https://www.pinterest.com/pin/create/button/?url=x https://t.me/share/url?url=x https://t.me/+AbCdEf
    https://api.whatsapp.com/send?text=x https://wa.me/?text=x whatsapp://send?text=x https://vimeo.com/123456
    https://facebook.com.attacker.example/cafesonne https://notfacebook.com/cafesonne https://cafe-sonne.ch/facebook
    javascript:void(0) mailto:a@b.ch`.split(/\s+/);

  for (const link of links) assert.equal(socialProfile(link), undefined, link);
});

test("profiles stand in links and in JSON-LD, and a page tells each once", () => {
  const html = `<base href="https://www.cafe-sonne.ch/de/">
    <a href="//www.facebook.com/cafesonne">f</a><a href="https://facebook.com/cafesonne/">f</a>
    <script type="application/ld+json">{"sameAs":["https://www.instagram.com/cafesonne/","https://de.wikipedia.org/wiki/X",7]}</script>
    <script type="application/ld+json">{"sameAs":"https://x.com/cafesonne"}</script><a href="kontakt">Kontakt</a>`;

  const page = readPage(html, home);

  assert.deepEqual(page.socialProfiles, [
    "https://www.facebook.com/cafesonne",
    "https://www.instagram.com/cafesonne",
    "https://x.com/cafesonne",
  ]);
  assert.deepEqual(page.links, [{ url: "https://www.cafe-sonne.ch/de/kontakt", text: "Kontakt" }]);
});

test("contact pages are known by their address or their name in many languages", () => {
  const paths =
    `contact contact-us.html kontakt.php contatti contacto contato kapcsolat iletisim impressum mentions-legales
    aviso-legal colofon about ueber-uns a-propos qui-sommes-nous chi-siamo sobre-nosotros over-ons om-oss o-nas
    %D0%BA%D0%BE%D0%BD%D1%82%D0%B0%D0%BA%D1%82%D1%8B`.split(/\s+/);
  const names =
    `Kontakt & Anfahrt|Über uns|Contáctenos|Επικοινωνία|Контакты|О компании|お問い合わせ|会社概要|联系我们|關於我們
    |문의하기|اتصل بنا|צור קשר|ติดต่อเรา|संपर्क करें|Liên hệ|İletişim|Elérhetőség|O nás|Hakkımızda`.split("|");

  for (const path of paths)
    assert.equal(chooseContactPages([{ url: home + path, text: "" }], new Set()).length, 1, path);
  for (const text of names) assert.equal(chooseContactPages([{ url: `${home}p/7`, text }], new Set()).length, 1, text);
  for (const path of ["menu", "roundabout", "contact.pdf", "jobs", "%E0%A4%A", "blog/2024"])
    assert.deepEqual(chooseContactPages([{ url: home + path, text: "More" }], new Set()), [], path);
});

test("of many contact pages the four best are chosen, contact before imprint before about", () => {
  const links = ["about", "team/about-us", "impressum", "contact#form", "contact", "kontakt", "legal", "contact/form"];

  const chosen = chooseContactPages(
    links.map((path) => ({ url: home + path, text: "" })),
    new Set([`${home}kontakt`]),
  );

  assert.deepEqual(chosen, [`${home}contact`, `${home}contact/form`, `${home}impressum`, `${home}legal`]);
});

test("text is read in its own encoding, and in some encoding when it names none or a wrong one", () => {
  const latin = Buffer.from("Café", "latin1");

  assert.equal(decodeText(Buffer.from("Café"), "text/html"), "Café");
  assert.equal(decodeText(latin, "text/html"), "Café");
  assert.equal(decodeText(latin, "text/html; charset=iso-8859-1"), "Café");
  assert.equal(
    decodeText(Buffer.from('<meta charset="windows-1251">\xca\xe0\xf4\xe5', "latin1"), "text/html").slice(-4),
    "Кафе",
  );
  assert.equal(decodeText(Buffer.from("\ufeffCafé", "utf16le"), "text/html; charset=utf-8"), "Café");
  assert.equal(decodeText(latin, "text/html; charset=klingon"), "Caf\ufffd");
  for (const label of ["utf-16", "UTF-16LE", "unicode", "ucs-2"])
    assert.match(decodeText(Buffer.from(`<meta charset="${label}">Café`), "text/html"), />Café$/);
  assert.equal(decodeText(Buffer.alloc(0), ""), "");
});

test("the rest of a page that nests too deeply is left unread", () => {
  assert.deepEqual(readPage(nested(510), home).emails, ["a@cafe-sonne.ch", "b@cafe-sonne.ch"]);
  assert.deepEqual(readPage(nested(520), home).emails, ["a@cafe-sonne.ch"]);
});

test("a link of 2048 characters is followed and one of 2049 is not, whatever the page's base", () => {
  const path = (length: number) => `/${"x".repeat(length - home.length)}`;
  const links = (html: string) => readPage(html, home).links.map(({ url }) => url.length);

  assert.deepEqual(links(`<a href="${path(2048)}">fits</a><a href="${path(2049)}">exceeds</a>`), [2048]);
  assert.deepEqual(links(`<base href="${path(2100)}"><a href="near">ignores the base</a>`), [home.length + 4]);
});

// One of these took most of a minute before the nesting was bounded.
test("no megabyte of hostile text keeps the reader busy", { timeout: 30_000 }, () => {
  const million = 1_000_000;
  for (const piece of [
    "a",
    "@",
    "a@",
    "<a>",
    "<a href=mailto:",
    "[at]",
    " (",
    "<div>",
    "&#64;",
    "<!--",
    "\u0000",
    "[",
    "a.",
  ]) {
    const html = piece.repeat(million / piece.length);
    readPage(html, home);
    readPage(`<script type="application/ld+json">${html}</script>`, home);
  }
});

function nested(depth: number): string {
  return `a@cafe-sonne.ch${"<div>".repeat(depth)}b@cafe-sonne.ch`;
}

function masked(email: string, mask: number): string {
  return Buffer.from([mask, ...Buffer.from(email).map((byte) => byte ^ mask)]).toString("hex");
}

test("a page that says UTF-8 and is Latin-1 is read as what it is; one broken character changes nothing", () => {
  const page = '<a href="/über-uns">Über uns</a>';
  const latin = Buffer.from(page, "latin1");
  const broken = Buffer.concat([Buffer.from(page), Buffer.from([0xfc])]);

  assert.equal(decodeText(latin, "text/html; charset=utf-8"), page);
  assert.deepEqual(readPage(decodeText(latin, "text/html; charset=utf-8"), home).links, [
    { url: `${home}%C3%BCber-uns`, text: "Über uns" },
  ]);
  assert.ok(decodeText(broken, "text/html; charset=utf-8").startsWith(page));
});
