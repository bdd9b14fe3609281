import { type AddInput, parseAddInput } from '../board/add-input.ts';
import { cleanText } from '../service/text.ts';

/** One entry of the input bar with what it means. */
export interface AddEntry {
  readonly text: string;
  readonly input: AddInput;
}

/** Text between separators; a quoted label may hold any of them. */
const entryPattern = /(?:["“”„«»][^"“”„«»]*["“”„«»]?|[^,;\n"“”„«»])+/gu;

/** Reads the input bar: one entry, or several separated by comma, semicolon or line break. Empty entries are left out. */
export function parseAddEntries(text: string): readonly AddEntry[] {
  return [...text.matchAll(entryPattern)]
    .map((match) => match[0].trim())
    .map((entry) => ({ text: entry, input: parseAddInput(entry) }))
    .filter((entry) => entry.input.kind !== 'empty');
}

/** A paste as the input bar takes it: line breaks separate entries, whatever else is no text is removed. */
export function pastedText(paste: string): string {
  const lines = paste
    .split(/[\r\n]+/)
    .map(cleanText)
    .filter((line) => line !== '');
  return lines.join(', ');
}
