import type { EpochMs } from '../../service/clock/clock.ts';
import type { ServiceClock } from '../../service/clock/service-clock.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { replaceableFormat } from '../document/document-format.ts';
import { JsonDocument } from '../document/json-document.ts';
import type { LockContext } from '../lock/folder-lock.ts';

/** No call goes out before `until`. */
export interface CoolDown {
  readonly until: EpochMs;
  /** True when the service named the time (Retry-After): then nobody may call earlier, not even the user. */
  readonly byService: boolean;
  /** Failed calls in a row; drives the back-off. */
  readonly failures: number;
}

/** What polling remembers over a restart. */
export interface PollingMemoryData {
  /** The service clock as measured; null until it has been. */
  readonly measuredOffsetMinutes: number | null;
  readonly coolDown: CoolDown | null;
  /** True while the user has paused polling. */
  readonly paused: boolean;
}

/** Port to where polling keeps what must survive a restart, for all processes alike. Methods reject with a `StoreError`. */
export interface PollingMemory {
  /** What was kept last; nothing remembered when there is none or it is damaged. */
  load(): Promise<PollingMemoryData>;
  /** Keeps changes beside what other processes have kept meanwhile; answers all that is kept then. */
  update(changes: Partial<PollingMemoryData>): Promise<PollingMemoryData>;
  /** Set where hosts share it: nobody may call who cannot know whether another was asked for a pause. */
  readonly isBinding?: true;
}

/** Nothing remembered. */
export const emptyPollingMemory: PollingMemoryData = { measuredOffsetMinutes: null, coolDown: null, paused: false };

/** The measured offset as a service clock; null when it has not been measured. */
export function measuredClock({
  measuredOffsetMinutes,
}: Pick<PollingMemoryData, 'measuredOffsetMinutes'>): ServiceClock | null {
  return measuredOffsetMinutes === null ? null : { offsetMinutes: measuredOffsetMinutes, source: 'measured' };
}

/** What a kept value holds; whatever of it cannot be used counts as not remembered. */
export function readPollingMemory(value: unknown): PollingMemoryData {
  if (!isJsonObject(value)) return emptyPollingMemory;
  const { measuredOffsetMinutes: offset, coolDown, paused } = value;
  const isOffset = Number.isInteger(offset) && Number(offset) >= -12 * 60 && Number(offset) <= 14 * 60;
  return {
    measuredOffsetMinutes: isOffset ? Number(offset) : null,
    coolDown: readCoolDown(coolDown),
    paused: paused === true,
  };
}

function readCoolDown(value: unknown): CoolDown | null {
  if (!isJsonObject(value)) return null;
  const { until, byService, failures } = value;
  if (typeof until !== 'number' || typeof byService !== 'boolean' || typeof failures !== 'number') return null;
  return Number.isFinite(until) && Number.isInteger(failures) && failures >= 0 ? { until, byService, failures } : null;
}

/**
 * Remembers in a file (`polling.json`, mode 0600). A damaged file counts as none: everything in it can be measured or
 * waited for again.
 */
export function createFilePollingMemory(path: string, context: LockContext): PollingMemory {
  const document = new JsonDocument(
    path,
    { format: replaceableFormat(readPollingMemory), isRemembered: true },
    context,
  );
  return {
    load: () => document.read(),
    update: (changes) => document.update((data) => ({ ...data, ...changes })),
  };
}

/** Remembers as long as the program runs: for the demo, simulations and tests. */
export function createMemoryPollingMemory(initial: Partial<PollingMemoryData> = {}): PollingMemory {
  let data: PollingMemoryData = { ...emptyPollingMemory, ...initial };
  return {
    load: async () => data,
    update: async (changes) => {
      data = { ...data, ...changes };
      return data;
    },
  };
}
