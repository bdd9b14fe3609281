import type { GlobalOptions } from '../configuration/configuration.ts';
import type { CommandContext } from './context.ts';
import { inSession } from './open-session.ts';
import type { Stores } from './opened-stores.ts';

/** Asks a database something beside which nothing is printed. Rejects with a `StoreError` and a `UsageError`. */
export async function glanceAtDatabase<Answer>(
  context: CommandContext,
  globals: GlobalOptions,
  look: (stores: Stores) => Promise<Answer>,
): Promise<Answer> {
  const quiet = { ...context, stderr: { ...context.stderr, write: () => undefined } };
  return await inSession(quiet, globals, async (session) => await look(await session.stores('read')));
}
