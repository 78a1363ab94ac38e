import type { WebmapRecord } from "./records.ts";
import { at, text } from "./values.ts";

const states: ReadonlySet<string> = new Set(["CLOSED", "CLOSED_PERMANENTLY", "CLOSED_TEMPORARILY"]);

/** As the map writes it in its languages, instead of the state itself. */
const permanently = `
  permanently closed|dauerhaft geschlossen|définitivement fermé|fermé définitivement|cerrado permanentemente
  |permanentemente cerrado|cerrado definitivamente|permanentemente fechado|fechado permanentemente|encerrado permanentemente
  |permanentemente encerrado|chiuso definitivamente|definitivamente chiuso|permanent gesloten|definitief gesloten
  |zamknięte na stałe|έκλεισε οριστικά|μόνιμα κλειστό|οριστικά κλειστό|закрыто навсегда|навсегда закрыто|закрито назавжди
  |kalıcı olarak kapalı|kalıcı olarak kapandı|مغلق نهائيًا|مغلق نهائيا|مغلق بشكل دائم|برای همیشه بسته شد|برای همیشه بسته
  |हमेशा के लिए बंद|स्थायी रूप से बंद|ปิดถาวร|ปิดกิจการถาวร|閉業|永久停业|永久歇業|永久关闭|폐업함|폐업|đóng cửa vĩnh viễn
  |đã đóng cửa vĩnh viễn|tutup permanen|tutup secara permanen|permanent stängt|stängt permanent|permanent lukket
  |lukket permanent|permanent stengt|stengt permanent|pysyvästi suljettu|suljettu pysyvästi|trvale zavřeno|végleg bezárt
  |véglegesen bezárva|închis definitiv|închis permanent|סגור לצמיתות`;
const temporarily = `
  temporarily closed|vorübergehend geschlossen|temporairement fermé|fermé temporairement|cerrado temporalmente
  |temporalmente cerrado|temporariamente fechado|fechado temporariamente|temporariamente encerrado|chiuso temporaneamente
  |temporaneamente chiuso|tijdelijk gesloten|tymczasowo zamknięte|zamknięte tymczasowo|προσωρινά κλειστό|έκλεισε προσωρινά
  |временно закрыто|тимчасово зачинено|тимчасово закрито|geçici olarak kapalı|مغلق مؤقتًا|مغلق مؤقتا|موقتاً بسته
  |موقتا بسته|موقتاً بسته است|कुछ समय के लिए बंद|अस्थायी रूप से बंद|ปิดชั่วคราว|臨時休業|一時休業|暂停营业|暫停營業|暂时关闭
  |暫時關閉|임시 휴업|임시휴업|tạm thời đóng cửa|đóng cửa tạm thời|tutup sementara|tillfälligt stängt|stängt tillfälligt
  |midlertidigt lukket|midlertidig stengt|tilapäisesti suljettu|suljettu tilapäisesti|väliaikaisesti suljettu|dočasně zavřeno
  |átmenetileg zárva|ideiglenesen zárva|închis temporar|סגור זמנית`;

const stateByWords: ReadonlyMap<string, string> = new Map([
  ...permanently.split("|").map((words) => [wordsOf(words), "CLOSED_PERMANENTLY"] as const),
  ...temporarily.split("|").map((words) => [wordsOf(words), "CLOSED_TEMPORARILY"] as const),
]);

/** The state that a text names, which says nothing else besides. */
export function closedStateIn(told: string): string | undefined {
  return states.has(told) ? told : stateByWords.get(wordsOf(told));
}

const summaryOf = text(200);

/** What the map writes where it says otherwise whether the business is open now. */
export function closedStateOfSummary(record: WebmapRecord): string | undefined {
  const summary = summaryOf(at(record, [203, 1, 4, 0])) ?? summaryOf(at(record, [34, 4, 4]));
  return summary === undefined ? undefined : closedStateIn(summary);
}

function wordsOf(written: string): string {
  return written
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .replace(/[.。]$/, "")
    .trim()
    .toLowerCase();
}
