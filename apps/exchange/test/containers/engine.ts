import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** How a program ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Runs a program in the root of the clone to its end; `input` is its standard input. */
export const runProgram = (
  program: string,
  args: readonly string[],
  { env = {}, input }: { readonly env?: Readonly<Record<string, string>>; readonly input?: Buffer } = {},
): Promise<Ended & { readonly bytes: Buffer }> =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      { cwd: root, env: { ...process.env, ...env }, maxBuffer: 16 * OUTPUT_BYTES_MAX, encoding: 'buffer' },
      (error, bytes, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, bytes, out: bytes.toString(), err: err.toString() });
      },
    );
    child.stdin?.end(input);
  });

/** The standard output of `docker`. @throws Error with its words when it fails. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await runProgram('docker', args);
  if (code !== 0) throw new Error(`docker ${args.join(' ')} ended with ${code}:\n${(err || out).slice(-4_000)}`);
  return out.trim();
}

/** Ports of this machine that nothing listens on. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.once('listening', resolve))));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

/** What the engine knows of a container. */
export interface Container {
  readonly Id: string;
  readonly Image: string;
  readonly RestartCount: number;
  readonly State: { readonly Pid: number; readonly Status: string; readonly Health?: { readonly Status: string } };
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly CapDrop: readonly string[];
    readonly CapAdd: readonly string[] | null;
    readonly SecurityOpt: readonly string[];
    readonly Memory: number;
    readonly NanoCpus: number;
    readonly Privileged: boolean;
  };
}

/** A run of docker-compose.yml, by a project name and ports of its own. */
export class ComposeRun {
  constructor(
    private readonly project: string,
    /** The settings that the file takes from the shell. */
    private readonly env: Readonly<Record<string, string>>,
    /** The services that are started: all but those whose image is not to be had. */
    readonly services: readonly string[],
  ) {}

  run(args: readonly string[], input?: Buffer): ReturnType<typeof runProgram> {
    return runProgram('docker', ['compose', '-p', this.project, ...args], {
      env: this.env,
      ...(input === undefined ? {} : { input }),
    });
  }

  /** The standard output of `docker compose`. @throws Error with its words when it fails. */
  async must(args: readonly string[], input?: Buffer): Promise<string> {
    const { code, out, err } = await this.run(args, input);
    if (code !== 0)
      throw new Error(`docker compose ${args.join(' ')} ended with ${code}:\n${(err || out).slice(-4_000)}`);
    return out;
  }

  /** Starts what is not running or differs from its image, and waits until all of it is healthy; gives the seconds. */
  async up(services: readonly string[] = this.services): Promise<number> {
    const began = Date.now();
    try {
      await this.must(['up', '--wait', '--no-build', '--wait-timeout', '600', ...services]);
    } catch (error) {
      const states = await this.must(['ps', '-a', '--format', '{{.Service}}: {{.Status}}']);
      const logs = await this.run(['logs', '--no-color', '--tail', '15', 'migrate', 'gateway', 'auth']);
      throw new Error(`${(error as Error).message}\n${states}\n${logs.out.slice(-6_000)}`, { cause: error });
    }
    return (Date.now() - began) / 1000;
  }

  async container(service: string): Promise<Container> {
    const id = (await this.must(['ps', '-a', '-q', service])).trim();
    const [found] = JSON.parse(await docker('inspect', id)) as readonly Container[];
    if (found === undefined) throw new Error(`No container runs ${service}.`);
    return found;
  }

  /** Runs a command in a running container. */
  inside(service: string, ...command: readonly string[]): ReturnType<typeof runProgram> {
    return this.run(['exec', '-T', service, ...command]);
  }

  /** Ends everything, its data too. */
  down(): Promise<string> {
    return this.must(['down', '--volumes', '--timeout', '10', '--remove-orphans']);
  }
}
