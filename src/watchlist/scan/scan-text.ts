import { createNumberCollection } from './collect-numbers.ts';
import { findInLines, type PlacedLine } from './find-in-lines.ts';
import { createFormatMatcher } from './match-formats.ts';
import { createScanCouriers } from './scan-couriers.ts';
import type { Scan, ScanOptions } from './scanned-number.ts';

/** What ends a line. */
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Finds the tracking numbers in a text of any kind: plain text, a table, HTML, a mail or a mailbox. Never throws for what
 * the text holds; parts that cannot be read are named. Rejects with the signal's reason once that is aborted.
 * @param source text, or the bytes of a file
 */
export async function scanText(source: string | Uint8Array, options: ScanOptions = {}): Promise<Scan> {
  const { couriers: listed = [], signal } = options;
  signal?.throwIfAborted();
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  const couriers = createScanCouriers(listed);
  const collection = createNumberCollection(couriers);
  const finder = { couriers, formats: createFormatMatcher() };
  const lines = text.split(lineBreak).map((line, index): PlacedLine => ({ text: line, line: index + 1 }));
  for (const finding of findInLines(finder, lines, { message: null, part: null, subject: null })) {
    collection.add(finding);
  }
  return { format: 'text', numbers: collection.numbers(), problems: [], leftOut: collection.leftOut() };
}
