import { Dispatcher } from 'undici';

/** A whole answer of a service. */
export interface CannedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Answers every request from memory: the whole client runs, only the network is missing. */
export class AnsweringDispatcher extends Dispatcher {
  readonly #answer: CannedAnswer;

  constructor(answer: CannedAnswer) {
    super();
    this.#answer = answer;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { status, headers, body } = this.#answer;
    let reason: Error | null = null;
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return reason !== null;
      },
      get reason() {
        return reason;
      },
      paused: false,
      abort: (why) => {
        reason = why;
        handler.onResponseError?.(controller, why);
      },
      pause: () => undefined,
      resume: () => undefined,
    };
    queueMicrotask(() => {
      handler.onRequestStart?.(controller, {});
      if (reason !== null) return;
      handler.onResponseStart?.(controller, status, { ...headers });
      if (body.length > 0) handler.onResponseData?.(controller, body);
      handler.onResponseEnd?.(controller, {});
    });
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}
