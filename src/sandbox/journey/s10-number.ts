import type { Random } from '../../service/clock/clock.ts';

/** A number of the Universal Postal Union's standard S10, its check digit included. */
export function s10Number(random: Random, prefix: string, country: string): string {
  const serial = Array.from({ length: 8 }, () => Math.floor(random() * 10)).join('');
  const weights = [8, 6, 4, 2, 3, 5, 9, 7];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(serial.charAt(index)), 0);
  const rest = 11 - (sum % 11);
  const check = rest === 10 ? 0 : rest === 11 ? 5 : rest;
  return `${prefix}${serial}${check}${country}`;
}
