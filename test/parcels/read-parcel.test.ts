import { describe, expect, it } from 'vitest';
import { readHistory, readParcel } from '../../src/parcels/parcel.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

const {
  checkpoints: _checkpoints,
  received: _received,
  ...record
} = recordOf({
  transitDays: 3,
  expectedDelivery: { kind: 'window', from: '2026-11-23T08:00:00Z', to: null, offset: '+01:00' },
  pieces: 2,
  signedBy: 'Müller',
});
const parcel = parcelOf('RB1CN', {
  record: {
    ...record,
    arrival: checkpointOf('Delivered', '2026-11-18T07:00:00Z', { translation: 'Zugestellt' }),
  },
  lastEvent: checkpointOf('Arrived', '2026-11-18T08:00:00Z'),
  error: { kind: 'rejected', code: null, message: 'no', traceId: null },
});
const history = { version: 1, checkpoints: [checkpointOf('Arrived', null)], received: { trackNo: 'RB1CN' } };

describe('reading a parcel or a history', () => {
  const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  it.each([parcel, parcelOf('RB2CN'), { ...parcel, fromNewerVersion: 1 }])(
    'returns what this program writes',
    (value) => {
      expect(readParcel(written(value))).toEqual({ parcel: value, isComplete: true });
      expect(readHistory(written(history))).toEqual(history);
    },
  );

  it('keeps a valid indexing wait, with fields from newer versions', () => {
    const indexing = { since: '2026-11-18T08:00:00.000Z', registeredAgainAt: null, fromNewerVersion: 1 };
    const waiting = { ...parcel, indexing };
    expect(readParcel(written(waiting))).toEqual({ parcel: waiting, isComplete: true });
    expect(readParcel({ ...waiting, indexing: { since: 'soon' } })).toEqual({ parcel, isComplete: false });
  });
});
