import type { PollingMemoryData } from '../../watchlist/state/polling-memory.ts';
import type { UsageTotals } from '../../watchlist/state/usage.ts';

/** What fails beside a call, and fails no call. */
export type GateTrouble = 'memory-read' | 'memory-write' | 'meter-read' | 'meter-write' | 'lease';

/** What listens to what the gate reads and writes. */
export interface GateListener {
  /** Called with what is remembered, after each reading and writing. */
  onMemory(remembered: PollingMemoryData): void;
  /** Called with the totals when they may have changed. */
  onUsage(totals: UsageTotals): void;
  /** Called when a file of the gate's fails, and with null when it works. */
  onTrouble(source: GateTrouble, error: unknown): void;
}
