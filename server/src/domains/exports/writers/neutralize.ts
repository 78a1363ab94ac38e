// The apostrophes in front keep the rule reversible: text that looks neutralized already gets one more.
// Spreadsheets of East Asia take the full-width signs for the plain ones.
const wouldRun = /^'*[=+\-@＝＋－＠\t\r\n]/;

/** A phone number is no formula that could do harm, and people need it without an apostrophe. */
const phone = /^\+[\d ()-]+$/;

/** Whether a spreadsheet might run a cell with this text instead of showing it. */
export function isRunnable(text: string): boolean {
  return wouldRun.test(text) && !phone.test(text);
}

/**
 * Puts an apostrophe before text that a spreadsheet might run. A program that reads the file removes one apostrophe
 * from text that matches the rule.
 */
export function neutralize(text: string): string {
  return isRunnable(text) ? `'${text}` : text;
}
