/** What a picture asks for, as English puts it: who asks with one has chosen no language. */
const kindsOfEmoji: readonly (readonly [emoji: string, kind: string])[] = [
  ["☕", "coffee"],
  ["🍵🫖", "tea house"],
  ["🍽🍴", "restaurant"],
  ["🍕", "pizza"],
  ["🍔", "burger"],
  ["🍟", "fast food"],
  ["🍣", "sushi"],
  ["🥙", "kebab"],
  ["🌮🌯", "mexican restaurant"],
  ["🥡", "chinese restaurant"],
  ["🍛", "indian restaurant"],
  ["🍺🍻", "bar or pub"],
  ["🍷🍸🍹🍾", "bar"],
  ["🍦🍨", "ice cream"],
  ["🥐🥖🍞", "bakery"],
  ["🍰🎂🧁", "cake shop"],
  ["🥩", "butcher"],
  ["🛒", "supermarket"],
  ["🏨🛏🛌", "hotel"],
  ["⛺🏕", "campsite"],
  ["💊", "pharmacy"],
  ["🏥🚑", "hospital"],
  ["🩺", "doctor"],
  ["🦷", "dentist"],
  ["👓🕶", "optician"],
  ["💇💈", "hairdresser"],
  ["💅", "nail salon"],
  ["💆", "massage"],
  ["🏋💪", "gym"],
  ["🏊", "swimming pool"],
  ["🏦", "bank"],
  ["🏧", "atm"],
  ["⛽", "gas station"],
  ["🔌", "charging station"],
  ["🅿", "parking"],
  ["🚕🚖", "taxi"],
  ["🚉🚆", "train station"],
  ["✈🛫", "airport"],
  ["🔧", "car repair"],
  ["🏫", "school"],
  ["🎓", "university"],
  ["📚", "bookstore"],
  ["📮🏤", "post office"],
  ["🚓👮", "police"],
  ["🏛", "museum"],
  ["🎬🎦", "cinema"],
  ["🎭", "theatre"],
  ["🕌", "mosque"],
  ["⛪", "church"],
  ["🕍", "synagogue"],
  ["🛍", "mall"],
  ["👗👕", "clothes shop"],
  ["👟👠", "shoe shop"],
  ["💐🌹", "florist"],
  ["💍", "jewelry"],
  ["📱", "mobile phone shop"],
  ["🌳🏞", "park"],
  ["🏖", "beach"],
  ["🧺", "laundry"],
  ["🚻", "toilets"],
];

const kindByEmoji: ReadonlyMap<string, string> = new Map(
  kindsOfEmoji.flatMap(([emoji, kind]) => Array.from(emoji, (each) => [each, kind] as const)),
);
/** Most questions have no picture at all. */
const mayBeEmoji = /[\u2600-\u27bf\ud83c-\ud83e]/;

/** The kind of place that the first telling picture of a text asks for. */
export function kindOfEmoji(text: string): string | undefined {
  if (!mayBeEmoji.test(text)) return undefined;
  for (const each of text) {
    const kind = kindByEmoji.get(each);
    if (kind !== undefined) return kind;
  }
  return undefined;
}
