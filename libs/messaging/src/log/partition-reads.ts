import type { Logger } from '@nestjs/common';
import { Fenced, type Reading, type ReadPartition, type ReadSpec } from '../ports.js';
import { endedInTime, type Handle } from './background-loop.js';
import { BACK_OFF_MS, delay } from './delay.js';

/** Opens a partition for a reader that owns nothing. */
export type OpenToRead = (spec: ReadSpec, ...from: Parameters<Reading['from']>) => Promise<ReadPartition>;

/** The readers of this process: each reads a whole partition without owning it, and begins again when it fails. */
export class PartitionReads {
  private readonly reads = new Set<Handle>();

  constructor(
    private readonly open: OpenToRead,
    private readonly logger: Logger,
  ) {}

  /** Begins a reader. */
  start(spec: ReadSpec): Handle {
    const stopping = new AbortController();
    const ended = this.readAgain(spec, stopping.signal);
    const handle = {
      stop: async () => {
        stopping.abort(new Fenced(`${spec.consumer}/${spec.partition}: the process stops`));
        await endedInTime(ended);
        this.reads.delete(handle);
      },
    };
    this.reads.add(handle);
    return handle;
  }

  /** The readers that were not stopped yet. */
  handles(): readonly Handle[] {
    return [...this.reads];
  }

  private async readAgain(spec: ReadSpec, signal: AbortSignal): Promise<void> {
    const name = `${spec.consumer}/${spec.partition}`;
    for (let waitMs = BACK_OFF_MS.first; !signal.aborted; waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most)) {
      const startedAt = performance.now();
      const open = new Set<ReadPartition>();
      const closeAll = (): void => {
        for (const partition of open) void partition.close();
      };
      signal.addEventListener('abort', closeAll, { once: true });
      try {
        await spec.run({
          partition: spec.partition,
          signal,
          from: async (...given) => {
            const partition = await this.open(spec, ...given);
            open.add(partition);
            if (signal.aborted) closeAll();
            return partition;
          },
        });
      } catch (error) {
        if (signal.aborted || error instanceof Fenced)
          this.logger.debug(`${name} was read until: ${(error as Error).message}`);
        else this.logger.error(`${name} failed and is read again: ${(error as Error).stack ?? String(error)}`);
      } finally {
        signal.removeEventListener('abort', closeAll);
        await Promise.all([...open].map((partition) => partition.close()));
      }
      if (performance.now() - startedAt > BACK_OFF_MS.most) waitMs = BACK_OFF_MS.first; // it had worked for a while
      await delay(waitMs, signal);
    }
  }
}
