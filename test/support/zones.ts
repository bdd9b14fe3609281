import type { Zone } from '../../src/service/clock/zone.ts';

/** Zones of all sandboxes and accounts: to make one takes longer than to make an account. */
export const zones = new Map<string, Zone>();
