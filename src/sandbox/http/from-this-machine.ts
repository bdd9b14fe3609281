import type { MiddlewareHandler } from 'hono';
import type { SandboxEnvironment } from '../faults/fault-middleware.ts';

/** Whether a host is this machine; its port may be another one than ours: people forward ports. */
export const isThisMachine = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);

/**
 * Lets through only what programs of this machine send. A loopback address alone does not keep others out: a web page
 * can send to it from the user's own browser, and can make a name of its own stand for it to read the answers (DNS
 * rebinding). Its name then stands in `Host` (421), and the page's own in `Origin` (403).
 */
export function fromThisMachine(): MiddlewareHandler<SandboxEnvironment> {
  return async (context, next) => {
    if (!isThisMachine(context.req.header('host') ?? '')) {
      return context.text(
        'The sandbox answers to the names of this machine only, such as 127.0.0.1 or localhost.\n',
        421,
      );
    }
    const origin = context.req.header('origin');
    if (origin !== undefined && !isThisMachine(origin.replace(/^https?:\/\//i, ''))) {
      return context.text('The sandbox does not answer to web pages.\n', 403);
    }
    return await next();
  };
}
