import { cleanText } from '../../lib/clean-text.ts';
import { UsageError } from '../../settings/errors.ts';
import { mappedColumn } from './columns.ts';

/** Makes the label of a row from its cells. */
export type LabelTemplate = (headings: readonly string[]) => {
  /** Headings that the template names, as the table writes them. */
  readonly used: readonly string[];
  /** Returns null if all the cells are empty. */
  label(cells: readonly string[]): string | null;
};

const named = /\{([^{}]+)\}/g;
/** What is left at an end when a cell is empty. */
const separatorsAtEnds = /^[\s·|,;:/–-]+|[\s·|,;:/–-]+$/gu;

/**
 * Reads a template such as `{Name} · {Item}`. Throws a {@link UsageError} if it names no heading; the template does if a
 * table lacks one.
 */
export function readLabelTemplate(text: string): LabelTemplate {
  const wanted = [...text.matchAll(named)].map(([, heading = '']) => heading.trim());
  if (wanted.length === 0) {
    throw new UsageError(`"${cleanText(text)}" contains no heading. Write it like --label-from "{Name} · {Item}".`);
  }
  return (headings) => {
    const columns = new Map(wanted.map((heading) => [heading, mappedColumn(headings, heading)]));
    return {
      used: [...columns.values()].flatMap((index) => headings[index] ?? []),
      label(cells) {
        const cellOf = (heading: string): string => (cells[columns.get(heading.trim()) ?? -1] ?? '').trim();
        if (wanted.every((heading) => cellOf(heading) === '')) return null;
        const filled = text.replace(named, (_, heading: string) => cellOf(heading));
        return filled.replace(/\s+/g, ' ').replace(separatorsAtEnds, '');
      },
    };
  };
}
