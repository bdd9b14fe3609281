import { createSerialQueue } from '../../lib/async.ts';
import { type StoreError, toStoreError } from '../../lib/store-errors.ts';
import {
  type CoolDown,
  emptyPollingMemory,
  type PollingMemory,
  type PollingMemoryData,
  type PollLease,
} from '../../store/shared-state.ts';
import type { GateListener } from './call-rules.ts';

export class LeaseKeeper {
  readonly #lease: PollLease | null;
  readonly #listener: GateListener;
  /** False if the lease cannot be written. We then poll anyway: better twice on one machine than not at all. */
  #isUsable = true;

  constructor(lease: PollLease | null, listener: GateListener) {
    this.#lease = lease;
    this.#listener = listener;
  }

  get isShared(): boolean {
    return this.#lease !== null;
  }

  isHeld(): boolean {
    return this.#lease === null || !this.#isUsable || this.#lease.isHeld();
  }

  async hold(): Promise<boolean> {
    try {
      const isHeld = this.#lease === null || (await this.#lease.hold());
      this.#isUsable = true;
      this.#listener.onProblem('lease', null);
      return isHeld;
    } catch (error) {
      this.#isUsable = this.#lease?.isBinding === true;
      this.#listener.onProblem('lease', error);
      return this.isHeld();
    }
  }

  /** Returns the lease number that the store checks with each write, or null without a lease. */
  fence(): number | null {
    return this.#lease?.fence() ?? null;
  }

  suspectLoss(): void {
    this.#lease?.suspectLoss?.();
  }

  /** Releases the lease, so that another process can take over immediately. */
  async release(): Promise<void> {
    try {
      await this.#lease?.release();
    } catch (error) {
      this.#listener.onProblem('lease', error);
    }
  }
}

/** Applies changes even if they cannot be written, and then writes them with the next change. Never throws. */
export class MemoryKeeper {
  readonly #memory: PollingMemory;
  readonly #listener: GateListener;
  readonly #queue = createSerialQueue();
  #current: PollingMemoryData = emptyPollingMemory;
  #unwritten: Partial<PollingMemoryData> = {};
  #cutOff: StoreError | null = null;

  constructor(memory: PollingMemory, listener: GateListener) {
    this.#memory = memory;
    this.#listener = listener;
  }

  get current(): PollingMemoryData {
    return this.#current;
  }

  /** Set while the database with the shared memory is unreachable. */
  get cutOff(): StoreError | null {
    return this.#cutOff;
  }

  async load(): Promise<void> {
    try {
      // Use the queue, so that an older read never replaces a newer write.
      const saved = await this.#queue.run(() => this.#memory.read());
      this.#listener.onProblem('memory-read', null);
      this.#dropSuperseded(saved);
      if (Object.keys(this.#unwritten).length > 0) {
        await this.remember({});
        return;
      }
      this.#adopt(saved);
      this.#cutOff = null;
    } catch (error) {
      this.#noteCutOff(error);
      this.#listener.onProblem('memory-read', error);
    }
  }

  async remember(changes: Partial<PollingMemoryData>): Promise<void> {
    this.#unwritten = { ...this.#unwritten, ...changes };
    const unwritten = this.#unwritten;
    this.#adopt(this.#current);
    try {
      const saved = await this.#queue.run(() => this.#memory.update((stored) => ({ ...stored, ...unwritten })));
      if (this.#unwritten === unwritten) this.#unwritten = {};
      this.#adopt(saved);
      this.#cutOff = null;
      this.#listener.onProblem('memory-write', null);
    } catch (error) {
      this.#noteCutOff(error);
      this.#listener.onProblem('memory-write', error);
    }
  }

  /** Drops unwritten cool-downs that would shorten a pause that the service has since requested from another process. */
  #dropSuperseded(saved: PollingMemoryData): void {
    const { coolDown, registerCoolDown, ...others } = this.#unwritten;
    this.#unwritten = {
      ...others,
      ...(coolDown === undefined || isSuperseded(coolDown, saved.coolDown) ? {} : { coolDown }),
      ...(registerCoolDown === undefined || isSuperseded(registerCoolDown, saved.registerCoolDown)
        ? {}
        : { registerCoolDown }),
    };
  }

  #noteCutOff(error: unknown): void {
    if (this.#memory.isBinding === true) this.#cutOff = toStoreError(error, 'the polling memory');
  }

  #adopt(saved: PollingMemoryData): void {
    this.#current = { ...saved, ...this.#unwritten };
    this.#listener.onMemory(this.#current);
  }
}

const isSuperseded = (ours: CoolDown | null, saved: CoolDown | null): boolean =>
  saved?.byService === true && (ours === null || saved.until > ours.until);
