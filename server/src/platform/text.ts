/** Characters as JSON Schema counts them: code points, so that an emoji is one and not two. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
