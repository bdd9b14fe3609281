import type { Courier } from '../../service/record/record.ts';
import { fittingCouriers } from './fitting-couriers.ts';
import { knownFormats } from './match-formats.ts';
import { createScanCouriers } from './scan-couriers.ts';

/** Numbers that Cainiao knows under forms that are also those of the couriers to which it hands parcels over. */
const oftenCainiao = /^(?:LP|JJD)/;

/**
 * Codes of the couriers whose formats a number has, likeliest first.
 * @param listed the list of Get Carriers; without it, couriers have the codes that are usual
 */
export function likelyCouriers(trackNo: string, listed: readonly Courier[] = []): readonly string[] {
  const couriers = createScanCouriers(listed);
  const fitting = fittingCouriers(couriers, knownFormats.match(trackNo));
  const keys = oftenCainiao.test(trackNo) ? ['cainiao', ...fitting] : fitting;
  return [...new Set(keys.flatMap((key) => couriers.candidate(key)?.courierCode ?? []))];
}
