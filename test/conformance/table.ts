import type { Result } from './suite.ts';

const mostSeen = 90;

const shortened = (text: string): string => (text.length > mostSeen ? `${text.slice(0, mostSeen - 1)}…` : text);

/** How certain a statement is, and the heading of `src/service/README.md` that contains it. */
const basisOf = ({ check }: Result): string => `${check.section} (${check.basis})`;

/** One line per check: what was checked, where it is stated, the result, and what was observed. */
export function formatTable(results: readonly Result[]): string {
  const rows = results.map(
    (result) => [result.check.title, basisOf(result), result.state, shortened(result.seen)] as const,
  );
  const heads = ['check', 'stated in', 'result', 'seen'] as const;
  const width = (column: 0 | 1 | 2): number => Math.max(...[heads, ...rows].map((row) => row[column].length));
  const [title, basis, state] = [width(0), width(1), width(2)];
  return [heads, ...rows]
    .map((row) => `${row[0].padEnd(title)}  ${row[1].padEnd(basis)}  ${row[2].padEnd(state)}  ${row[3]}`.trimEnd())
    .join('\n');
}

/** Summarises the counts in a sentence. */
export function summaryOf(results: readonly Result[]): string {
  const count = (state: Result['state'], basis?: Result['check']['basis']): number =>
    results.filter((result) => result.state === state && (basis === undefined || result.check.basis === basis)).length;
  return `${results.length} checks: ${count('held')} held, ${count('differs', 'stated')} differ from what is stated, ${count('differs', 'observed')} from what was observed, ${count('skipped')} skipped.`;
}
