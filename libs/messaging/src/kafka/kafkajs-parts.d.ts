/** A part of kafkajs that its own types leave out. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** Requests of one connection: those that were sent, and those that wait for their turn. */
  export default class RequestQueue {
    constructor(options: {
      maxInFlightRequests: number | null;
      requestTimeout: number;
      enforceRequestTimeout: boolean;
      clientId: string;
      broker: string;
      logger: object;
    });
    readonly pending: readonly unknown[];
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    maybeThrottle(clientSideThrottleTime: number): void;
    push(request: {
      entry: { correlationId: number };
      expectResponse: boolean;
      requestTimeout?: number;
      sendRequest: () => void;
    }): void;
    destroy(): void;
  }
}
