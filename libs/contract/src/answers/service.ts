import type { DecimalText, Flag, Millis } from './values.js';

/** Answers of the gateway's own calls (api §2.11). */
export interface ServerConfig {
  languages: string[];
  default_locale: string;
  theme: string;
  login_need_code: Flag;
  invite_code_must: Flag;
  is_open_CTbi: Flag;
  socket_path: string;
  socket_port: number;
  support_url: string;
  app: { ios: string; android: string; mobile_path: string };
  dev: Flag;
  server_time: Millis;
}
/** `/api/status` (api §2.11, §6.19). */
export interface ServerStatus {
  modes: Readonly<Record<string, string>>;
  /** Whether the house quotes here. */
  maker: Flag;
  /**
   * Of each product against the house, by currency: what is set aside for its winners, and the most that it could owe
   * them.
   */
  house: Readonly<
    Record<string, Readonly<Record<string, { readonly reserved: DecimalText; readonly owed_at_most: DecimalText }>>>
  >;
  /** Age of the newest index price; -1 before the first. */
  feed_age_ms: number;
  latency_ms: Readonly<Record<'submit_to_ack' | 'ack_to_push', { readonly p50: number; readonly p99: number }>>;
  audit: 'ok' | 'alarm';
}
export interface StreamSince {
  events: { event: string; payload: unknown }[];
  user_seq: number;
  complete: Flag;
}
