import { Dispatcher } from 'undici';

/** A complete response of a service. */
export interface CannedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Responds to every request from memory, so that the whole client runs without a network. */
export class CannedDispatcher extends Dispatcher {
  readonly #respond: (request: Dispatcher.DispatchOptions) => CannedResponse;
  #open = 0;

  constructor(respond: (request: Dispatcher.DispatchOptions) => CannedResponse) {
    super();
    this.#respond = respond;
  }

  /** Calls whose responses are still in transit. */
  get open(): number {
    return this.#open;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
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
    this.#open += 1;
    queueMicrotask(() => {
      this.#open -= 1;
      handler.onRequestStart?.(controller, {});
      if (reason !== null) return;
      const { status, headers, body } = this.#respond(options);
      handler.onResponseStart?.(controller, status, { ...headers });
      if (body.length > 0) handler.onResponseData?.(controller, body);
      handler.onResponseEnd?.(controller, {});
    });
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}
