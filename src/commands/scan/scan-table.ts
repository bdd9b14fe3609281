import type { JudgedRow } from '../../board/scan/judge-rows.ts';
import { scanCells } from '../../board/scan/scan-line.ts';
import { courierNamer } from '../../service/record/courier-words.ts';
import type { CourierList } from '../../watchlist/state/courier-directory.ts';
import type { Table, TableCell, TableColumn } from '../output/table.ts';

const columns: readonly TableColumn[] = [
  { title: 'STATE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'COURIER', yields: 1 },
  { title: 'LABEL', yields: 2, most: 40 },
  { title: 'FOUND IN', yields: 3, most: 40 },
];

/**
 * Numbers that were found as an aligned table: how each stands to the watchlist, the number, its courier or with a question
 * mark those that it may be of, label, place. What would be added stands out.
 * @param list that of Get Carriers; null when there is none
 */
export function scanTable(rows: readonly JudgedRow[], list: CourierList | null): Table {
  const names = courierNamer(list?.couriers ?? []);
  const cells = rows.map((row): readonly TableCell[] => {
    const { courier, label, number, place, state } = scanCells(row, null, names);
    const look = row.isTaken ? { bold: true } : { dim: true };
    return [
      { text: state, ...look },
      { text: number, ...look },
      { text: courier },
      { text: label },
      { text: place, dim: true },
    ];
  });
  return { columns, rows: cells };
}
