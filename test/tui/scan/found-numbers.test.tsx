import { expect, test } from 'vitest';
import { scanText } from '../../../src/scan/scan-text.ts';
import type { PaneSize } from '../../../src/tui/layout.ts';
import { Pane } from '../../../src/tui/pane.tsx';
import { changeScan, emptyScan, scanOverlay, showFound, useScan } from '../../../src/tui/scan/found-numbers.ts';
import type { OpenScan } from '../../../src/tui/ui-state.ts';
import { aParcel } from '../../board/parcels.ts';
import { someCouriers } from '../board-harness.ts';
import { renderRows } from '../drawn.tsx';

const ups = '1Z999AA10123456784';
const post = 'RB123456785CN';
const couriers = { couriers: someCouriers, stale: false };
const parcels = [aParcel({ id: 'a', trackNo: post, label: 'Lamp' })];

function ScanPane({ open, size }: { open: OpenScan; size: PaneSize }) {
  const scan = useScan(open, { parcels }, couriers);
  if (scan === null) return null;
  const { lines, texts } = scanOverlay(scan, 0, size, 1);
  return <Pane texts={texts} lines={lines} size={size} isFocused />;
}

async function openScanOf(text: string): Promise<OpenScan> {
  const { scan } = showFound({ source: 'order.eml', scan: await scanText(text) });
  return scan ?? emptyScan;
}

test('shows the numbers with their state, above the details of the selected one', async () => {
  const open = await openScanOf(`Your order ${ups}\nand ${post}`);
  expect(renderRows(<ScanPane open={open} size={{ width: 70, height: 14 }} />)).toEqual([
    '╭ Numbers found ───────────────────────────────────────── order.eml ─╮',
    '│ Add 1 number: 1 registration and 2 calls; your budget has 1 left t…│',
    '│    Number              Courier  Found in  State                    │',
    '│▌●  1Z999AA10123456784  UPS?     line 1    new                      │',
    '│    RB123456785CN       Yanwen   line 2    watched                  │',
    '│                                                                    │',
    '│                                                                    │',
    '│                                                                    │',
    '│                                                                    │',
    '│────────────────────────────────────────────────────────────────────│',
    '│ 1Z999AA10123456784                                                 │',
    '│ Matches a courier’s format, with a correct check digit: line 1.    │',
    '│ Probably UPS (ups). The service will detect the courier. Press c   │',
    '╰─────────────────────────────────────────────────────────── 1 of 2 ─╯',
  ]);
});

test('keeps the selected number visible and shows its position', async () => {
  const numbers = Array.from({ length: 40 }, (_, n) => `JD${1000000000 + n}`);
  const open = await openScanOf(numbers.join('\n'));
  const { scan } = changeScan(open.id, () => ({ index: 30 }))({ scan: open });
  const rows = renderRows(<ScanPane open={scan ?? open} size={{ width: 60, height: 8 }} />);
  expect(rows).toHaveLength(8);
  expect(rows.filter((row) => row.includes('▌'))).toEqual([expect.stringContaining('JD1000000030')]);
  expect(rows.at(-1)).toContain('31 of 40');
});

test('says whether the text is still being read while there is no number', () => {
  const size = { width: 60, height: 6 };
  const reading: OpenScan = { ...emptyScan, stage: { kind: 'reading', stop: () => undefined } };
  expect(renderRows(<ScanPane open={reading} size={size} />).join('\n')).toContain('Looking for numbers…');
  expect(renderRows(<ScanPane open={emptyScan} size={size} />).join('\n')).toContain('No numbers found.');
});
