// Letters as passports and road signs write them in Latin, each followed by its spelling. All words are spelled
// as they are compared: lower case, without accents, so that й is и, ї is і and ς is σ.
const greek =
  "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s τ t υ y φ f χ ch ψ ps ω o ου ou αυ av ευ ev γγ ng";
/** Before these, the second letter of αυ and ευ is an f: Ναύπλιο is Nafplio. */
const voiceless = "θκξπστφχψ";
const cyrillic =
  "а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ы y э e ю yu я ya і i є ie ґ g ђ d ј j љ lj њ nj ћ c џ dz ѕ dz ә a ғ g қ k ң n ө o ұ u ү u һ h ҳ h ҷ j";
const georgian =
  "ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h";

/** Letters that people write otherwise than passports do, unless their language's file says another way: "hotel", "centr". */
const usuallyTyped = { х: "h", ц: "c", щ: "sch" };

/** Marks of hard and soft sounds, which have no letter of their own. */
const silent = /[ъь]/gu;

const unvoiced = new RegExp(`([αε])υ(?=[${voiceless}])`, "gu");
const latin = pairsOf(`${greek} ${cyrillic} ${georgian}`);
const letters = new RegExp([...latin.keys()].sort((a, b) => b.length - a.length).join("|"), "gu");
const foreign = /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Georgian}]/u;

/** A name in Greek, Cyrillic or Georgian letters as others write it, in each of the ways; none for other names. */
export function transliterations(phrase: string): string[] {
  if (!foreign.test(phrase)) return [];
  const voiced = phrase.replaceAll(silent, "").replaceAll(unvoiced, "$1φ");
  // An и behind a vowel may have been й, which passports write as i and lists of towns as y: Нижний Новгород.
  const written = [voiced, voiced.replaceAll(glide, "y")];
  return [...new Set(written.map((each) => each.replaceAll(letters, (letter) => latin.get(letter) ?? letter)))];
}

/** A kind of place in one of these languages as people type it in Latin letters, some otherwise than passports do. */
export function romanized(phrase: string, typed: Readonly<Record<string, string>> = usuallyTyped): string[] {
  if (!foreign.test(phrase)) return [];
  const spelled = Array.from(phrase, (letter) => (Object.hasOwn(typed, letter) ? typed[letter] : letter)).join("");
  return [
    ...new Set([...transliterations(phrase), ...(foreign.test(spelled) ? transliterations(spelled) : [spelled])]),
  ];
}

const glide = /(?<=[аеиоуыэюя])и/gu;

function pairsOf(table: string): ReadonlyMap<string, string> {
  const words = table.split(" ");
  return new Map(words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? ""]] : [])));
}
