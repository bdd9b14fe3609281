import { useMemo } from 'react';
import { type ApplyAdditions, applyAdditions } from '../../polling/additions/apply-additions.ts';
import { usualBatchLimit } from '../../service/operations.ts';
import type { BoardServices } from '../services.ts';

/** How found numbers are added on a board: a batch at a time, so that what is stopped costs no more; polling checks them. */
export function useApplyAdditions({ applyAdditions: given, clock, monitor, setup }: BoardServices): ApplyAdditions {
  return useMemo(() => {
    if (given !== undefined) return given;
    const registers = setup.kind === 'ready';
    return (parcels, options) =>
      applyAdditions(monitor, parcels, { ...options, registers, clock, savedTogether: usualBatchLimit, checks: false });
  }, [given, clock, monitor, setup]);
}
