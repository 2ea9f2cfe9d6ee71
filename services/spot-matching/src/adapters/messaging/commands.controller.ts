import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@bourse/events';
import { ownedPartitions, standby, type OwnedPartition } from '@bourse/messaging';
import { CONSUMER, EngineRuntime } from '../../application/engine-runtime.js';
import { SpotDatabase } from '../persistence/spot-database.js';

/** Passes the partitions of commands that this process owns to the engine. */
@Controller()
export class SpotCommandsController {
  constructor(private readonly engine: EngineRuntime) {}

  @EventPattern(TOPICS.spotCommands, ownedPartitions({ consumer: CONSUMER, database: SpotDatabase }))
  run(@Payload() owned: OwnedPartition): Promise<void> {
    return this.engine.run(owned);
  }

  @EventPattern(TOPICS.spotCommands, standby(CONSUMER))
  standBy(@Payload() partition: number): void {
    this.engine.standBy(partition);
  }
}
