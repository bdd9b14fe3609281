import { describe, expect, it } from 'vitest';
import { courierName, lastEventTime, parcelLook, parcelTitle } from '../../../src/board/parcel-facts.ts';
import { cellWidth } from '../../../src/lib/cells.ts';
import { inGlyphs } from '../../../src/lib/paint.ts';
import { courierNeed, parcelStage, parcelStatusText } from '../../../src/parcels/parcel-state.ts';
import { stageTable } from '../../../src/parcels/stages.ts';
import { stages } from '../../../src/service/status.ts';
import { aCheckpoint, ago, aParcel, aPendingParcel, aRecord, day } from '../parcels.ts';

const refusal = { kind: 'request-refused', code: 'A0400', message: 'unsupported courier', traceId: null };

describe('parcelStage', () => {
  it('does not change when a later call failed', () => {
    expect(parcelStage(aParcel({ error: refusal }))).toBe('in-transit');
  });
});

describe('parcelLook', () => {
  it('shows our state if it says more than the stage', () => {
    expect(parcelLook(aParcel({ archivedAt: ago(day) }))).toBe('archived');
    expect(parcelLook(aParcel({ registration: 'rejected' }))).toBe('rejected');
    expect(parcelLook(aPendingParcel())).toBe('pending');
    expect(parcelLook(aParcel())).toBe('in-transit');
  });

  it('has a single-cell glyph in each set and a short word for every stage', () => {
    for (const stage of stages) expect(stageTable).toHaveProperty(stage);
    for (const { symbol, short } of Object.values(stageTable)) {
      expect(cellWidth(symbol)).toBe(1);
      expect(inGlyphs(symbol, 'ascii')).toMatch(/^[!-~]$/);
      expect(cellWidth(short)).toBeLessThanOrEqual(10);
    }
  });

  it('gives each stage an ASCII glyph of its own', () => {
    const glyphs = stages.map((stage) => inGlyphs(stageTable[stage].symbol, 'ascii'));
    expect(new Set(glyphs).size).toBe(stages.length);
  });
});

describe('parcelStatusText', () => {
  it("is the record's status, or the service's code if the status is unknown", () => {
    expect(parcelStatusText(aParcel())).toBe('Arrived at a sorting centre');
    const unknown = aRecord({ transitStatus: 'TELEPORTED', transitSubStatus: null });
    expect(parcelStatusText(aParcel({ record: unknown }))).toBe('TELEPORTED');
  });

  it("is the service's own wording for a rejected parcel", () => {
    expect(parcelStatusText(aParcel({ registration: 'rejected', error: refusal }))).toBe('unsupported courier');
    expect(parcelStatusText(aParcel({ registration: 'rejected' }))).toBe('Not accepted by the service');
  });

  it('distinguishes waiting for registration from waiting for a record', () => {
    expect(parcelStatusText(aPendingParcel())).toBe('Waiting for registration');
    expect(parcelStatusText(aParcel({ record: null }))).toBe('No info yet');
  });

  it('shows that an accepted number is waiting for its first result', () => {
    const indexing = { since: ago(day), registeredAgainAt: null };
    const waiting = aPendingParcel({ registration: 'registered', courierCode: 'postnl', indexing });
    expect(parcelStatusText(waiting)).toBe('Registered, waiting for the first result');
    expect(parcelLook(waiting)).toBe('pending');
    expect(parcelStage(waiting)).toBe('no-record');
    expect(courierNeed(waiting)).toBeNull();
    expect(parcelStatusText({ ...waiting, registration: 'pending' })).toBe('Waiting for registration');
    // Known data stays on the board even if the service no longer knows the number.
    expect(parcelStatusText(aParcel({ indexing }))).toBe('Arrived at a sorting centre');
  });
});

describe('a parcel that its courier cannot find without more information', () => {
  const notFound = aRecord({ transitStatus: 'NO_RECORD', transitSubStatus: null });
  const postnl = aParcel({ courierCode: 'postnl', record: notFound });

  it('shows what is needed instead of "nothing found"', () => {
    expect(courierNeed(postnl)).toBe('postal-code');
    expect(parcelStatusText(postnl)).toBe('Needs a postal code');
    expect(parcelStatusText(aParcel({ courierCode: 'postnl', record: null }))).toBe('Needs a postal code');
    expect(parcelStatusText(aParcel({ courierCode: 'sfb2c', record: notFound }))).toBe('Needs a phone number');
  });

  it('shows this only if the missing information is the cause', () => {
    expect(courierNeed(aParcel({ ...postnl, extras: { postalCode: '1234 AB', phoneSuffix: null } }))).toBeNull();
    expect(courierNeed(aParcel({ ...postnl, record: aRecord() }))).toBeNull();
    expect(courierNeed(aParcel({ ...postnl, courierCode: 'dhl' }))).toBeNull();
    expect(courierNeed(aPendingParcel({ courierCode: 'postnl' }))).toBeNull();
  });
});

describe('names', () => {
  it("uses a parcel's label, or its number if it has none", () => {
    expect(parcelTitle(aParcel({ label: 'Lamp' }))).toBe('Lamp');
    expect(parcelTitle(aParcel())).toBe('LX123456789CN');
  });

  it("uses a courier's English name, Chinese name or code, whichever is known first", () => {
    expect(courierName(aParcel())).toBe('Yanwen');
    expect(courierName(aParcel({ record: aRecord({ courierNameEN: null, courierNameCN: '燕文物流' }) }))).toBe(
      '燕文物流',
    );
    expect(courierName(aParcel({ record: aRecord({ courierNameEN: null }) }))).toBe('Yanwen');
    expect(courierName(aPendingParcel())).toBeNull();
  });
});

describe('lastEventTime', () => {
  it('is the instant of the event', () => {
    expect(lastEventTime(aParcel())).toEqual({
      earliest: Date.parse('2026-11-20T20:14:00Z'),
      latest: Date.parse('2026-11-20T20:14:00Z'),
      certain: true,
    });
  });

  it('spans all zones if the event has none', () => {
    const lastEvent = aCheckpoint({ at: null, offset: null, certain: false });
    expect(lastEventTime(aParcel({ lastEvent }))).toEqual({
      earliest: Date.parse('2026-11-20T07:14:00Z'),
      latest: Date.parse('2026-11-21T09:14:00Z'),
      certain: false,
    });
  });

  it('is null without an event or a readable time', () => {
    expect(lastEventTime(aPendingParcel())).toBeNull();
    const lastEvent = aCheckpoint({ at: null, local: 'yesterday', certain: false });
    expect(lastEventTime(aParcel({ lastEvent }))).toBeNull();
  });
});
