import { UsageError } from '../session/errors.ts';

const longestAccount = 100;

/** A name that an account of a database can have. Throws a {@link UsageError} for any other. */
export function usableAccount(text: string): string {
  const name = text.trim();
  if (name.length <= longestAccount && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(name)) return name;
  throw new UsageError(
    `The name of a store's account has ${longestAccount} characters at most, and none that cannot be seen.`,
  );
}
