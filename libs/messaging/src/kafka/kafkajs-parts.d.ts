/** Parts of kafkajs that its own types leave out. */
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

declare module 'kafkajs/src/protocol/requests/produce/index.js' {
  export interface PartitionAnswer {
    readonly partition: number;
    readonly errorCode: number;
    readonly baseOffset: string;
  }
  interface Answer {
    readonly topics: readonly { readonly topicName: string; readonly partitions: readonly PartitionAnswer[] }[];
  }
  interface Options {
    readonly topicData: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number }[];
    }[];
  }
  interface Exchange {
    readonly request: object;
    readonly response: { decode(data: Buffer): Promise<Answer>; parse(answer: Answer): Promise<Answer> };
  }
  /** The request to append records, in each version of the protocol. */
  const produce: { protocol: (of: { readonly version: number }) => (options: Options) => Exchange };
  export default produce;
}
