import { cleanText } from '../../service/text/clean-text.ts';
import { foldNumber } from '../../service/text/same-number.ts';

/*
 * What was entered in the input bar, to be entered again: lines of numbers with their couriers, oldest first. Labels and all
 * that a question asked for, such as postal codes, are no part of it.
 */

/** A number that was entered. */
export interface EnteredNumber {
  readonly trackNo: string;
  readonly courierCode: string | null;
}

/** Older lines are forgotten. */
const mostLines = 100;
/** More numbers than this at once came from somewhere else, and nobody edits them in one line. */
const mostNumbers = 10;
/** In UTF-16 units; a longer line is not ours. */
const longestLine = 1_000;

/** The lines with one more, made of the numbers that were entered at once; one that is there already becomes the newest. */
export function withEnteredNumbers(lines: readonly string[], numbers: readonly EnteredNumber[]): readonly string[] {
  if (numbers.length === 0 || numbers.length > mostNumbers) return lines;
  const line = numbers.map(({ courierCode, trackNo }) =>
    courierCode === null ? trackNo : `${trackNo} @${courierCode}`,
  );
  return mergedLines(lines, [line.join(', ')]);
}

/** The lines without some numbers, whatever their couriers; a line that held nothing else is gone. */
export function withoutNumbers(lines: readonly string[], trackNos: readonly string[]): readonly string[] {
  const gone = new Set(trackNos.map(foldNumber));
  const isKept = (entry: string): boolean => !gone.has(foldNumber(entry.split(' @', 1)[0] ?? ''));
  if (gone.size === 0 || lines.every((line) => line.split(', ').every(isKept))) return lines;
  return lines.map((line) => line.split(', ').filter(isKept).join(', ')).filter((line) => line !== '');
}

/** The lines of two, those of `newer` last; what both have stands where `newer` has it. */
export function mergedLines(older: readonly string[], newer: readonly string[]): readonly string[] {
  const isNewer = new Set(newer);
  return [...older.filter((line) => !isNewer.has(line)), ...newer].slice(-mostLines);
}

/** The lines that a kept value holds; whatever of it cannot be used counts as not there. */
export function readLines(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((line) => typeof line === 'string')
    .filter((line) => line !== '' && line.length <= longestLine && cleanText(line) === line)
    .slice(-mostLines);
}
