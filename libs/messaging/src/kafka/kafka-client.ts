import { Kafka, type KafkaConfig } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/*
 * After each answer kafkajs 2.2.4 looks whether a request waits, and sets a timer to look again. Where none waits the
 * timer lies in the past: it looks a millisecond later, and so on for as long as the connection stands (its issues 1556
 * and 1704). A service that had nothing to do woke a thousand times a second. Nobody needs that look: a request that
 * must wait sets a timer of its own, and whatever is answered meanwhile looks as well.
 */
const look = RequestQueue.prototype.scheduleCheckPendingRequests;
RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0) look.call(this);
};

/** A client of Kafka whose connections rest while nobody asks anything. */
export const kafkaClient = (config: KafkaConfig): Kafka => new Kafka(config);
