import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

const mail = `Subject: Your order has shipped
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

UPS: 1Z999AA10123456784=20
Later: RB848719115CN
`;

test('add --scan - lets the user choose from the numbers in a piped email, and prints the results', async () => {
  const home = await createHome();
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const file = join(home.environment['HOME'] ?? '', 'mail.eml');
  await writeFile(file, mail);
  const run = runInTerminal('sh', ['-c', 'cat "$1" | "$2" "$3" add --scan -', 'sh', file, process.execPath, cli], {
    environment: {
      ...home.environment,
      PARCEL_MONITOR_BASE_URL: sandbox.baseUrl,
      PARCEL_MONITOR_API_KEY: sandbox.apiKey,
    },
  });
  await run.waitForText('1Z999AA10123456784');
  const shown = await run.waitForText('Add 2 numbers');
  expect(shown).toContain('RB848719115CN');
  run.press('down');
  await run.type(' ').waitForText('Add 1 number');
  const text = await run.press('enter').waitForText('1Z999AA10123456784@ups  registered');
  expect(text).not.toContain('RB848719115CN');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});
