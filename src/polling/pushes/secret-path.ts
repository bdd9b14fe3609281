import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Makes the check whether a request goes to the secret path, with or without a slash at its end; any path will do where
 * there is none. Takes as long for a path that is nearly right as for any other.
 */
export function createPathCheck(path: string | null): (target: string) => boolean {
  if (path === null) return () => true;
  const secret = digestOf(`/${path}`);
  return (target) => timingSafeEqual(digestOf(target.replace(/\?.*$/s, '').replace(/\/$/, '')), secret);
}

/** Of any two texts, as long as each other. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
