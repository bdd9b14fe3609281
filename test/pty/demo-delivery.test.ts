import { expect, test } from 'vitest';
import { fastClockEnvironment } from '../clock/clock-shift.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('a demo parcel that is out for delivery is delivered within two minutes', async () => {
  // A quarter of a minute instead of a whole one. Not faster, because the program's timeouts are shortened too.
  const home = await createHome(fastClockEnvironment(4));
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [160, 50] });
  const first = await run.waitForText('Birthday book');
  const headings = (text: string): readonly string[] =>
    text.split('\n').flatMap((row) => /^│ (\p{Lu}[\p{L} ]+?) {3,}\d+ │/u.exec(row)?.[1] ?? []);
  expect(headings(first)).toContain('Out for delivery');
  expect(first).toMatch(/▲ Birthday book +DHL/);
  const delivered = await run.waitFor((text) => /✓ Birthday book +DHL/.test(text), 'the book delivered', 120_000);
  expect(delivered.indexOf('Delivered today')).toBeLessThan(delivered.indexOf('✓ Birthday book'));
  expect(delivered.split('\n')[0]).toContain('✓ 2 delivered');
}, 135_000);
