/**
 * The form of a tracking number in which equal numbers are equal texts: ASCII letters in capitals. Other letters stay,
 * since "ß" in capitals would be "SS", and another parcel's number.
 */
export function foldNumber(trackNo: string): string {
  // Nearly all are in capitals, and to find that out takes less than to look for other letters.
  if (trackNo.toUpperCase() === trackNo) return trackNo;
  return trackNo.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Whether two tracking numbers are the same one; upper and lower case do not matter. */
export function isSameNumber(a: string, b: string): boolean {
  return a === b || (a.length === b.length && foldNumber(a) === foldNumber(b));
}
