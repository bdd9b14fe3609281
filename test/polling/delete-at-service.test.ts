import { describe, expect, it } from 'vitest';
import { deleteAtService } from '../../src/polling/account.ts';
import { KeyRefusedError, RequestRefusedError } from '../../src/service/errors.ts';
import type { Rejection, TrackKey } from '../../src/service/record.ts';

const key = (trackNo: string, courierCode: string | null = null): TrackKey => ({ trackNo, courierCode });
const rejection = (trackNo: string, message: string, courierCode: string | null = null): Rejection => ({
  index: null,
  trackNo,
  courierCode,
  code: 'A0400',
  message,
});

describe('deleting at the service', () => {
  it('says for each number what became of it', async () => {
    const rejections = [
      rejection('b2cn', 'trackNo not registered'),
      rejection('C3CN', 'locked', 'dhl'),
      rejection('D4CN', 'no'),
    ];
    const keys = [key('A1CN'), key('B2CN'), key('C3CN', 'ups'), key('C3CN', 'dhl'), key('D4CN', 'ups')];
    expect(await deleteAtService({ delete: async () => rejections }, keys)).toEqual([
      { kind: 'deleted' },
      { kind: 'unknown' },
      { kind: 'deleted' },
      { kind: 'refused', message: 'locked', code: 'A0400' },
      { kind: 'refused', message: 'no', code: 'A0400' },
    ]);
  });

  it('deletes number by number when a call is refused as a whole', async () => {
    const calls: string[][] = [];
    const service = {
      delete: async (keys: readonly TrackKey[]) => {
        calls.push(keys.map(({ trackNo }) => trackNo));
        if (keys.some(({ trackNo }) => trackNo === 'B2CN')) {
          throw new RequestRefusedError('Refused (A0400). It says: "trackNo not registered".', { code: 'A0400' });
        }
        return [];
      },
    };
    expect(await deleteAtService(service, [key('A1CN'), key('B2CN')])).toEqual([
      { kind: 'deleted' },
      { kind: 'unknown' },
    ]);
    expect(calls).toEqual([['A1CN', 'B2CN'], ['A1CN'], ['B2CN']]);
  });

  it('calls for nothing, and hands on what is wrong with the service', async () => {
    const failing = { delete: () => Promise.reject(new KeyRefusedError('no key')) };
    expect(await deleteAtService(failing, [])).toEqual([]);
    await expect(deleteAtService(failing, [key('A1CN'), key('B2CN')])).rejects.toBeInstanceOf(KeyRefusedError);
  });
});
