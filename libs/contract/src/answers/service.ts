import * as z from 'zod/mini';
import { decimalText, flag, millis, timeText } from './values.js';

/** Answers of the gateway's own calls (api §2.11). */
export const serverConfig = z.object({
  languages: z.array(z.string()),
  default_locale: z.string(),
  theme: z.string(),
  login_need_code: flag,
  invite_code_must: flag,
  is_open_CTbi: flag,
  socket_path: z.string(),
  socket_port: z.int(),
  support_url: z.string(),
  source_url: z.string(),
  app: z.object({
    ios: z.string(),
    android: z.string(),
    mobile_path: z.string(),
  }),
  dev: flag,
  server_time: millis,
});
export type ServerConfig = z.output<typeof serverConfig>;
/** `/api/status` (api §2.11, §6.19). */
export const serverStatus = z.object({
  /** Version of the program that answers. */
  version: z.string(),
  modes: z.readonly(z.record(z.string(), z.string())),
  /** Breakers beside the markets (api §2.12): `withdraw`, and each product that has one. */
  breakers: z.readonly(z.record(z.string(), z.enum(['normal', 'cancel_only', 'halted']))),
  /** Whether the house quotes here. */
  maker: flag,
  /**
   * For each product against the house, by currency: the amount set aside for its winners, and the most that it could
   * owe them.
   */
  house: z.readonly(
    z.record(
      z.string(),
      z.readonly(
        z.record(
          z.string(),
          z.object({
            reserved: decimalText,
            owed_at_most: decimalText,
          }),
        ),
      ),
    ),
  ),
  /** Of each product against the house, how often it came out in which way since the install. */
  outcomes: z.readonly(z.record(z.string(), z.readonly(z.record(z.string(), z.int())))),
  /**
   * The origin of the index prices: one simulated pair makes all of them count as simulated. Null before the first
   * price.
   */
  feed: z.nullable(z.enum(['recorded', 'simulated', 'live'])),
  /** Age of the newest index price; -1 before the first. */
  feed_age_ms: z.number(),
  /** Pairs whose own index price is stale (rules §2), which the age of the newest price does not show. */
  stale_pairs: z.readonly(z.array(z.string())),
  /** Sources of each pair's index, how many of them make it now, and when it was given; null: none ever answered. */
  feeds: z.readonly(z.record(z.string(), z.object({ sources: z.int(), fresh: z.int(), at: z.nullable(millis) }))),
  latency_ms: z.readonly(
    z.record(
      z.enum(['submit_to_ack', 'ack_to_push']),
      z.object({
        p50: z.number(),
        p99: z.number(),
      }),
    ),
  ),
  /** Whether the server that answers can read its database. */
  database: z.enum(['ok', 'away']),
  audit: z.enum(['ok', 'alarm']),
  /** Real time of the last round of the auditors; null before the first. */
  audit_time: z.nullable(timeText),
  /** Age of that round in ms; -1 before the first. */
  audit_age_ms: z.number(),
  /** Rules that it compared. */
  audit_checks: z.int(),
  markets: z.int(),
  /** Volume of all markets in 24 hours, in USDT; null while one of them has not reported it. */
  volume_24h: z.nullable(decimalText),
  /** Trades of all markets since midnight (UTC); null while one of them has not reported them. */
  trades_today: z.nullable(z.int()),
  /** Outages of products in the last 90 days (UTC); days without one are left out. */
  history: z.object({
    /** From when to when states were recorded (real time); null before the first record. */
    since: z.nullable(millis),
    until: z.nullable(millis),
    outages: z.readonly(
      z.array(
        z.object({
          /** `spot`, or a scope of `breakers`. */
          product: z.string(),
          day: z.iso.date(),
          /** Seconds in which some of its markets or calls were closed, or everything but cancels. */
          limited_seconds: z.int(),
          /** Seconds in which it was stopped, its service did not answer, or the exchange did not run. */
          down_seconds: z.int(),
        }),
      ),
    ),
  }),
});
export type ServerStatus = z.output<typeof serverStatus>;
export const streamSince = z.object({
  events: z.array(
    z.object({
      event: z.string(),
      payload: z.unknown(),
    }),
  ),
  user_seq: z.int(),
  complete: flag,
});
export type StreamSince = z.output<typeof streamSince>;
