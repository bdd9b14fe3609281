import { type Finding, type Unit, type Verdict, verdictOf } from './finding.ts';

const columns = ['', 'beside', 'aim', 'measured', 'half of runs', 'ours', 'other', ''] as const;

/** Which columns are figures and stand at the right of their width. */
const isFigure = [false, false, true, true, true, true, true, false];

/**
 * Findings as one table for people, a group below the other, with a line at the end that counts aims. Ends with a line
 * break.
 */
export function findingsTable(findings: readonly Finding[]): string {
  const lines = findings.map((finding) => ({ finding, cells: cellsOf(finding) }));
  const widths = columns.map((heading, column) =>
    Math.max(heading.length, ...lines.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        isFigure[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const text = [line(columns)];
  let group: string | null = null;
  for (const { finding, cells } of lines) {
    if (finding.group !== group) text.push('', finding.group);
    group = finding.group;
    text.push(line(cells));
  }
  text.push('', summaryOf(findings));
  return `${text.join('\n')}\n`;
}

/** One line of JSON for programs, ending with a line break; figures as they are. */
export function findingJson(finding: Finding): string {
  const { measured, ...rest } = finding;
  return `${JSON.stringify({ ...rest, ...(measured ?? { median: null }), verdict: verdictOf(finding) })}\n`;
}

function cellsOf(finding: Finding): readonly string[] {
  const { aim, beside, measured, name, note, pair, unit } = finding;
  const verdict = verdictOf(finding);
  const last = [...(verdict === 'no aim' ? [] : [verdict]), ...(note === null ? [] : [note])].join(': ');
  return [
    `  ${name}`,
    beside ?? '',
    aim === null ? '' : `<= ${figure(aim, unit, 'exact')}`,
    measured === null ? '' : figure(measured.median, unit),
    measured === null || measured.samples < 2
      ? ''
      : `${number(measured.lower, unit)} to ${number(measured.upper, unit)}`,
    pair === null ? '' : figure(pair.ours, pair.unit),
    pair === null ? '' : figure(pair.other, pair.unit),
    last,
  ];
}

function summaryOf(findings: readonly Finding[]): string {
  const verdicts = findings.filter(({ aim }) => aim !== null).map(verdictOf);
  const count = (...counted: readonly Verdict[]): number =>
    verdicts.filter((verdict) => counted.includes(verdict)).length;
  const [met, missed, unmeasured] = [
    count('met', 'met, close'),
    count('missed', 'missed, close'),
    count('not measured'),
  ];
  return `${met} of ${met + missed} aims met${unmeasured === 0 ? '' : `; ${unmeasured} not measured`}.`;
}

const suffixes: Readonly<Record<Unit, string>> = {
  times: ' x',
  ms: ' ms',
  s: ' s',
  bytes: ' B',
  kB: ' kB',
  MB: ' MB',
  '% of a core': ' %',
  rows: ' rows',
};

function figure(value: number, unit: Unit, digits?: 'exact'): string {
  return `${digits === 'exact' ? String(Number(value.toFixed(unit === 'times' ? 2 : 1))) : number(value, unit)}${suffixes[unit]}`;
}

/** With as many digits as say something. */
function number(value: number, unit: Unit): string {
  if (unit === 'bytes' || unit === 'rows') return String(Math.round(value));
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
