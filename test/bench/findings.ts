import type { Comparison, Spread } from './figures.ts';

/** The unit of a figure. `times` is a ratio to a program that was measured alternately with ours. */
export type Unit = 'times' | 'ms' | 'bytes' | '% of a core' | 'rows';

/** One line of the table. Nothing is asserted, because a slow machine is not the program's fault. */
export interface Finding {
  /** The part of the table to which it belongs. */
  readonly group: string;
  readonly name: string;
  /** The program that was measured alternately with ours, or null for absolute figures. */
  readonly comparedWith: string | null;
  readonly unit: Unit;
  /** The maximum that we aim for, or null if there is none. */
  readonly aim: number | null;
  /** Null if it could not be measured. `note` gives the reason. */
  readonly measured: Spread | null;
  /** Medians of ours and of the other program, or null for absolute figures. */
  readonly pair: {
    readonly ours: number;
    readonly other: number;
    readonly unit: 'ms' | 'bytes' | '% of a core';
  } | null;

  readonly note: string | null;
}

/** Whether a target is met. `close` means that the target is between the quartiles. */
export type Verdict = 'met' | 'met, close' | 'missed, close' | 'missed' | 'no aim' | 'not measured';

interface FindingOptions {
  readonly group: string;
  readonly name: string;
  readonly aim?: number;
  readonly note?: string;
}

export function verdictOf({ aim, measured }: Pick<Finding, 'aim' | 'measured'>): Verdict {
  if (measured === null) return 'not measured';
  if (aim === null) return 'no aim';
  if (measured.median <= aim) return measured.upper > aim ? 'met, close' : 'met';
  return measured.lower <= aim ? 'missed, close' : 'missed';
}

export function comparedFinding(
  { group, name, aim, note }: FindingOptions,
  comparedWith: string,
  { ratio, ours, other }: Comparison,
  unit: 'ms' | 'bytes' | '% of a core' = 'ms',
): Finding {
  return {
    group,
    name,
    comparedWith,
    unit: 'times',
    aim: aim ?? null,
    measured: ratio,
    pair: { ours, other, unit },
    note: note ?? null,
  };
}

export function absoluteFinding({ group, name, aim, note }: FindingOptions, unit: Unit, measured: Spread): Finding {
  return { group, name, comparedWith: null, unit, aim: aim ?? null, measured, pair: null, note: note ?? null };
}

/** A figure that was not measured. The note gives the reason. */
export function missingFinding(
  { group, name, aim, note }: FindingOptions & { readonly note: string },
  unit: Unit,
): Finding {
  return { group, name, comparedWith: null, unit, aim: aim ?? null, measured: null, pair: null, note };
}

const columns = ['', 'against', 'aim', 'measured', 'half of runs', 'ours', 'other', ''] as const;

const isNumeric = [false, false, true, true, true, true, true, false];

/**
 * Formats findings as a table, grouped by part, and a final line that counts the aims that were met. Ends with a line
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
        isNumeric[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
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

/** One line of JSON per finding, with unrounded figures. Ends with a line break. */
export function findingJson(finding: Finding): string {
  const { measured, ...rest } = finding;
  return `${JSON.stringify({ ...rest, ...(measured ?? { median: null }), verdict: verdictOf(finding) })}\n`;
}

function cellsOf(finding: Finding): readonly string[] {
  const { aim, comparedWith, measured, name, note, pair, unit } = finding;
  const verdict = verdictOf(finding);
  const last = [...(verdict === 'no aim' ? [] : [verdict]), ...(note === null ? [] : [note])].join(': ');
  return [
    `  ${name}`,
    comparedWith ?? '',
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
  bytes: ' B',
  '% of a core': ' %',
  rows: ' rows',
};

function figure(value: number, unit: Unit, digits?: 'exact'): string {
  return `${digits === 'exact' ? String(Number(value.toFixed(unit === 'times' ? 2 : 1))) : number(value, unit)}${suffixes[unit]}`;
}

/** Formats a number with about three significant digits. */
function number(value: number, unit: Unit): string {
  if (unit === 'bytes' || unit === 'rows') return String(Math.round(value));
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
