import { describe, expect, it } from 'vitest';
import { columnHeadingLine, listColumns } from '../../src/board/list/list-columns.ts';
import { columnNeeds, listRow } from '../../src/board/list/list-row.ts';
import { groupHeading, listRows } from '../../src/board/list/list-rows.ts';
import { timelineLines } from '../../src/board/timeline.ts';
import { timelineHead } from '../../src/board/timeline-head.ts';
import { lineText } from '../../src/lib/cells.ts';
import { type GlyphSet, inGlyphs } from '../../src/lib/paint.ts';
import { arrange } from '../board/list/arranged.ts';
import { aBoard, aCheckpoint, berlin, now, waitingPolling as polling } from '../board/parcels.ts';
import { headerText } from '../board/texts.ts';

const parcels = aBoard();
const opened = parcels.find((parcel) => parcel.id === 'headphones');

/** Renders the header, list and timeline one below the other, at the same width. A bar marks the end of each line. */
function board(width: number, glyphs: GlyphSet = 'symbols'): string {
  const common = { now, zone: berlin, width };
  const arrangement = arrange({ parcels, filter: '', now, zone: berlin });
  const columns = listColumns(width, columnNeeds(arrangement.order, common));
  const list = listRows(arrangement).rows.map((row) => {
    if (row.kind === 'heading') return groupHeading({ ...row, width });
    const { id } = row.parcel;
    return listRow(row.parcel, { ...common, columns, checking: id === 'korea', selected: id === 'lamp' });
  });
  const checkpoints = [
    aCheckpoint({ detail: 'Held by customs, documents asked for', subStatus: 'ABNORMAL_02' }),
    aCheckpoint({
      at: '2026-11-18T12:41:00Z',
      local: '2026-11-18 20:41:00',
      offset: '+08:00',
      detail: '航班已起飞',
      subStatus: 'IN_TRANSIT_08',
      address: '深圳, CN',
    }),
    aCheckpoint({
      at: null,
      certain: false,
      offset: null,
      local: '2026-11-18 11:05:00',
      detail: 'Handed to the airline',
      subStatus: 'IN_TRANSIT_05',
      address: null,
    }),
  ];
  const lines = [
    [{ text: headerText({ ...common, parcels, polling, badge: null }) }],
    columnHeadingLine(columns),
    ...list,
    ...(opened === undefined ? [] : timelineHead({ ...common, parcel: opened, checking: false })),
    ...timelineLines({ ...common, checkpoints, mode: 'event', viewerZone: berlin }),
  ];
  return lines.map((line) => `${inGlyphs(lineText(line), glyphs)}|`).join('\n');
}

describe('the board as text', () => {
  it('shows all columns at 160 cells', () => {
    expect(board(160)).toMatchInlineSnapshot(`
      " parcel-monitor   ! 3 attention   ▲ 1 out   ◆ 1 pick-up   ▸ 3 transit   ○ 1 announced   ✓ 2 delivered   +2 others       updated 2 m ago · next 14:20 · 38 today |
          Parcel                 Courier      Status                                         Newest event                            Journey              Next   Last |
       Needs attention                                                                                                                                              3 |
        ! LX123456789CN          China Post   Address problem · Köln                         Arrived at the sorting centre           CN ●━━━━━━━━✖── DE  14:20     5h |
        ! Headphones             UPS          Held by customs · Leipzig                      Held by customs, documents asked for    CN ●━━━━━✖───── DE  14:20     2d |
        ⊗ ABC1                                unsupported logistics supplier code: check the courier                                                                  |
       Out for delivery                                                                                                                                             1 |
        ▲ Birthday book          DHL          Out for delivery · Berlin                      Arrived at the sorting centre           CN ●━━━━━━━━▲── DE  14:20    38m |
       Ready for pick-up                                                                                                                                            1 |
        ◆ Kettle                 Hermes       Ready for pick-up, waiting 1 d · Shop 12       Arrived at the sorting centre           CN ●━━━━━━━━◆── DE  14:20     1d |
       In transit                                                                                                                                                   3 |
      ▌ ▸ Lamp                   Yanwen       On board, departed · 深圳                      航班已起飞，离开中国                    CN ●━━━━✈────── DE  14:20     9h |
        ▸ 한국 화장품 선물       CJ Logistics Customs cleared · 인천국제공항 물류센터        통관 완료                               CN ●━━━━━●───── DE    now ↻   1d |
        ▸ สำเร็จ กำลัง             Thai Post    In transit · กรุงเทพฯ                           The service cannot be reached.          CN ●━━━━━●───── DE failed ✗~2-3d |
       Announced                                                                                                                                                    1 |
        ○ هدية 🎁                Aramex       Announced · دبي                                Arrived at the sorting centre           CN ●─────────── DE   late ◔   3d |
       No info yet                                                                                                                                                  1 |
        ∙ 00340434161094027318                Waiting for registration                                                                                   14:20        |
       Unknown                                                                                                                                                      1 |
        ◇ Parcel from the future Newpost      TELEPORTED · Leipzig, DE                       Arrived at the sorting centre           CN ──────────── DE  14:20    30m |
       Delivered today                                                                                                                                              1 |
        ✓ Books 📚               DHL          Delivered · Berlin                             Arrived at the sorting centre           CN ●━━━━━━━━━━● DE  10:42     3h |
       Delivered                                                                                                                                                    1 |
        ✓ Shoes                  GLS          Left in a safe place or with someone · Potsdam Arrived at the sorting centre           CN ●━━━━━━━━━━● DE            4d |
      ! Held by customs                                                                                                                                               |
      CN ●━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✖─────────────────────────────────── DE   6 days                                                                         |
      next check 14:20, in 38 m · checked 2 m ago · no news for 2 days                                                                                                |
      Fri 20 Nov · +01:00                                                                                                                                             |
      ✖ 21:14  Held by customs, documents asked for                                                                                                        Leipzig, DE|
      ┆ 2 d 7 h                                                                                                                                                       |
      Wed 18 Nov · +08:00                                                                                                                                             |
      ✈ 20:41  On board, departed                                                                                                                             深圳, CN|
      │        航班已起飞                                                                                                                                             |
      ✈ 11:05~ Handed to the airline · (zone unknown)                                                                                                                 |"
    `);
  });

  it('shows the name, the status and the age at 40 cells', () => {
    expect(board(40)).toMatchInlineSnapshot(`
      " ! 3 attention   ▲ 1 out   +9 others    |
          Parcel       Status            Last |
       Needs attention                      3 |
        ! LX1234…789CN Address problem     5h |
        ! Headphones   Held by customs     2d |
        ⊗ ABC1         unsupported logistics… |
       Out for delivery                     1 |
        ▲ Birthday bo… Berlin             38m |
       Ready for pick-up                    1 |
        ◆ Kettle       waiting 1 d         1d |
       In transit                           3 |
      ▌ ▸ Lamp         On board, depa…     9h |
        ▸ 한국 화장품… Customs cleared ↻   1d |
        ▸ สำเร็จ กำลัง   กรุงเทพฯ         ✗~2-3d |
       Announced                            1 |
        ○ هدية 🎁      Announced · دبي ◔   3d |
       No info yet                          1 |
        ∙ 003404…27318 Waiting for registrat… |
       Unknown                              1 |
        ◇ Parcel from… TELEPORTED         30m |
       Delivered today                      1 |
        ✓ Books 📚     Berlin              3h |
       Delivered                            1 |
        ✓ Shoes        Left in a safe…     4d |
      ! Held by customs                       |
      CN ●━━━━━━━━━━━✖──────────── DE   6 days|
      next check 14:20, in 38 m               |
      checked 2 m ago · no news for 2 days    |
      Fri 20 Nov · +01:00                     |
      ✖ 21:14  Held by customs, documents     |
      │        asked for · Leipzig, DE        |
      ┆ 2 d 7 h                               |
      Wed 18 Nov · +08:00                     |
      ✈ 20:41  On board, departed             |
      │        航班已起飞 · 深圳, CN          |
      ✈ 11:05~ Handed to the airline          |
               (zone unknown)                 |"
    `);
  });

  it('has an ASCII replacement for every symbol', () => {
    for (const width of [160, 84, 60, 40]) {
      expect(board(width, 'ascii').replace(/[\p{L}\p{M}\p{Emoji_Presentation}]/gu, '')).toMatch(/^[\n -~，]*$/);
    }
  });
});
