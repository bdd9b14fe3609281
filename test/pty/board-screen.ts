import type { TerminalRun } from '../support/pseudo-terminal.ts';

/** The selected parcel's row, with its frame. Empty if none is visible. */
export function selectedRow(screen: string): string {
  return screen.split('\n').find((row) => row.includes('▌')) ?? '';
}

/** Index of the selected row, counting headings, or -1 if it is not visible. */
export function selectedIndex(screen: string): number {
  return screen.split('\n').findIndex((row) => row.includes('▌'));
}

/** Titles in the parcel list, from top to bottom. The panes must be side by side. */
export function listedTitles(screen: string): readonly string[] {
  return screen.split('\n').flatMap((row) => /^│[▌ ][•■ ][^\p{L}\p{N} ] (.+?) {2,}/u.exec(row)?.[1]?.trim() ?? []);
}

/**
 * Describes what is wrong with the board's frame, or returns nothing if it is complete: header, panes with their
 * corners and edges in the right places, input bar, footer on the last row, and no row that wraps onto the next one.
 * @param top the first row of the panes; notices are between it and the header
 */
export function frameFaults(run: TerminalRun, columns: number, rows: number, top = 1): readonly string[] {
  const problems: string[] = [];
  const expectCell = (column: number, row: number, allowed: string): void => {
    const cell = run.cell(column, row);
    if (cell === '' || !allowed.includes(cell)) {
      problems.push(`row ${row}, column ${column} contains "${cell}" instead of one of ${allowed}`);
    }
  };
  const lines = run.rows();
  if (!run.isUnbroken()) problems.push('a row wraps onto the next one, or the screen has scrolled');
  if (lines.length !== rows) problems.push(`${lines.length} rows instead of ${rows}`);
  if (!/ \d+ (?:needs? )?attention\b|no parcels yet| \d+ out\b/.test(lines[0] ?? ''))
    problems.push('the header is missing from the first row');
  if (!/^ add ▸ /.test(lines[rows - 2] ?? '')) problems.push('the input bar is missing from the second-to-last row');
  if (!/\bq quit$/.test(lines[rows - 1] ?? '')) problems.push('the footer is missing from the last row');
  const bottom = rows - 3;
  expectCell(0, top, '╭');
  expectCell(columns - 1, top, '╮');
  expectCell(0, bottom, '╰');
  expectCell(columns - 1, bottom, '╯');
  const seam = (lines[top] ?? '').indexOf('╮╭');
  for (let row = top + 1; row < bottom; row += 1) {
    expectCell(0, row, seam === -1 ? '│╰╭' : '│');
    expectCell(columns - 1, row, seam === -1 ? '│╯╮' : '│');
    if (seam !== -1) {
      expectCell(seam, row, '│');
      expectCell(seam + 1, row, '│');
    }
  }
  if (seam !== -1) {
    expectCell(seam, bottom, '╯');
    expectCell(seam + 1, bottom, '╰');
  }
  // A small window starts with one pane.
  const panes = rows < 16 || (columns < 84 && rows < 24) ? 1 : 2;
  for (const corner of '╭╮╰╯') {
    const count = lines.join('').split(corner).length - 1;
    if (count !== panes) problems.push(`"${corner}" appears ${count} times instead of ${panes}`);
  }
  return problems;
}
