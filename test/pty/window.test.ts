import { expect, test } from 'vitest';
import { listedTitles, selectedRow } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test("a pane fills the window, a word typed in the help archives, and a number reaches the terminal's clipboard", async () => {
  const home = await createHome({ SSH_TTY: '/dev/pts/9' });
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [120, 30] });
  await run.waitForText('⏎ timeline');

  await run.press('enter').waitForText('h list');
  await run.press('enter').waitFor((text) => text.includes('times:') && !text.includes('1 All'), 'the timeline alone');
  await run.press('escape').waitFor((text) => text.includes('times:') && text.includes('1 All'), 'both panes');
  await run.press('escape').waitForText('⏎ timeline');

  const mark = run.written();
  const copied = await run.type('y').waitForText('(terminal clipboard).');
  const number = /Copied (\S+) \(terminal clipboard\)/.exec(copied)?.[1] ?? '';
  expect(number).toMatch(/\d/);
  expect(run.outputSince(mark)).toContain(`\u001b]52;c;${Buffer.from(number).toString('base64')}\u0007`);

  const [name = ''] = listedTitles(run.text());
  expect(selectedRow(run.text())).toContain(name);
  await run.type('?').waitForText('search an action, such as archive');
  for (const key of 'archive') run.type(key);
  await run.waitFor((text) => /▌ x +Archive/.test(text), 'archive selected');
  await run.press('enter').waitForText(`Archived ${name}.`);
  await run.waitFor((text) => !listedTitles(text).includes(name), 'the parcel gone from the list');
});
