import { expect, test } from 'vitest';
import { frameFaults } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('a window of any size shows one complete frame, or says that it is too small', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [160, 50] });
  await run.waitForText('Headphones');
  const resizeTo = async (columns: number, rows: number): Promise<void> => {
    run.resize(columns, rows);
    await run
      .waitFor(() => frameFaults(run, columns, rows).length === 0, `a complete frame of ${columns}x${rows}`)
      .catch((error: unknown) => {
        throw new Error(frameFaults(run, columns, rows).join('\n'), { cause: error });
      });
  };
  await resizeTo(160, 50);
  await resizeTo(80, 24);
  expect(run.text()).toContain('▌');
  await resizeTo(40, 12);
  await resizeTo(80, 24);
  await resizeTo(160, 50);
  run.resize(30, 8);
  const small = await run.waitForText('parcel-monitor needs 40x10');
  expect(small.replaceAll('\n', ' ').trim()).toBe(
    'parcel-monitor needs 40x10; this window is 30x8. Make it larger, or press q.',
  );
  expect(run.isUnbroken()).toBe(true);
  await resizeTo(40, 10);
  await resizeTo(84, 24);
  await resizeTo(83, 24);
  await resizeTo(240, 60);
});

test('a window that is resized and restored before the program notices is redrawn completely', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [120, 30] });
  await run.waitForText('q quit');
  process.kill(run.pid, 'SIGSTOP');
  run.resize(40, 12);
  run.resize(120, 30);
  expect(frameFaults(run, 120, 30)).not.toEqual([]);
  process.kill(run.pid, 'SIGCONT');
  await run.waitFor(() => frameFaults(run, 120, 30).length === 0, 'a complete frame');
  expect(run.text()).toContain('Headphones');
});
