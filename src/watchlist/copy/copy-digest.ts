import { createHash } from 'node:crypto';
import { isJsonObject } from '../../service/text/json.ts';
import type { CopyItem, CopyKind } from './copy-side.ts';

/** How much there is of a kind, and a text that is the same for the same. */
export interface KindDigest {
  readonly count: number;
  /** 64 hex digits. */
  readonly digest: string;
}

const modulus = 2n ** 256n;

/** Counts and digests the pieces of one kind, in whatever order they come. */
export class CopyDigest {
  readonly #kind: CopyKind;
  #count = 0;
  #sum = 0n;

  constructor(kind: CopyKind) {
    this.#kind = kind;
  }

  /** Takes pieces in. */
  add(items: readonly CopyItem[]): void {
    for (const item of items) {
      this.#count += 1;
      this.#sum = (this.#sum + BigInt(`0x${itemDigest(this.#kind, item)}`)) % modulus;
    }
  }

  /** Of all that were taken in. */
  result(): KindDigest {
    return { count: this.#count, digest: this.#sum.toString(16).padStart(64, '0') };
  }
}

/** A digest of one piece: 64 hex digits. */
export function itemDigest(kind: CopyKind, { id, position, removedAt, value }: CopyItem): string {
  // When a history was removed is its parcel's matter.
  const removed = kind === 'trash' ? removedAt : removedAt !== null;
  const place = kind === 'parcels' ? position : 0;
  return createHash('sha256')
    .update(JSON.stringify([id, place, removed, inOrder(value)]))
    .digest('hex');
}

/** The same with the names of its fields in order: they may come in any. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => [name, inOrder(field)]);
}
