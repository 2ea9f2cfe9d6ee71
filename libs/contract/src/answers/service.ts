import type { Flag, Millis } from './values.js';

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
export interface StreamSince {
  events: { event: string; payload: unknown }[];
  user_seq: number;
  complete: Flag;
}
