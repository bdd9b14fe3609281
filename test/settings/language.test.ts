import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { readLanguage } from '../../src/settings/usable-values.ts';
import { startTamperingProxy, type Tampering } from '../conformance/tampering-proxy.ts';
import { createCliUser } from '../support/cli-user.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

/** The service and the commands use the same clock. */
const clock = createSkippingClock();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock });
});
afterAll(() => sandbox.close());

async function open(config = {}, tampering: Tampering = {}) {
  const proxy = await startTamperingProxy(sandbox.baseUrl, tampering);
  onTestFinished(() => proxy.close());
  const environment = { PARCEL_MONITOR_BASE_URL: proxy.baseUrl.href, PARCEL_MONITOR_API_KEY: sandbox.apiKey };
  const user = await createCliUser({ environment, clock });
  onTestFinished(() => user.remove());
  await user.configure(config);
  const langs = (): readonly unknown[] =>
    proxy.requests
      .filter(({ path }) => path.endsWith(instantPath))
      .map(({ body }) => v.parse(v.looseObject({ lang: v.optional(v.string()) }), JSON.parse(body)).lang);
  return { user, langs };
}

const instantPath = '/query-realtime';
const shown = v.looseObject({
  record: v.looseObject({
    localLogisticsInfo: v.looseObject({
      trackingDetails: v.array(v.looseObject({ eventDetail: v.string(), eventDetailTranslation: v.string() })),
    }),
  }),
});
const instant = ['show', 'RB848719115CN@china-post', '--instant', '--json'];

describe('the language of an instant lookup', () => {
  it("is requested, and its translations appear next to the courier's wording", async () => {
    const { langs, user } = await open();
    const { exitCode, stdout } = await user.run([...instant, '--lang', 'de']);
    expect(exitCode).toBe(0);
    const { trackingDetails } = v.parse(shown, JSON.parse(stdout)).record.localLogisticsInfo;
    expect(trackingDetails.length).toBeGreaterThan(0);
    for (const { eventDetail, eventDetailTranslation } of trackingDetails) {
      expect(eventDetailTranslation).not.toBe(eventDetail);
    }
    expect(langs()).toEqual(['de']);
  });

  it('comes from the configuration unless the command sets a different one or none', async () => {
    const { langs, user } = await open(
      { lang: 'zh_cn' },
      { changeRequest: (request) => (request.path.endsWith(instantPath) ? null : request) },
    );
    await user.run(instant);
    await user.run([...instant, '--lang', 'th']);
    await user.run([...instant, '--lang', '']);
    expect(langs()).toEqual(['zh-CN', 'th', undefined]);
  });

  it('causes a usage error without --instant, or if it is invalid', async () => {
    const { langs, user } = await open();
    const alone = await user.run(['show', 'RB848719115CN', '--lang', 'de']);
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toMatch(/--lang requires --instant/);
    const none = await user.run([...instant, '--lang', 'german']);
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toMatch(/"german" is not a language code/);
    expect(langs()).toEqual([]);
  });

  it('is reported and ignored if it is invalid in the configuration', async () => {
    const { langs, user } = await open({ lang: 'deutsch!' });
    const { exitCode, stderr } = await user.run(instant);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/"lang" cannot be used: "deutsch!" is not a language code/);
    expect(langs()).toEqual([undefined]);
  });
});

it.each([
  ['en', 'en'],
  [' DE ', 'de'],
  ['fil', 'fil'],
  ['tl', 'tl'],
  ['en-uk', 'en-UK'],
  ['pt_br', 'pt-BR'],
  ['ZH-HANT', 'zh-Hant'],
  ['', null],
])('normalises %j to %j', (text, written) => expect(readLanguage(text)).toBe(written));
