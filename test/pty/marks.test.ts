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
  await run.type(' ').waitFor((text) => marked(text) === 2 && text.includes(' 2 marked '), 'two marks');
  run.type('v');
  await run.press('down').waitFor((text) => marked(text) === 4 && text.includes('range: 4 marked'), 'a range');
  await run.press('escape').waitFor((text) => marked(text) === 2, 'the range left');
  const archived = await run
    .type('x')
    .waitFor((text) => lastRow(text).includes('Archived 2 parcels. Press u to undo.'), 'two archived');
  expect(marked(archived)).toBe(0);
  await run.waitForText('11 ─╯');
  await run.type('u').waitFor((text) => lastRow(text).includes('2 parcels are back on the list.'), 'both back');
  await run.waitForText('13 ─╯');
  await run.type('*').waitForText(' 13 marked ');
  await run.type('#').waitForText('tags of 13 parcels ▸');
  await run
    .type('gift\r')
    .waitFor((text) => lastRow(text).includes('13 parcels: +gift. Press u to undo.'), 'all tagged');
  await run.type('i').waitForText('#gift');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});
