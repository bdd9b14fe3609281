import { expect, onTestFinished, test } from 'vitest';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

test('the next start restores order, collapsed groups and the archive', async () => {
  const server = await startScriptedServer(
    json({ code: '00000', msg: 'success', data: { accepted: { content: [] } } }),
  );
  onTestFinished(() => server.close());
  const account = await openAccount(await createHome(), cli);
  const first = account.openBoard(server.baseUrl.href);
  await first.waitForText('⏎ timeline');
  first.type('x');
  await first.waitForText('Press u to undo.');
  first.type('Z');
  await first.waitForText('› ');
  first.type('ssss\r');
  await first.waitForText('by days in transit ↓');
  first.type('SA');
  await first.waitForText('Archive · by days in transit ↑');
  first.type('q');
  expect(await first.exit).toEqual({ code: 0, signal: 0 });

  const second = account.openBoard(server.baseUrl.href);
  await second.waitForText('Archive · by days in transit ↑');
  second.type('x');
  await second.waitForText('is back on the list.');
  second.press('escape');
  await second.waitForText(' by days in transit ↑');
  second.type('sk');
  await second.waitForText('by next check ↑');
  second.type('kk\r');
  await second.waitForText(' by urgency ↓');
  await second.waitForText('› ');
  second.type('q');
  expect(await second.exit).toEqual({ code: 0, signal: 0 });
});
