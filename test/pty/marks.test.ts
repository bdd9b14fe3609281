import { expect, test } from 'vitest';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

const lastRow = (text: string): string => text.split('\n').at(-1) ?? '';
const marked = (text: string): number => text.split('■').length - 1;

test('parcels are marked with Space, a range and *, archived together and restored together', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [120, 36] });
  await run.waitForText('13 ─╯');
  run.type(' ');
  run.type(' ');
  await run.waitFor((text) => marked(text) === 2 && text.includes(' 2 marked '), 'two marks');
  run.type('v');
  run.press('down');
  await run.waitFor((text) => marked(text) === 4 && text.includes('range: 4 marked'), 'a range');
  run.press('escape');
  await run.waitFor((text) => marked(text) === 2, 'the range left');
  run.type('x');
  const archived = await run.waitFor(
    (text) => lastRow(text).includes('Archived 2 parcels. Press u to undo.'),
    'two archived',
  );
  expect(marked(archived)).toBe(0);
  await run.waitForText('11 ─╯');
  run.type('u');
  await run.waitFor((text) => lastRow(text).includes('2 parcels are back on the list.'), 'both back');
  await run.waitForText('13 ─╯');
  run.type('*');
  await run.waitForText(' 13 marked ');
  run.type('#');
  await run.waitForText('tags of 13 parcels ▸');
  run.type('gift\r');
  await run.waitFor((text) => lastRow(text).includes('13 parcels: +gift. Press u to undo.'), 'all tagged');
  run.type('i');
  await run.waitForText('#gift');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});
