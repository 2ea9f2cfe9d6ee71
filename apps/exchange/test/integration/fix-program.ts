import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventuallySatisfied } from '@bourse/testing/eventually';

/** Fields of a message by their numbers. */
export type Fields = Readonly<Record<string, string>>;
interface Line {
  readonly logon?: true;
  readonly logout?: true;
  readonly ended?: true;
  readonly sent?: Fields;
  readonly admin?: Fields;
  readonly app?: Fields;
}
export interface ProgramOptions {
  /** Python that has QuickFIX. */
  readonly python: string;
  readonly port: number;
  /** Folder of QuickFIX's own store, which outlives the program. */
  readonly folder: string;
  readonly sender: string;
  readonly key: string;
  readonly secret: string;
  readonly logon?: Fields;
}

/** The program of a trader, written with QuickFIX, in a process of its own. */
export class FixProgram {
  readonly lines: Line[] = [];
  private errors = '';
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;

  constructor({ python, ...given }: ProgramOptions) {
    mkdirSync(given.folder, { recursive: true });
    const program = fileURLToPath(new URL('fix-program.py', import.meta.url));
    const dictionary = process.env['FIX_DICTIONARY'];
    this.child = spawn(python, [program, JSON.stringify({ target: 'BOURSE', dictionary, ...given })], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      // QuickFIX writes lines of its own on errors.
      if (line.startsWith('{')) this.lines.push(JSON.parse(line) as Line);
      else this.errors += `${line}\n`;
    });
    this.child.stderr!.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  /** Messages of the application that came, in their order. */
  get received(): readonly Fields[] {
    return this.lines.flatMap(({ app }) => (app ? [app] : []));
  }
  get admin(): readonly Fields[] {
    return this.lines.flatMap(({ admin }) => (admin ? [admin] : []));
  }
  get sent(): readonly Fields[] {
    return this.lines.flatMap(({ sent }) => (sent ? [sent] : []));
  }

  send(fields: Fields): void {
    this.child.stdin!.write(`${JSON.stringify({ send: { '60': timeText(), ...fields } })}\n`);
  }

  /** Waits until `found` is true of what the program has written. @throws Error with its last lines */
  async until(what: string, found: (program: this) => boolean): Promise<void> {
    await eventuallySatisfied(
      () => found(this),
      (is) => is,
    ).catch((error: unknown) => {
      const end = this.lines.slice(-12).map((one) => JSON.stringify(one));
      throw new Error(`${what}: not seen.\n${end.join('\n')}\n${this.errors}`, { cause: error });
    });
  }
  async loggedOn(): Promise<void> {
    await this.until('a logon', ({ lines }) => lines.some(({ logon }) => logon));
  }
  /** The first message of the application that has these fields. */
  async report(fields: Fields): Promise<Fields> {
    const has = (one: Fields): boolean => Object.entries(fields).every(([tag, value]) => one[tag] === value);
    await this.until(JSON.stringify(fields), ({ received }) => received.some(has));
    return this.received.find(has)!;
  }

  /** Logs out and ends. @throws Error when QuickFIX has rejected a message of the gateway */
  async end(): Promise<void> {
    this.child.stdin!.write('{"end":true}\n');
    await this.exited;
    const rejects = this.sent.filter((one) => one['35'] === '3' || one['35'] === 'j');
    if (rejects.length > 0) throw new Error(`QuickFIX has rejected: ${JSON.stringify(rejects)}`);
  }
  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

const timeText = (): string => new Date().toISOString().replace(/-/g, '').replace('T', '-').replace('Z', '');
