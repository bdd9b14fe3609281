import { describe, expect, test } from 'vitest';
import { createCopyText } from '../../src/tui/terminal/clipboard.ts';
import { aParcel, aRecord, hour, inStatus } from '../board/parcels.ts';
import { eventually } from '../support/eventually.ts';
import { startBoard } from './board-harness.ts';

const lamp = aParcel({
  label: 'Lamp',
  record: aRecord({ courierTrackingLink: 'https://c.example/track?number={trackingNo}' }),
});

describe('copying', () => {
  test('y copies the number, Y the link and Ctrl+Y a summary, through the terminal', async () => {
    const { screen } = await startBoard([lamp]);
    await screen.waitForText('Lamp');
    await screen.type('y').waitForText('Copied LX123456789CN (terminal clipboard).');
    await screen.type('Y').waitForText('Copied the link to the courier page (terminal clipboard).');
    await screen.type('\u0019').waitForText('Copied a summary of Lamp (terminal clipboard).');
    await eventually(() =>
      expect(screen.copied()).toEqual([
        'LX123456789CN',
        'https://c.example/track?number=LX123456789CN',
        expect.stringMatching(/^Lamp · LX123456789CN · Yanwen · .* · Leipzig, DE · 2026-11-20 21:14 \+01:00$/),
      ]),
    );
  });

  test("uses the desktop's clipboard if there is one, and says so", async () => {
    const copied: string[] = [];
    const copyToDesktop = async (text: string): Promise<boolean> => {
      copied.push(text);
      return true;
    };
    const unused = { write: () => expect.unreachable() };
    const { screen } = await startBoard([lamp], { board: { copyText: createCopyText(copyToDesktop, {}, unused) } });
    await screen.type('y').waitForText('Copied LX123456789CN (system clipboard).');
    expect(copied).toEqual(['LX123456789CN']);
    expect(screen.copied()).toEqual([]);
  });

  test('says what cannot be copied, and why', async () => {
    const { screen } = await startBoard([aParcel({ trackNo: 'X'.repeat(80_000) })]);
    await screen.type('Y').waitForText('The courier page is not known yet.');
    await screen.type('y').waitForText('The text is too long for the clipboard.');
  });

  test('copies all marked parcels, one per line, in list order', async () => {
    const link = 'https://c.example/track?number={trackingNo}';
    const parcels = [
      { ...inStatus('a', 'IN_TRANSIT', null, hour), label: 'Axe', record: aRecord({ courierTrackingLink: link }) },
      { ...inStatus('b', 'IN_TRANSIT', null, 2 * hour), label: 'Bag' },
      { ...inStatus('c', 'IN_TRANSIT', null, 3 * hour), label: 'Cup', record: aRecord({ courierTrackingLink: link }) },
      { ...inStatus('d', 'IN_TRANSIT', null, 4 * hour), label: 'Dye' },
    ];
    const { monitor, screen } = await startBoard(parcels);
    await screen.waitForText('Dye');
    for (const key of [' ', ' ', ' ']) {
      await screen.type(key).waitForText('marked ─');
    }
    await screen.waitForText('3 marked ─');
    await screen.type('y').waitForText('Copied 3 numbers (terminal clipboard).');
    await screen.type('Y').waitForText('Copied 2 links (terminal clipboard). 1 parcel without a courier page.');
    await screen.type('\u0019').waitForText('Copied a summary of 3 parcels (terminal clipboard).');
    await eventually(() => expect(screen.copied()).toHaveLength(3));
    const [numbers = '', links = '', summaries = ''] = screen.copied();
    expect(numbers).toBe('NOa\nNOb\nNOc');
    expect(links).toBe('https://c.example/track?number=NOa\nhttps://c.example/track?number=NOc');
    expect(summaries.split('\n').map((line) => line.slice(0, 9))).toEqual(['Axe · NOa', 'Bag · NOb', 'Cup · NOc']);
    // An action on a single parcel does not guess which one is meant.
    for (const key of ['o', 'p', 'f']) {
      await screen.type(key).waitForText('This works on one parcel, but 3 are marked. Press Esc to unmark them.');
      await screen.type('y').waitForText('Copied 3 numbers');
    }
    expect(monitor.calls).toEqual(['start']);
  });

  test('does not happen when y confirms a prompt', async () => {
    const { screen } = await startBoard([lamp]);
    await screen.waitForText('Lamp');
    await screen.type('d').waitForText('y yes');
    await screen.type('y').waitForText('this test has no account');
    expect(screen.copied()).toEqual([]);
  });

  test('copies nothing if no parcel is selected', async () => {
    const { screen } = await startBoard([]);
    await screen.type('y').waitForText('No parcel is selected.');
  });
});
