import type { Random } from '../../src/lib/clock.ts';

const alphabet = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const characters = (random: Random, set: string, length: number): string =>
  Array.from({ length }, () => set.charAt(Math.floor(random() * set.length))).join('');

/** A number with this many digits. */
export function digits(random: Random, length: number): string {
  return characters(random, '0123456789', length);
}

/** A UPS number with its check digit. */
export function upsNumber(random: Random): string {
  const body = characters(random, alphabet, 6) + digits(random, 9);
  const digitFor = (character: string): number =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10;
  const sum = [...body].reduce((total, character, index) => total + digitFor(character) * (index % 2 === 0 ? 1 : 2), 0);
  return `1Z${body}${(10 - (sum % 10)) % 10}`;
}
