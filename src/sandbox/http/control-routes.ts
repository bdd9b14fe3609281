import type { Hono, MiddlewareHandler } from 'hono';
import type { JsonValue } from '../../lib/json.ts';
import type { OperationName } from '../../service/port.ts';
import { SandboxStartError } from '../errors.ts';
import type { SandboxEnvironment } from '../faults/fault-middleware.ts';
import { faults as faultDescriptions, readFaultRule } from '../faults/fault-rule.ts';
import type { FaultSwitch } from '../faults/fault-switch.ts';
import type { WebhookCounts } from '../webhook.ts';
import type { Account } from '../world/account.ts';
import { badFormat, badParameter, type Credit } from './answers.ts';
import { readBody } from './request.ts';

export interface ControlOptions {
  readonly account: Account;
  readonly credit: Credit;
  /** Number of calls of each operation, including failed ones. Operations that were never called have no entry. */
  readonly calls: Map<OperationName, number>;
  readonly faults: FaultSwitch;
  /** Null without a webhook. */
  readonly webhookCounts: () => WebhookCounts | null;
}

function readRules(body: JsonValue) {
  if (!Array.isArray(body)) throw badFormat();
  try {
    return body.map(readFaultRule);
  } catch (cause) {
    if (cause instanceof SandboxStartError) throw badParameter(cause.message);
    throw cause;
  }
}

/**
 * Adds our own paths below `root`, for faults, credit and counts. They require the key, return plain JSON without an
 * envelope, and are not subject to the rate limit or faults.
 */
export function addControlRoutes(
  app: Hono<SandboxEnvironment>,
  root: string,
  checkKey: MiddlewareHandler<SandboxEnvironment>,
  { account, credit, calls, faults, webhookCounts }: ControlOptions,
): void {
  app.use(`${root}/*`, checkKey);
  app.get(`${root}/faults`, (context) => context.json(faults.rules()));
  app.put(`${root}/faults`, async (context) => {
    faults.set(readRules(await readBody(context)));
    return context.json(faults.rules());
  });
  app.delete(`${root}/faults`, (context) => {
    faults.set([]);
    return context.json(faults.rules());
  });
  app.put(`${root}/credit`, async (context) => {
    const left = await readBody(context);
    if (left !== null && !(Number.isSafeInteger(left) && Number(left) >= 0))
      throw badParameter('The credit must be a whole number, or null for no limit.');
    credit.left = left === null ? null : Number(left);
    return context.json({ creditLeft: credit.left });
  });
  app.get(`${root}/fault-names`, (context) => context.json(faultDescriptions));
  app.get(`${root}/state`, (context) =>
    context.json({
      calls: Object.fromEntries(calls),
      creditLeft: credit.left,
      webhook: webhookCounts(),
      registeredCount: account.size,
      registered: account.all().map(({ trackNo, courier }) => ({ trackNo, courierCode: courier.code })),
    }),
  );
}
