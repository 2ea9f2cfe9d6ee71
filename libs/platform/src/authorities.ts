import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Certificates of authorities (PEM) in a file that is replaced while the process runs: an authority is renewed long
 * before its servers and their clients end.
 */
export class AuthorityFile {
  private last: string;

  /** @throws Error where the file cannot be read */
  constructor(readonly path: string) {
    this.last = readFileSync(path, 'utf8');
  }

  /** What the file holds now, for a new connection; while it cannot be read or is empty, what it held before. */
  read(): string {
    try {
      const text = readFileSync(this.path, 'utf8');
      if (text.trim() !== '') this.last = text;
    } catch {
      // It is replaced at this moment, or lost: the last one is better than none, and the gauge says that it is gone.
    }
    return this.last;
  }
}

/**
 * When a connection that trusts these certificates may fail first, ms: of each authority its newest certificate counts,
 * because a renewed one has the same subject and may stand beside the one before; of several authorities the first to
 * expire. Null where there is no certificate that can be read.
 */
export function expiryOf(pem: string): number | null {
  const newest = new Map<string, number>();
  try {
    for (const [text] of pem.matchAll(CERTIFICATE)) {
      const { subject, validTo } = new X509Certificate(text);
      newest.set(subject, Math.max(newest.get(subject) ?? 0, Date.parse(validTo)));
    }
  } catch {
    return null;
  }
  return newest.size === 0 ? null : Math.min(...newest.values());
}

/** Files of authorities that the address of a database names (`sslrootcert`), which its driver reads per connection. */
export function authoritiesOf(databaseUrl: string | null): readonly string[] {
  const file = databaseUrl === null ? null : new URL(databaseUrl).searchParams.get('sslrootcert');
  return file === null || file === 'system' ? [] : [file];
}
