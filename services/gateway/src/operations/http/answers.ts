import { decimalText, flag, guardedSetting, millis, timeText } from '@bourse/contract';
import { FOUND_KINDS } from '@bourse/messaging';
import * as z from 'zod/mini';

/** Answers of the gateway to operators and on demo installs (api §2.12, §2.13). */
export const auditResult = z.object({
  ok: flag,
  checked_at: timeText,
  checks: z.array(z.object({ name: z.string(), ok: flag, detail: z.string() })),
  breakers: z.array(z.object({ scope: z.string(), mode: z.string() })),
});
export const marketPartitions = z.object({
  partitions: z.int(),
  markets: z.readonly(z.array(z.object({ symbol: z.string(), partition: z.int() }))),
});
export const dashboard = z.object({
  time: timeText,
  work: z.record(z.string(), z.int()),
  counts: z.record(z.string(), z.int()),
  volumes: z.readonly(z.array(z.object({ symbol: z.string(), volume: decimalText, now_price: decimalText }))),
  feed_age_ms: z.number(),
  latency_ms: z.record(z.string(), z.object({ p50: z.number(), p99: z.number() })),
  history: z.readonly(
    z.array(
      z.object({
        time: millis,
        calls: z.number(),
        refused: z.number(),
        failed: z.number(),
        ack_p99_ms: z.number(),
      }),
    ),
  ),
  alarms: z.readonly(z.array(z.string())),
  breakers: z.array(z.object({ scope: z.string(), mode: z.string() })),
  missing: z.array(z.string()),
});
export const clockState = z.object({ now: millis, offset_ms: z.number() });
export const inboxMessage = z.object({
  to: z.string(),
  scene: z.string(),
  code: z.string(),
  text: z.string(),
  time: timeText,
});
export const auditLogLine = z.object({
  id: z.int(),
  time: timeText,
  operator: z.string(),
  action: z.string(),
  target: z.string(),
  reason: z.string(),
  before: z.string(),
  after: z.string(),
});
/** A setting with its type and bounds (rules §15). */
export const settingRow = z.object({
  key: z.string(),
  owner: z.string(),
  type: z.string(),
  bounds: z.record(z.string(), z.unknown()),
  value: z.string(),
  default: z.string(),
  help: z.string(),
  ...guardedSetting,
});
export const found = z.object({
  found: z.readonly(
    z.array(z.object({ kind: z.enum(FOUND_KINDS), id: z.string(), user_id: z.int(), title: z.string() })),
  ),
  missing: z.readonly(z.array(z.string())),
});
