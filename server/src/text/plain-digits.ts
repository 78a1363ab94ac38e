/**
 * The zeros of the digits that languages are written with: Arabic, Persian, Hindi, Bengali, Punjabi, Gujarati, Odia,
 * Tamil, Telugu, Kannada, Malayalam, Thai, Lao, Tibetan, Burmese, Khmer, Mongolian. Nine more follow each.
 */
const zeros = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0,
  0x1810,
];

/** Full-width characters and the digits of other scripts become the plain ones, and marks of direction go. */
export function withPlainDigits(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = zeros.find((each) => code >= each && code < each + 10);
      return zero === undefined ? digit : String(code - zero);
    });
}
