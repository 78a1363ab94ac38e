// All words are spelled as they are compared: without accents, in lower case.

/** Words that people shorten, or know in the form of another language: St Julian's, Sant Julià, San Ġiljan. */
const plainWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saint: "st ste saint sainte sankt skt sint sant santa santo san sta sto sao",
    mount: "mt mount",
    mountain: "mtn mountain",
    fort: "ft fort",
    point: "pt point",
    port: "port porto puerto",
    north: "n north",
    south: "s south",
    and: "and und et y e i en",
  }).flatMap(([plain, words]) => words.split(" ").map((word) => [word, plain])),
);

/** Articles that a name may begin with and people leave out: la Massana, Is-Swieqi, The Hague, Den Haag. */
const articles: ReadonlySet<string> = new Set(
  [
    "the la le les l lo los las el els es sa ses il i gli der die das den de het s o os a as",
    "al ad an ar as at az ash in id ir is it ix ic iz",
  ]
    .join(" ")
    .split(" "),
);

/** The name of an area as anybody may write it: abbreviations in full, no article. Used when the name itself is unknown. */
export function plainAreaName(phrase: string): string {
  const words = phrase.split(" ");
  const first = words.length > 1 && articles.has(words[0] ?? "") ? 1 : 0;
  return words
    .slice(first)
    .map((word) => plainWords.get(word) ?? word)
    .join(" ");
}

/** The same where a lone `s` is a saint and not the south: S. João, S. Giovanni; undefined without one. */
export function withSaint(phrase: string): string | undefined {
  const words = phrase.split(" ");
  return words.length > 1 && words.includes("s")
    ? plainAreaName(words.map((word) => (word === "s" ? "saint" : word)).join(" "))
    : undefined;
}

/** What stands between a town's name and the river, hill or land that tells it from others. */
const situating: ReadonlySet<string> = new Set(
  "sur sous an am auf bei im ob unter upon on under aan bij nad pod pri sul sulla".split(" "),
);

/** What people call a town whose name tells where it lies: Esch for Esch-sur-Alzette; undefined for other names. */
export function shortAreaName(phrase: string): string | undefined {
  const words = phrase.split(" ");
  const at = words.findIndex((word) => situating.has(word));
  return at > 0 && at < words.length - 1 ? words.slice(0, at).join(" ") : undefined;
}

/** What an official name says of the kind of unit, in the languages that write it as a part of the name, behind it or before. */
const unitEndings =
  /^(.*[^ ]) ?(?:특별자치도|특별자치시|특별시|광역시|[시군구도동읍면]|[都道府県市区町村郡]|自治[区區州县縣]|[省市县縣區州鄉乡鎮镇])$/u;
const unitBeginnings =
  /^(?:เขต|อำเภอ|จังหวัด|ตำบล|แขวง|เทศบาล ?นคร|เทศบาล ?เมือง|thanh pho|tinh|quan|huyen|thi xa|phuong) ?(.+)$/u;

/** The Chinese, Japanese and Korean signs that units end with come after all others: most names need no further look. */
const signsFrom = 0x2e80;

/** What people call a district or a province: 강남 for 강남구, 渋谷 for 渋谷区, Hồ Chí Minh; undefined for other names. */
export function nameWithoutUnit(phrase: string): string | undefined {
  const isEnding = phrase.charCodeAt(phrase.length - 1) >= signsFrom;
  const name = (isEnding ? unitEndings.exec(phrase)?.[1] : undefined) ?? unitBeginnings.exec(phrase)?.[1];
  return name !== undefined && name.length >= 2 && /\p{L}/u.test(name) ? name : undefined;
}
