import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Certificates of authorities (PEM) in a file that is replaced, at each renewal, while the process runs. */
export class AuthorityFile {
  private last: string;

  /** @throws Error where the file cannot be read */
  constructor(readonly path: string) {
    this.last = readFileSync(path, 'utf8');
  }

  /** Reads the file, for a new connection; while it cannot be read or is empty, returns its last content. */
  read(): string {
    try {
      const text = readFileSync(this.path, 'utf8');
      if (text.trim() !== '') this.last = text;
    } catch {
      // The file is being replaced, or lost: connections use the last content, and the gauge shows the loss.
    }
    return this.last;
  }
}

/**
 * The earliest time at which a connection that trusts these certificates may fail, ms. Of each authority the newest
 * certificate counts, because a file may hold the renewed and the previous one under the same subject; of several
 * authorities the first to expire. Null: the text has no readable certificate.
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

/** The files in `sslrootcert` of the address of a database, which the driver reads for each connection. */
export function authoritiesOf(databaseUrl: string | null): readonly string[] {
  const file = databaseUrl === null ? null : new URL(databaseUrl).searchParams.get('sslrootcert');
  return file === null || file === 'system' ? [] : [file];
}
