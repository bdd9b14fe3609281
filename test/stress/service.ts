import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonValue } from '../../src/lib/json.ts';
import { defaultOperations } from '../../src/service/port.ts';
import { assumedServiceClock, parseServiceTime } from '../../src/service/service-clock.ts';
import { listenTo } from '../support/running-cli.ts';
import type { Call, CallChecker } from './calls.ts';

/** Network faults between the programs and the sandbox, which the sandbox cannot simulate. */
export type GateFault = 'network-gone' | 'date-ahead' | 'date-behind';

export interface GateOptions {
  readonly sandboxUrl: URL;
  readonly sandboxKey: string;
  readonly log: CallChecker;
  /** The time, in milliseconds of the sandbox's clock. Defaults to this process's own clock. */
  readonly now?: () => number;
  /** Whether the sandbox is corrupting responses right now. */
  readonly isCorrupting: () => boolean;
  /** Called with violations. */
  readonly onViolation: (message: string) => void;
}

/** A proxy in front of the sandbox that records each call with its time and its caller. */
export interface Gate {
  readonly baseUrl: string;
  setFault(fault: GateFault | null): void;
  close(): Promise<void>;
}

/** Returns a process's own key, by which the gate identifies it. */
export const keyOf = (who: string): string => `stress-key-of-${who}`;

const header = 'service-api-secret';
const operationOfPath = new Map(Object.values(defaultOperations).map(({ name, path }) => [path, name]));
/** How often the gate checks whether this process was blocked, in milliseconds. */
const tickMs = 20;
const skewMs = 3 * 60 * 60_000;

/** Opens a gate on a free loopback port. */
export async function openGate(options: GateOptions): Promise<Gate> {
  let fault: GateFault | null = null;
  let lateUntil = 0;
  let tickedAt = Date.now();
  const ticking = setInterval(() => {
    const now = Date.now();
    if (now - tickedAt > 10 * tickMs) lateUntil = now + 10 * tickMs;
    tickedAt = now;
  }, tickMs);
  const server = createServer((incoming, outgoing) => {
    if (fault === 'network-gone') {
      incoming.socket.resetAndDestroy();
      return;
    }
    const isSkewed = fault !== null;
    const shift = fault === 'date-ahead' ? skewMs : fault === 'date-behind' ? -skewMs : 0;
    void pass(incoming, outgoing, shift, isSkewed, options, () => Date.now() < lateUntil);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    setFault: (next) => {
      fault = next;
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(ticking);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  dateShiftMs: number,
  isSkewed: boolean,
  { onViolation, isCorrupting, log, now = Date.now, sandboxKey, sandboxUrl }: GateOptions,
  isReadLate: () => boolean,
): Promise<void> {
  const body = await bytesOf(incoming).catch(() => null);
  // The caller was killed in the middle of its call.
  if (body === null) return;
  const path = incoming.url ?? '/';
  const call: Call = {
    at: now(),
    operation: operationOfPath.get(path) ?? path,
    who: String(incoming.headers[header] ?? 'nobody').replace(keyOf(''), ''),
    trackNos: trackNosOf(parsed(body)),
    isReadLate: isReadLate(),
  };
  const violation = log.onCall(call);
  if (violation !== null) onViolation(violation);
  const fail = (): void =>
    log.onResponse(call, { at: now(), isClean: false, retryAfterMs: null, nextUpdates: new Map() });
  const upstream = request(
    new URL(path, sandboxUrl),
    { method: incoming.method, headers: { ...incoming.headers, host: sandboxUrl.host, [header]: sandboxKey } },
    (response) => {
      const headers = { ...response.headers };
      if (dateShiftMs !== 0) headers.date = new Date(now() + dateShiftMs).toUTCString();
      outgoing.writeHead(response.statusCode ?? 502, headers);
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        outgoing.write(piece);
      });
      response.once('error', () => outgoing.socket?.resetAndDestroy());
      response.once('end', () => {
        outgoing.end();
        const retryAfter = Number(response.headers['retry-after']);
        log.onResponse(call, {
          at: now(),
          isClean: response.statusCode === 200 && !isCorrupting() && !isSkewed && !outgoing.destroyed,
          retryAfterMs: response.headers['retry-after'] === undefined || outgoing.destroyed ? null : retryAfter * 1000,
          nextUpdates: call.operation === 'query' ? nextUpdatesOf(parsed(Buffer.concat(pieces))) : new Map(),
        });
      });
    },
  );
  upstream.once('error', () => {
    fail();
    outgoing.socket?.resetAndDestroy();
  });
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    fail();
    upstream.destroy();
  });
  upstream.end(body);
}

function parsed(bytes: Buffer): JsonValue {
  try {
    return JSON.parse(bytes.toString('utf8')) as JsonValue;
  } catch {
    return null;
  }
}

/** All numbers in a request, at any depth. */
function trackNosOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(trackNosOf);
  if (!isJsonObject(value)) return [];
  const { trackNo, trackNos, trackNoInfos } = value;
  const own = typeof trackNo === 'string' ? [trackNo] : [];
  const listed = Array.isArray(trackNos) ? trackNos.filter((item) => typeof item === 'string') : [];
  return [...own, ...listed, ...trackNosOf(trackNoInfos ?? null)];
}

function nextUpdatesOf(envelope: JsonValue): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
    } else if (isJsonObject(value)) {
      const { nextUpdateTime, trackNo } = value;
      const at = typeof nextUpdateTime === 'string' ? parseServiceTime(nextUpdateTime, assumedServiceClock) : null;
      if (typeof trackNo === 'string' && at !== null) times.set(trackNo, at);
      else for (const item of Object.values(value)) visit(item ?? null);
    }
  };
  visit(envelope);
  return times;
}

/** The sandbox of the built program, in a separate process. */
export interface SandboxProcess {
  readonly baseUrl: URL;
  readonly key: string;
  /** Sets these faults with `/sandbox/faults`, and removes all others. */
  setFaults(faults: readonly object[]): Promise<void>;
  /** Names of all faults. */
  faultNames(): Promise<readonly string[]>;
  /** The number of calls that it has counted. */
  calls(): Promise<number>;
  close(): Promise<void>;
}

/** Starts `sandbox` of the built program. */
export async function startSandboxProcess(
  cli: string,
  environment: Readonly<Record<string, string>>,
  { speed, seed }: { readonly speed: number; readonly seed: number },
): Promise<SandboxProcess> {
  const running = listenTo(
    spawn(process.execPath, [cli, 'sandbox', '--speed', `${speed}`, '--seed', `${seed}`], { env: { ...environment } }),
  );
  await running.until(({ stdout }) => stdout.includes('API key: '));
  const printed = (pattern: RegExp): string => pattern.exec(running.stdout())?.[1] ?? '';
  const baseUrl = new URL(printed(/base URL: (\S+)/));
  const key = printed(/API key: (\S+)/);
  const control = async (path: string, method = 'GET', body?: unknown): Promise<unknown> => {
    const response = await fetch(new URL(`/sandbox/${path}`, baseUrl), {
      method,
      headers: { 'service-api-secret': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The sandbox returned ${response.status}: ${await response.text()}`);
    return await response.json();
  };
  return {
    baseUrl,
    key,
    setFaults: async (faults) => void (await control('faults', 'PUT', faults)),
    faultNames: async () => Object.keys((await control('fault-names')) as object),
    calls: async () => {
      const { calls } = (await control('state')) as { readonly calls: Readonly<Record<string, number>> };
      return Object.values(calls).reduce((sum, count) => sum + count, 0);
    },
    close: async () => void (await running.end('SIGTERM')),
  };
}
