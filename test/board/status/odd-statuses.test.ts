import { describe, expect, it } from 'vitest';
import { loudness, statusWordings } from '../../../src/board/status/status-now.ts';
import { parcelStage } from '../../../src/parcels/parcel-state.ts';
import { fixture, renderRecord, serviceRecord } from '../../support/render-record.ts';
import { aCheckpoint, ago, aParcel, aRecord, berlin, day, hour, inStatus, now } from '../parcels.ts';

const viewing = { now, zone: berlin };

describe('a record whose status and sub-status differ', () => {
  it('shows both, in the row, above the timeline and in JSON, and keeps the stage of the status', () => {
    const seen = renderRecord(fixture('record-problem-sub-status-under-in-transit'));
    expect(seen.row).toContain('▸ LX123456789CN  Yanwen   In transit; held by customs');
    expect(seen.head).toContain('▸ In transit; held by customs');
    expect(seen.json).toMatchObject({
      stage: 'in-transit',
      status: 'IN_TRANSIT',
      subStatus: 'ABNORMAL_02',
      statusText: 'In transit; held by customs',
    });
    // The row is highlighted, and shows the problem even in a narrow window.
    expect(loudness(seen.parcel, viewing)).toBe('loud');
    expect(statusWordings(seen.parcel, viewing)).toEqual(['In transit; held by customs', 'Held by customs', 'Transit']);
    const harmless = renderRecord(
      serviceRecord({ transitStatus: 'IN_TRANSIT', transitSubStatus: 'WAITING_DELIVERY_01' }),
    );
    expect(harmless.json.statusText).toBe('In transit; out for delivery');
    expect(loudness(harmless.parcel, viewing)).toBe('usual');
  });

  it('shows how long it has been out for delivery', () => {
    const parcel = inStatus('a', 'OUT_FOR_DELIVERY', 'ABNORMAL_02', 3 * day);
    const lastEvent = aCheckpoint({ at: ago(3 * day), subStatus: 'WAITING_DELIVERY_01' });
    expect(statusWordings({ ...parcel, lastEvent }, viewing)[0]).toBe('Out for delivery since Wed; held by customs');
  });

  it('shows the sub-status even without a status', () => {
    expect(renderRecord({ trackNo: 'LX1', transitSubStatus: 'ABNORMAL_02' }).json.statusText).toBe(
      'No info yet; held by customs',
    );
  });
});

describe('a record with unknown statuses', () => {
  it('shows an unknown sub-status code after its status', () => {
    const seen = renderRecord(fixture('record-unknown-sub-status-of-a-known-status'));
    expect(seen.row).toContain('In transit (IN_TRANSIT_09)');
    expect(seen.timeline.join('\n')).toContain('In transit (IN_TRANSIT_09)');
    expect(seen.json).toMatchObject({ statusText: 'In transit (IN_TRANSIT_09)', subStatus: 'IN_TRANSIT_09' });
  });

  it('also shows the sub-status of an unknown status', () => {
    const seen = renderRecord(fixture('record-unknown-sub-status-of-an-unknown-status'));
    expect(seen.row).toContain('UNDELIVERABLE (UNDELIVERABLE_FINAL)');
    expect(seen.json).toMatchObject({ stage: 'unknown', statusText: 'UNDELIVERABLE (UNDELIVERABLE_FINAL)' });
  });

  it('recognises statuses in upper or lower case', () => {
    const seen = renderRecord(fixture('record-statuses-in-small-letters'));
    expect(seen.json).toMatchObject({ stage: 'pickup', status: 'WAITING_DELIVERY', subStatus: 'WAITING_DELIVERY_02' });
    expect(seen.json.statusText).toBe('Ready for pick-up');
    expect(seen.json.record).toMatchObject({ transitStatus: 'waiting_delivery' });
    const differentCode = serviceRecord({
      transitStatus: 'OUT_FOR_DELIVERY',
      transitSubStatus: 'OUT_FOR_DELIVERY_02',
    });
    expect(renderRecord(differentCode).json.stage).toBe('pickup');
  });
});

describe('a record that its newest event contradicts', () => {
  it('says in its row and above the timeline that the newest event is a delivery', () => {
    const unread = { since: ago(hour), lastRead: null };
    const contradicted = fixture('record-exception-with-a-newest-event-of-delivery');
    const row = 'LX123456789CN  Yanwen   Exception; newest event: delivered';
    expect(renderRecord(contradicted, { unread }).row).toContain(`! ${row}`);
    // There is nothing left to do once the user has seen it.
    const seen = renderRecord(contradicted);
    expect(seen.row).toContain(`□ ${row}`);
    expect(seen.head).toContain('The newest event says delivered; the service still reports an exception.');
    expect(seen.json.stage).toBe('attention');
  });

  it.each([
    ['DELIVERY_FAILED', 'DELIVERY_FAILED_02', 'Nobody home; newest event: delivered', 'a failed delivery'],
    ['IN_TRANSIT', 'ABNORMAL_02', 'In transit; held by customs; newest event: delivered', '"In transit"'],
    ['ABNORMAL', 'DELIVERED_01', 'Exception; newest event: delivered', 'an exception'],
    ['EXPIRED', null, 'No news for a long time; newest event: delivered', '"No news for a long time"'],
  ])('shows the contradiction for every status: %s with %s', (transitStatus, transitSubStatus, status, reported) => {
    const seen = renderRecord(serviceRecord({ transitStatus, transitSubStatus }, { transitSubStatus: 'DELIVERED_02' }));
    expect(seen.json.statusText).toBe(status);
    expect(seen.head).toContain(`The newest event says delivered; the service still reports ${reported}.`);
  });

  it('shows no contradiction if they agree, or if there is only an event', () => {
    for (const transitStatus of ['DELIVERED', null]) {
      const delivered = { transitStatus, transitSubStatus: null };
      const seen = renderRecord(serviceRecord(delivered, { transitSubStatus: 'DELIVERED_01' }));
      expect([seen.row, ...seen.head].join()).not.toContain('newest event');
      expect(parcelStage(seen.parcel)).toBe('delivered');
    }
  });
});

it('an out-for-delivery status counts for today if the newest event is older and of a different kind', () => {
  const seen = renderRecord(fixture('record-out-for-delivery-with-an-older-newest-event'));
  expect(seen.head).toContain('▲ Out for delivery');
  expect(statusWordings(seen.parcel, viewing).at(-1)).toBe('Out today');
});

describe('a parcel that was left somewhere', () => {
  it("is described in the courier's wording if that contains the place", () => {
    const seen = renderRecord(fixture('record-left-with-somebody-that-was-left-at-the-door'));
    expect(seen.json.statusText).toBe('Left at front door');
    expect(seen.timeline.join('\n')).toMatch(/Left at front door +Leipzig, DE$/);
  });

  it.each([
    ['Die Sendung wurde bei einem Nachbarn abgegeben', true],
    ['Votre colis a été remis à un voisin', true],
    ['LEFT ON PORCH', true],
    ['Delivered', false],
    ['Vorgang 4711 abgeschlossen', false],
    ['签收', false],
  ])('is never described with an invented place: %s', (eventDetail, namesPlace) => {
    const left = { transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_04' };
    const { json } = renderRecord(serviceRecord(left, { transitSubStatus: 'DELIVERED_04', eventDetail }));
    expect(json.statusText).toBe(namesPlace ? eventDetail : 'Left in a safe place or with someone');
  });

  it('is described by the delivery event, not by a later one', () => {
    const arrival = aCheckpoint({ at: ago(day), detail: 'Left in the garage', subStatus: 'DELIVERED_04' });
    const record = aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_04', arrival });
    const lastEvent = aCheckpoint({
      at: ago(hour),
      detail: 'Photo taken at the front door',
      subStatus: 'IN_TRANSIT_01',
    });
    expect(statusWordings(aParcel({ record, lastEvent }), viewing)[0]).toBe('Left in the garage');
  });
});
