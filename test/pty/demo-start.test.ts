import { expect, test } from 'vitest';
import { frameFaults, listedTitles } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('the demo opens a complete board with its badge and a dozen parcels that change', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [160, 50] });
  const first = await run.waitForText('Headphones');
  expect(first.split('\n')[0]).toMatch(/^ parcel-monitor {3}DEMO /);
  await run.waitFor(() => frameFaults(run, 160, 50).length === 0, 'a complete frame');
  const parcels = listedTitles(first);
  expect(parcels.length).toBeGreaterThanOrEqual(12);
  const before = first.split('\n').find((row) => row.includes('Desk lamp'));
  expect(before).toContain('On board, dep');
  await run.waitFor((text) => /Desk lamp +Yanwen +(?!On board)/.test(text), "a change in the desk lamp's row");
});

test('the demo never says that the API key is missing', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [160, 50] });
  await run.waitForText('updated just now');
  expect(run.outputSince(0)).not.toContain('no key');
});
