import { Kafka, type KafkaConfig } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/*
 * After each answer kafkajs 2.2.4 checks whether a request waits, and sets a timer to check again. Where none waits the
 * timer is in the past: it fires a millisecond later, and so on for as long as the connection exists (its issues 1556
 * and 1704). An idle service woke a thousand times a second. That check is not needed: a request that must wait sets a
 * timer of its own, and each answer checks the queue as well.
 */
const look = RequestQueue.prototype.scheduleCheckPendingRequests;
RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0) look.call(this);
};

/** A client of Kafka whose connections are idle while no request is open. */
export const kafkaClient = (config: KafkaConfig): Kafka => new Kafka(config);
