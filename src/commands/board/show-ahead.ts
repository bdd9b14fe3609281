import type { GatedService } from '../../polling/gate/gated-service.ts';
import { pollingAtStart } from '../../polling/schedule/polling-at-start.ts';
import type { ReplaceableServices } from '../../screen/board-request.ts';
import type { KeptView } from '../../watchlist/state/view-memory.ts';
import type { Core } from '../session/core.ts';
import type { OpenedSession } from '../session/session.ts';
import { openListDigest } from './list-digest.ts';
import { openSharedDigest } from './shared-list-digest.ts';

/** What is known before the watchlist is read. */
export interface Ahead {
  readonly session: OpenedSession;
  readonly core: Core;
  readonly service: GatedService;
  readonly view: KeptView;
  readonly services: ReplaceableServices;
  /** Called when somebody leaves it. */
  readonly leave: () => void;
}

/**
 * Shows the first frame of a long watchlist by its digest, before the watchlist is read; nothing where there is none that
 * holds. Never rejects: whatever is wrong, the reading says it.
 */
export async function showAhead({ session, core, leave, service, services, view }: Ahead): Promise<void> {
  const { context, style, warnings } = session;
  // Whether notifications are silenced is asked where they are opened.
  if (context.showAhead === undefined || view.isSilent) return;
  const now = context.clock.now();
  const { stores } = core;
  // What a list that can only be read says of itself is known when it has been.
  if ((stores.store.readOnly ?? null) !== null) return;
  const inFiles = stores.files === null ? null : await openListDigest(session, services.zone, now);
  const digest = inFiles ?? (await openSharedDigest(session, stores, core.gate.policy, services.zone, now));
  if (digest === null) return;
  try {
    await core.gate.recall();
    const polling = pollingAtStart(core.gate, digest.checks, service.batchLimits, now);
    if (polling === null) return;
    await context.showAhead({
      ...services,
      view,
      keepView: () => undefined,
      ...style,
      digest,
      now,
      polling,
      notices: warnings,
      leave,
    });
  } catch {
    // As above.
  } finally {
    inFiles?.close();
  }
}
