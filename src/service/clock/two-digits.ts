/** The code of `0`, which those of the other digits follow. */
export const zeroSign = 0x30;

/** The number that two digits write; negative where there are none. */
export function twoDigits(text: string, start: number): number {
  const [tens, ones] = [text.charCodeAt(start) - zeroSign, text.charCodeAt(start + 1) - zeroSign];
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}
