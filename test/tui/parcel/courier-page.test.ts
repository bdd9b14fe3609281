import { describe, expect, test } from 'vitest';
import { aParcel, aRecord } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { type RunningBoard, startBoard } from '../board-harness.ts';

const page = 'https://c.example/track?number=LX123456789CN';
const parcel = aParcel({
  label: 'Lamp',
  record: aRecord({ courierTrackingLink: 'https://c.example/track?number={trackingNo}' }),
});

const start = async (...parameters: Parameters<typeof startBoard>): Promise<RunningBoard> => {
  const running = await startBoard(...parameters);
  await running.screen.waitForText('Lamp');
  return running;
};

describe("the courier's page", () => {
  test('is opened with o, with the number filled in', async () => {
    const opened: string[] = [];
    const openPage = async (address: string): Promise<null> => {
      opened.push(address);
      return null;
    };
    const { screen } = await start([parcel], { board: { openPage } });
    await screen.type('o').waitForText('Opened the courier page.');
    expect(opened).toEqual([page]);
  });

  test('is shown in a single notice if it cannot be opened', async () => {
    const { monitor, screen } = await start([parcel], {
      board: { openPage: async () => 'pages cannot be opened over SSH' },
    });
    await screen.type('o').waitForText(`${page} (pages cannot be opened over SSH)`);
    await screen.type('o').waitForText(page);
    await eventually(() => expect(monitor.getState().notices).toHaveLength(1));
  });

  test('is reported as unknown if the service has none', async () => {
    const { screen } = await start([aParcel({ label: 'Lamp' })]);
    await screen.type('o').waitForText('The courier page is not known yet.');
  });

  test('is linked from the number in a terminal with links', async () => {
    const { screen } = await start([parcel], { board: { hyperlinks: true } });
    await eventually(() => expect([...screen.links()]).toEqual([page]));
    // A link does not change the drawn text.
    expect(await screen.waitForText('LX123456789CN · Yanwen')).not.toContain('https://');
  });
});
