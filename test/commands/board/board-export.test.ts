import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { listWithForecast } from '../../board/parcels.ts';
import { userForEachTest } from '../../support/cli-user.ts';
import { realClock } from '../../support/real-clock.ts';

const user = userForEachTest();
it('exports the same forecasts from a filtered board as from the whole list', async () => {
  const parcels = listWithForecast(realClock.now());
  const folder = join(user.home, '.local', 'share', 'parcel-monitor');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'watchlist.json'), JSON.stringify({ version: 1, parcels }));
  const file = join(user.home, 'lamp.json');
  await user.run([], {
    showBoard: async ({ exportParcels, monitor }) => {
      await exportParcels?.(
        file,
        monitor.getState().parcels.filter(({ id }) => id === 'lamp'),
      );
      return { reason: 'quit', error: null };
    },
  });
  const forecasts = (text: string): readonly unknown[] =>
    (JSON.parse(text).parcels as readonly (Parcel & { readonly forecast: unknown })[]).map(({ forecast }) => forecast);
  const [expected] = forecasts((await user.run(['export'])).stdout);
  expect(expected).toMatchObject({ share: 0.9 });
  expect(forecasts(await readFile(file, 'utf8'))).toEqual([expected]);
});
