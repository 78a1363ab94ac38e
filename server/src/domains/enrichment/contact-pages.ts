export type Link = { url: string; text: string };

const contactPagesMax = 4;

/** The links most likely to lead to an address, best first: contact, then imprint, then about. */
export function chooseContactPages(links: readonly Link[], visited: ReadonlySet<string>): string[] {
  const rankByUrl = new Map<string, number>();
  for (const { url, text } of links) {
    const plain = withoutFragment(url);
    const rank = rankOf(plain, text);
    if (rank === undefined || visited.has(plain) || isFile.test(new URL(plain).pathname)) continue;
    rankByUrl.set(plain, Math.min(rank, rankByUrl.get(plain) ?? rank));
  }
  const ranked = [...rankByUrl].sort(([, one], [, other]) => one - other);
  return ranked.slice(0, contactPagesMax).map(([url]) => url);
}

export function withoutFragment(url: string): string {
  return url.split("#")[0] ?? url;
}

function rankOf(url: string, text: string): number | undefined {
  const { pathname, search } = new URL(url);
  const said = [plainWords(decoded(pathname + search)), plainWords(text.slice(0, 200))];
  const rank = kinds.findIndex((kind) => kind.some((phrase) => said.some((words) => words.includes(phrase))));
  return rank === -1 ? undefined : rank;
}

/** Lower case without accents, runs of anything but letters and digits as one space. */
function plainWords(text: string): string {
  const bare = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const plain = bare.replaceAll("ß", "ss").replaceAll("ı", "i");
  return ` ${plain.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isFile = /\.(pdf|docx?|xlsx?|zip|png|jpe?g|gif|svg|webp|mp[34]|vcf|ics|xml|rss)$/i;

/** What is looked for in plain words: a space before a phrase stands for the beginning of a word. */
function phrases(spaced: string, unspaced: string): string[] {
  return [...plainPhrases(spaced), ...plainPhrases(unspaced).map((phrase) => phrase.trimStart())];
}

function plainPhrases(list: string): string[] {
  return list.split(",").map((phrase) => plainWords(phrase).trimEnd());
}

/** Kinds of page in the order in which they are worth a visit. */
const kinds: readonly (readonly string[])[] = [
  phrases(
    `contact, kontakt, contatt, contato, kapcsolat, elérhetőség, iletişim, yhteys, susisiekti, kontakti, επικοινωνία,
    epikoinonia, контакт, связаться, зв'язок, liên hệ, lien he, reach us, get in touch, write to us, find us, anfahrt,
    hubungi, wasiliana, makipag-ugnayan`,
    "お問い合わせ, お問合せ, 問い合わせ, 連絡先, 联系, 聯絡, 聯繫, 联络, 문의, 연락처, اتصل, تواصل, צור קשר, צרו קשר, ติดต่อ, संपर्क",
  ),
  phrases(
    `impressum, imprint, impresszum, legal, mentions légales, aviso legal, note legali, note legale, colofon, site notice,
    juridisch, реквизиты, правовая информация`,
    "特定商取引, 运营商, 사업자",
  ),
  phrases(
    `about, über uns, ueber uns, über mich, ueber mich, à propos, qui sommes, chi siamo, sobre, quienes somos, quem somos,
    nosotros, over ons, om oss, om os, o nas, o nás, o firmie, tietoa, despre, rólunk, hakkımızda, kurumsal, за нас, о нас,
    о компании, про нас, σχετικά, company, our team, das team, unternehmen, notre équipe, tentang, giới thiệu`,
    "会社概要, 会社案内, 私たちについて, 关于, 關於, 회사소개, من نحن, אודות, เกี่ยวกับ",
  ),
];
