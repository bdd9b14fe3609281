import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { defaultSandboxKey, demoParcels } from '../../src/sandbox/sandbox.ts';
import { realClock } from '../support/real-clock.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { callbackBody, wireRecordOf } from '../support/webhook-callback.ts';
import { openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

test('the board shows a pushed update immediately, and closes the receiver when it quits', async () => {
  const server = await startScriptedServer(json({ code: 'B0001', msg: 'system error', traceId: 'N/A' }, 500));
  onTestFinished(() => server.close());
  const lamp = demoParcels.find(({ label }) => label === 'Desk lamp');
  const account = await openAccount(await createHome(), cli);
  const run = account.openBoard(server.baseUrl.href, {}, ['--webhook', '0']);
  await run.waitForText('⏎ timeline');
  const details = await run.type('D').waitForText('Webhook');
  const url = /http:\/\/127\.0\.0\.1:\d+(?=\s|│)/.exec(details.slice(details.indexOf('Webhook')))?.[0] ?? '';
  await run.press('escape').waitForText('▸ Desk lamp');

  const send = async (): Promise<number> => {
    const data = wireRecordOf({
      trackNo: lamp?.trackNo,
      transitStatus: 'WAITING_DELIVERY',
      transitSubStatus: 'WAITING_DELIVERY_02',
      localLogisticsInfo: {
        courierCode: lamp?.courierCode,
        trackingDetails: [
          { eventDetail: 'Waits at the shop', eventTimeZeroUTC: new Date(realClock.now()).toISOString() },
        ],
      },
    });
    const body = callbackBody({ apiKey: defaultSandboxKey, timestamp: String(realClock.now()), data });
    const response = await request(url, { method: 'POST', body });
    await response.body.dump();
    return response.statusCode;
  };
  expect(await send()).toBe(200);
  await run.waitFor((text) => /◆ Desk lamp .*Ready for pick-up/.test(text), 'the pushed status');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
  await expect(send()).rejects.toThrow('ECONNREFUSED');
}, 60_000);

test('a port in use is reported before anything is drawn', async () => {
  const server = await startScriptedServer(json({}));
  onTestFinished(() => server.close());
  const account = await openAccount(await createHome(), cli);
  const run = account.openBoard(server.baseUrl.href, {}, ['--webhook', server.baseUrl.port]);
  expect(await run.exit).toEqual({ code: 1, signal: 0 });
  expect(run.normalScreen()).toContain('another program is using the port.');
  expect(run.outputSince(0)).not.toContain('\u001b[?1049h');
}, 60_000);
