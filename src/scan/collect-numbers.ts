import { foldNumber } from '../lib/text.ts';
import type { ScanCouriers } from './couriers.ts';
import {
  type Finding,
  mostNumbers,
  mostPlaces,
  type ScanCandidate,
  type ScanDoubt,
  type ScanEvidence,
  type ScannedNumber,
  type ScanPlace,
  type ScanTrust,
} from './scanned-number.ts';

/** Puts what is found of one number together. */
export interface NumberCollection {
  add(finding: Finding): void;
  /** Whether a number has a place; of others only how many there are is told. */
  hasPlaceFor(trackNo: string): boolean;
  /** In the order in which they came first. */
  numbers(): readonly ScannedNumber[];
  /** How many different numbers had no place any more. */
  leftOut(): number;
}

const evidences: readonly ScanEvidence[] = ['parcel-delivery', 'link', 'check-digit', 'pattern', 'looks'];
const trusts: readonly ScanTrust[] = ['sure', 'likely', 'doubtful'];

interface Collected {
  trackNo: string;
  evidence: ScanEvidence;
  trust: ScanTrust;
  courier: string | null;
  fitting: Set<string>;
  label: string | null;
  mistypedFor: string | null;
  doubt: ScanDoubt | undefined;
  orderNo: string | null;
  readonly places: ScanPlace[];
}

/** Makes an empty {@link NumberCollection}. */
export function createNumberCollection(couriers: ScanCouriers): NumberCollection {
  const found = new Map<string, Collected>();
  const tooMany = new Set<string>();
  return {
    add(finding) {
      const key = foldNumber(finding.trackNo);
      const before = found.get(key);
      if (before !== undefined) fold(before, finding);
      else if (found.size >= mostNumbers) tooMany.add(key);
      else {
        const { doubt, fitting, place } = finding;
        found.set(key, { ...finding, doubt, fitting: new Set(fitting), places: [place] });
      }
    },
    hasPlaceFor: (trackNo) => found.size < mostNumbers || found.has(foldNumber(trackNo)),
    numbers: () => [...found.values()].flatMap((collected) => scannedNumber(collected, couriers) ?? []),
    leftOut: () => tooMany.size,
  };
}

function fold(
  collected: Collected,
  { courier, doubt, evidence, fitting, label, mistypedFor, orderNo, place, trust }: Finding,
): void {
  if (evidences.indexOf(evidence) < evidences.indexOf(collected.evidence)) {
    collected.evidence = evidence;
    collected.fitting = new Set([...fitting, ...collected.fitting]);
    collected.courier = courier ?? collected.courier;
    collected.label = label ?? collected.label;
  } else {
    for (const key of fitting) collected.fitting.add(key);
    collected.courier ??= courier;
    collected.label ??= label;
  }
  collected.orderNo ??= orderNo;
  // Where anything but its form says that it is a number, that counts.
  if (mistypedFor === null) collected.mistypedFor = null;
  if (doubt === undefined) collected.doubt = undefined;
  if (trusts.indexOf(trust) < trusts.indexOf(collected.trust)) collected.trust = trust;
  const isNew = !collected.places.some(
    ({ line, message, part }) => line === place.line && message === place.message && part === place.part,
  );
  if (isNew && collected.places.length < mostPlaces) collected.places.push(place);
}

function scannedNumber(collected: Collected, couriers: ScanCouriers): ScannedNumber | null {
  const { courier, doubt, evidence, fitting, label, mistypedFor, orderNo, trackNo, trust } = collected;
  const [first, ...others] = collected.places;
  if (first === undefined) return null;
  const named = courier === null ? null : couriers.candidate(courier);
  const keys = courier === null ? [...fitting] : [courier, ...fitting];
  const candidates = new Map<string, ScanCandidate>();
  for (const key of keys) {
    const candidate = couriers.candidate(key);
    if (candidate !== null) candidates.set(candidate.courierCode ?? candidate.name, candidate);
  }
  return {
    trackNo,
    evidence,
    trust,
    courierCode: named?.courierCode ?? null,
    candidates: [...candidates.values()],
    label,
    mistypedFor,
    orderNo,
    ...(doubt === undefined ? {} : { doubt }),
    places: [first, ...others],
  };
}
