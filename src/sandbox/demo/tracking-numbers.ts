import type { Random } from '../../service/clock/clock.ts';

const alphabet = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const characters = (random: Random, set: string, length: number): string =>
  Array.from({ length }, () => set.charAt(Math.floor(random() * set.length))).join('');

/** A number of so many digits. */
export function digits(random: Random, length: number): string {
  return characters(random, '0123456789', length);
}

/** A number of the Universal Postal Union's standard S10, its check digit included. */
export function s10Number(random: Random, prefix: string, country: string): string {
  const serial = digits(random, 8);
  const weights = [8, 6, 4, 2, 3, 5, 9, 7];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(serial.charAt(index)), 0);
  const rest = 11 - (sum % 11);
  const check = rest === 10 ? 0 : rest === 11 ? 5 : rest;
  return `${prefix}${serial}${check}${country}`;
}

/** A UPS number, its check digit included. */
export function upsNumber(random: Random): string {
  const body = characters(random, alphabet, 6) + digits(random, 9);
  const digitFor = (character: string): number =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10;
  const sum = [...body].reduce((total, character, index) => total + digitFor(character) * (index % 2 === 0 ? 1 : 2), 0);
  return `1Z${body}${(10 - (sum % 10)) % 10}`;
}
