import type { Result } from './suite.ts';

const maxObservedLength = 90;

const truncate = (text: string): string =>
  text.length > maxObservedLength ? `${text.slice(0, maxObservedLength - 1)}…` : text;

/** The heading in `src/service/README.md` under which a statement is made, and how certain it is. */
const basisOf = ({ check }: Result): string => `${check.section} (${check.basis})`;

/** One line per check: what was checked, where it is stated, the result, and what was observed. */
export function formatTable(results: readonly Result[]): string {
  const rows = results.map(
    (result) => [result.check.title, basisOf(result), result.state, truncate(result.observed)] as const,
  );
  const headings = ['check', 'stated in', 'result', 'observed'] as const;
  const width = (column: 0 | 1 | 2): number => Math.max(...[headings, ...rows].map((row) => row[column].length));
  const [title, basis, state] = [width(0), width(1), width(2)];
  return [headings, ...rows]
    .map((row) => `${row[0].padEnd(title)}  ${row[1].padEnd(basis)}  ${row[2].padEnd(state)}  ${row[3]}`.trimEnd())
    .join('\n');
}

/** Summarises the counts in a sentence. */
export function summarise(results: readonly Result[]): string {
  const count = (state: Result['state'], basis?: Result['check']['basis']): number =>
    results.filter((result) => result.state === state && (basis === undefined || result.check.basis === basis)).length;
  return `${results.length} checks: ${count('held')} held, ${count('differs', 'stated')} differ from what is stated, ${count('differs', 'observed')} from what was observed, ${count('skipped')} skipped.`;
}
