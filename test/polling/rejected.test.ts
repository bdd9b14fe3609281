import { describe, expect, it } from 'vitest';
import type { NewParcel } from '../../src/parcels/parcel-factory.ts';
import { createHarness } from './harness.ts';

/** Rejects the number with this wording. Returns the error message that the parcel then shows. */
async function rejectWith(wording: string, trackNo: string, fields: Partial<NewParcel> = {}) {
  const { add, monitor, parcel, service } = await createHarness();
  service.refuse = () => wording;
  await monitor.refresh([(await add(trackNo, fields)).id]);
  const { error, nextPollAt, registration } = parcel(trackNo);
  expect(registration).toBe('rejected');
  expect(nextPollAt).toBeNull();
  expect(error).toMatchObject({ kind: 'rejected', code: 'A0400' });
  return error?.message;
}

describe('a number whose courier the service cannot detect', () => {
  it.each([
    [
      'LP00612345678901',
      'Choose one, e.g. parcel-monitor edit LP00612345678901 --courier cainiao, or press c on the board',
    ],
    [
      'JJD000390007895500001',
      'Choose one (likely: cainiao, dhl-germany), e.g. parcel-monitor edit JJD000390007895500001 --courier cainiao',
    ],
    ['SF1234567890123', 'parcel-monitor edit SF1234567890123 --courier sfb2c'],
    ['ABCDEF1', 'Choose one: parcel-monitor edit ABCDEF1 --courier CODE, or press c on the board'],
  ])("shows advice along with the service's wording: %s", async (trackNo, advice) => {
    const message = await rejectWith('trackNo not registered', trackNo);
    expect(message).toMatch(/^The courier was not recognised \(/);
    expect(message).toContain(advice);
    expect(message).toMatch(/ \(the service says "trackNo not registered"\)\. Choose [^\n]+\.$/);
  });

  it("recognises a different wording of the service's rejection", async () => {
    expect(await rejectWith('The courier could not be detected, please provide the courierCode', 'ABCDEF1')).toMatch(
      /^The courier was not recognised \(.*"The courier could not be detected, please provide the courierCode"\)\. Choose /,
    );
  });

  it('mentions the courier if one was given', async () => {
    const message = await rejectWith('trackNo not registered', 'LP00612345678901', { courierCode: 'ups' });
    expect(message).toMatch(/^The service did not accept this number for UPS \(.*--courier cainiao/);
  });
});

it("redacts the parcel's personal data from a rejection", async () => {
  const wording = 'no record for 10115 and 6789 of ann@example.org';
  const message = await rejectWith(wording, 'SF1234567890123', {
    postalCode: '10115',
    phoneSuffix: '6789',
    merchant: { customerEmail: 'ann@example.org' },
  });
  expect(message).toContain('no record for [postal code] and [phone] of [email]');
});

it('names an unknown courier and says what to do', async () => {
  const message = await rejectWith('unsupported logistics supplier code: nobody', 'LP00612345678901', {
    courierCode: 'nobody',
  });
  expect(message).toMatch(
    /^The service does not know the courier "nobody" \(.*\)\. Choose a different one, e\.g\. .* --courier cainiao/,
  );
  expect(message).toMatch(/"unsupported logistics supplier code: nobody"\)\. Choose /);
});

it.each([
  ['A0706', true],
  ['B0210', true],
  ['A0501', true],
  ['A0706', false],
] as const)(
  'retries a registration that was rejected because of a rate limit (%s, number named: %s)',
  async (code, isNamed) => {
    const { add, clock, monitor, parcel, service } = await createHarness();
    const { register } = service;
    let isLimited = true;
    Object.assign(service, {
      register: async (...args: Parameters<typeof register>) => {
        const response = await register(...args);
        if (!isLimited) return response;
        const rejected = args[0].map(({ trackNo }, index) => ({
          index,
          trackNo: isNamed ? trackNo : null,
          courierCode: null,
          code,
          message: 'slow',
        }));
        return { ...response, accepted: [], rejected };
      },
    });
    monitor.start();
    await add('LP00612345678901');
    await clock.advance(5_000);
    expect(parcel('LP00612345678901')).toMatchObject({ registration: 'pending', error: null });
    isLimited = false;
    await clock.advance(60_000);
    expect(parcel('LP00612345678901').registration).toBe('registered');
    await monitor.stop();
  },
);

it('shows any other wording from the service unchanged', async () => {
  for (const wording of ['trackNo format error', 'The tracking number does not exist'])
    expect(await rejectWith(wording, 'LP00612345678901')).toBe(wording);
});
