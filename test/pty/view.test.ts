import { expect, onTestFinished, test } from 'vitest';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

test('the next start restores the order, the collapsed groups and the archive', async () => {
  const server = await startScriptedServer(
    json({ code: '00000', msg: 'success', data: { accepted: { content: [] } } }),
  );
  onTestFinished(() => server.close());
  const account = await openAccount(await createHome(), cli);
  const first = account.openBoard(server.baseUrl.href);
  await first.waitForText('⏎ timeline');
  await first.type('x').waitForText('Press u to undo.');
  await first.type('Z').waitForText('› ');
  await first.type('ssss\r').waitForText('by days in transit ↓');
  await first.type('SA').waitForText('Archive · by days in transit ↑');
  first.type('q');
  expect(await first.exit).toEqual({ code: 0, signal: 0 });

  const second = account.openBoard(server.baseUrl.href);
  await second.waitForText('Archive · by days in transit ↑');
  await second.type('x').waitForText('is back on the list.');
  await second.press('escape').waitForText(' by days in transit ↑');
  await second.type('sk').waitForText('by next check ↑');
  await second.type('kk\r').waitForText(' by urgency ↓');
  await second.waitForText('› ');
  second.type('q');
  expect(await second.exit).toEqual({ code: 0, signal: 0 });
});
