/** A business of the replay server's own invention. */
export type Invented = {
  number: number;
  name: string;
  latitude: number;
  longitude: number;
  category: string;
  street: string;
  city: string;
  postalCode: string;
  region: string | null;
  countryCode: string;
  country: string;
  phone: string | null;
  website: string | null;
  rating: number | null;
  reviewCount: number | null;
  hours: readonly Day[] | null;
  isClaimed: boolean;
  /** A status such as CLOSED_PERMANENTLY, or a highlight such as "Dogs allowed". */
  remark: string | null;
  description: string | null;
  hotelClass: number | null;
  price: string | null;
  reviewsCount: number;
  photosCount: number;
};

/** Slots as `[[opens], [closes]]`, each an hour and a minute; none on a closed day. */
export type Day = { isoDay: number; label: string; slots: readonly (readonly [number[], number[]])[] };

/** Puts a value where the protocol has it, nulls in between. */
function place(target: unknown[], path: readonly number[], value: unknown): void {
  const [index = 0, ...rest] = path;
  while (target.length <= index) target.push(null);
  if (rest.length === 0) {
    target[index] = value;
    return;
  }
  if (!Array.isArray(target[index])) target[index] = [];
  place(target[index] as unknown[], rest, value);
}

export function dataIdOf({ number }: Pick<Invented, "number">): string {
  // The second half is above 2^53 on purpose.
  return `0x47${(number + 0x1000).toString(16)}:0xf0000000${(number + 0x10000000).toString(16)}`;
}

export function placeIdOf({ number }: Pick<Invented, "number">): string {
  return `ChIJreplay${String(number).padStart(10, "0")}`;
}

/** The record of a business, as search answers have it; with `isDetail`, as place-detail answers do. */
export function writeRecord(business: Invented, { isDetail = false, hl = "en" } = {}): unknown[] {
  const { name, street, city, postalCode, region, countryCode, country, phone, website } = business;
  const record: unknown[] = [];
  const put = (value: unknown, ...path: number[]) => value !== null && place(record, path, value);
  const lines = [street, `${city} ${postalCode}`, country];
  const ownerId = String(100_000_000_000_000_000_000n + BigInt(business.number));

  put(lines, 2);
  put(business.price, 4, 2);
  put(`https://map.invalid/reviews?placeid=${placeIdOf(business)}&hl=${hl}`, 4, 3, 0);
  put(business.rating, 4, 7);
  put(business.reviewCount, 4, 8);
  if (website !== null) put([`/url?q=${encodeURIComponent(website)}&opi=1`, new URL(website).hostname], 7);
  put([null, null, business.latitude, business.longitude], 9);
  put(dataIdOf(business), 10);
  put(name, 11);
  put([business.category, "Establishment"], 13);
  put(`${name}, ${lines.join(", ")}`, 18);
  put("Europe/Vaduz", 30);
  if (business.description !== null) put([null, [null, business.description]], 32);
  put(lines.join(", "), 39);
  if (!business.isClaimed) put([`https://map.invalid/create?place=${business.number}`], 49);
  put(business.hotelClass === null ? null : [business.hotelClass], 64);
  put([["cafe"]], 76);
  put(placeIdOf(business), 78);
  put(business.remark, 88, 0);
  put(`/g/11replay${business.number}`, 89);
  put(aboutOf(), 100, 1);
  put(hl, 110);
  if (phone !== null)
    put(
      [
        [
          phone,
          [
            [phone.replace(/^\+\d+ /, ""), 1],
            [phone, 2],
          ],
          null,
          phone.replaceAll(" ", ""),
        ],
      ],
      178,
    );
  put([null, street, street, city, postalCode, region, countryCode], 183, 1);
  if (business.isClaimed) put(ownerId, 181, 6);
  if (business.hours) put(business.hours.map(writeDay), 203, 0);
  put([dataIdOf(business), null, null, `/g/11replay${business.number}`, placeIdOf(business)], 227, 0);
  put(countryCode, 243);
  put(drawings(business), 96);
  if (isDetail) putDetails(business, put, ownerId);
  return record;
}

function putDetails(business: Invented, put: (value: unknown, ...path: number[]) => unknown, ownerId: string): void {
  if (business.isClaimed) put([null, `${business.name} (Owner)`, ownerId], 57);
  const photos = Array.from({ length: business.photosCount }, (_, index) => writePhoto(business, index));
  put([photos[0] ?? null, photos[0] ?? null], 72, 0);
  put(
    photos.map((photo, index) => [`group ${index}`, null, "All", [photo]]),
    171,
    0,
  );
  put(["token", ["8FVC4GRC+22"], ["4GRC+22 Vaduz"]], 183, 2);
  const reviews = Array.from({ length: business.reviewsCount }, (_, index) =>
    index % 2 === 0 ? writeReview(business, index) : writeOlderReview(business, index),
  );
  put(
    reviews.map((review) => [review, null, "token"]),
    175,
    9,
    0,
    0,
  );
}

/** What a browser draws with and nobody else reads: more than half of a real record. */
function drawings({ number }: Invented): unknown[] {
  return Array.from({ length: 60 }, (_, index) => [
    `0ahUKEwi-${number}-${index}-replayed`,
    null,
    [index, [4_279_862_841, 4_285_388_172], [[0, 4, [null, number]]]],
    `//images.invalid/icons/${index}.png`,
  ]);
}

function writeDay({ isoDay, label, slots }: Day): unknown[] {
  const told = slots.length === 0 ? [["Closed"]] : slots.map((slot) => [label, slot]);
  return [`Day ${isoDay}`, isoDay, [2026, 9, 20 + isoDay], told, 0, slots.length === 0 ? 2 : 1];
}

function aboutOf(): unknown[] {
  const option = (key: string, name: string, isOn: boolean) => [
    `/geo/type/establishment_poi/${key}`,
    name,
    [1, [[isOn ? 1 : 0, name]]],
  ];
  return [
    [
      "service_options",
      "Service options",
      [option("has_delivery", "Delivery", true), option("has_takeout", "Takeout", false)],
    ],
    ["amenities", "Amenities", [option("has_restroom", "Restroom", true), option("has_wifi", "Wi-Fi", false)]],
  ];
}

function writePhoto({ number }: Invented, index: number): unknown[] {
  const id = `photo-${number}-${index}`;
  return [id, 10, 12, "", null, 900, [`https://images.invalid/p/${id}=w203-h100-k-no`, "", [1600, 1200], [203, 100]]];
}

const publishedAt = 1_758_531_600_000_000; // 22 September 2025 in microseconds

function writeReview({ number }: Invented, index: number): unknown[] {
  const author = [`Reviewer ${index}`, `https://images.invalid/a/${index}`];
  const written: unknown[] = [[1 + (index % 5)]];
  place(written, [14], ["en"]);
  place(written, [15], [[`Review ${index} of place ${number}.`]]);
  const reply: unknown[] = [];
  if (index === 0) place(reply, [14], [["Thank you."]]);
  return [
    `review-${number}-${index}`,
    [
      "",
      null,
      publishedAt,
      publishedAt,
      [null, null, [`https://map.invalid/contrib/${index}`], null, null, author],
      null,
      "a year ago",
    ],
    written,
    reply,
    [null, null, null, [`https://map.invalid/review/${number}/${index}`]],
  ];
}

/** The layout of before: the author in other places, the text without its language. */
function writeOlderReview({ number }: Invented, index: number): unknown[] {
  const author = [`https://map.invalid/contrib/${index}`, `Reviewer ${index}`, `https://images.invalid/a/${index}`];
  return [
    `review-${number}-${index}`,
    ["", null, publishedAt, publishedAt, [null, author, [`https://map.invalid/contrib/${index}`]], null, "a year ago"],
    [[1 + (index % 5)], [`Review ${index} of place ${number}.`, "en"]],
    [],
    [null, null, null, [`https://map.invalid/review/${number}/${index}`]],
  ];
}
