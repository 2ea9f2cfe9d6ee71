import { randomBytes } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UPLOAD_LIMITS } from '@bourse/contract';
import { Counters, type ChangedBy } from '@bourse/messaging';
import { Alarms, Clock, Config, Metrics, Refused, signedUpload, Unavailable, verifyUpload } from '@bourse/platform';
import { IMAGE_TYPES, imageTypeOf, type ImageType } from '../domain/image-type.js';

/** Purpose of an image; a call takes only images of its own scene (api §2.11). */
export const SCENES = ['pay', 'kyc', 'evidence', 'proof', 'chat'] as const;
/** Pictures of news: operators upload them, and those that a news item names are public. */
const NEWS_SCENE = 'news';
export type Scene = (typeof SCENES)[number] | typeof NEWS_SCENE;
/** Operators have their own numbers: negative owner ids cannot collide with users'. */
const asOwner = (operatorId: number): number => -operatorId;
export interface StoredImage {
  readonly type: ImageType;
  readonly bytes: Buffer;
}
export interface NewUpload extends StoredImage {
  readonly name: string;
  readonly userId: number;
  readonly scene: Scene;
  /** The operator who uploads it and the reason: a line of the audit log. */
  readonly by?: ChangedBy;
}

/** Storage of images: the gateway's own schema by default; an object store can replace it. */
export abstract class UploadStore {
  /** False: the user's images would exceed `quota` bytes; nothing was stored. */
  abstract add(upload: NewUpload, quota: number): Promise<boolean>;
  abstract read(name: string): Promise<StoredImage | null>;
  /** A picture of news that is in use. */
  abstract readNews(name: string): Promise<StoredImage | null>;
  /** Those of these names that are pictures of news; they are in use from then on. */
  abstract claimNews(names: readonly string[]): Promise<readonly string[]>;
  /** Whether the image exists and belongs to that user and scene. From then on it is in use and is kept. */
  abstract claim(upload: Pick<NewUpload, 'name' | 'userId' | 'scene'>): Promise<boolean>;
  /** Removes images that were not used within their time (`RETENTION_DAYS`), ms; returns their number. */
  abstract sweep(now: number): Promise<number>;
  /** Removes pictures of identity documents; returns their number. */
  abstract forget(names: readonly string[]): Promise<number>;
  /** Seals images in the clear or under an earlier key; `broken`: a key is missing. */
  abstract reseal(): Promise<{ readonly sealed: number; readonly broken: number }>;
}

/** The reason why a file is refused. */
export type ImageFault = 'type' | 'size';
/**
 * Decodes a file and encodes it again: rotated as its EXIF says, without any metadata, so that nothing but the picture
 * survives.
 */
export abstract class ImageEncoder {
  abstract encode(bytes: Buffer, type: ImageType): Promise<{ readonly bytes: Buffer } | { readonly fault: ImageFault }>;
}

const SWEEP_MS = 600_000;
const ALARM = 'gateway.reseal';
/** 192 bits, so that names cannot be guessed. */
const NAME_BYTES = 24;
const HOUR_MS = 3_600_000;

/** Runs work one at a time, off the main loop; refuses with a retry when too many are waiting. */
class Lane {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Throws `Unavailable` when the lane is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting >= UPLOAD_LIMITS.queue) throw new Unavailable('too many images wait to be read');
    this.waiting += 1;
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined); // the caller that awaits it gets the error
    try {
      return await turn;
    } finally {
      this.waiting -= 1;
    }
  }
}

/** Images of users: accepted, stored, served by signed addresses (api §2.11, invariants §5). */
@Injectable()
export class Uploads implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Uploads');
  private readonly lane = new Lane();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: UploadStore,
    private readonly encoder: ImageEncoder,
    private readonly counters: Counters,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly alarms: Alarms,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const work = (): void => {
      this.tidy().catch((error: unknown) => this.logger.warn(`images could not be tidied: ${String(error)}`));
    };
    work();
    this.timer = setInterval(work, SWEEP_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Seals images again if needed, and removes unused ones. */
  async tidy(): Promise<void> {
    const { sealed, broken } = await this.store.reseal();
    if (sealed > 0) this.logger.log(`${sealed} images were sealed under the newest key`);
    this.metrics
      .gauge('bourse_data_stale_rows', 'Rows in the clear or sealed under an earlier key', ['what'])
      .set({ what: 'upload' }, broken);
    if (broken > 0) this.alarms.raise(ALARM, `${broken} images do not open: a key is missing (docs/data-keys.md)`);
    else this.alarms.clear(ALARM);
    const removed = await this.store.sweep(this.clock.real());
    this.metrics
      .counter('bourse_retention_deleted_total', 'What was deleted because its time was over', ['what'])
      .inc({ what: 'unused_uploads' }, removed);
  }

  /** Deletes pictures of identity documents whose retention has ended, as named by auth. */
  forget(names: readonly string[]): Promise<number> {
    return this.store.forget(names);
  }

  /** Stores a picture for news, like `add` for users. */
  addNews(by: ChangedBy, file: Buffer): Promise<string> {
    return this.keep({ userId: asOwner(by.operatorId), scene: NEWS_SCENE, by }, file);
  }

  /**
   * Stores an image and returns its signed address. Throws `common.tooMany`, `upload.type`, `upload.size`,
   * `upload.quota`.
   */
  add(userId: number, scene: Scene, file: Buffer): Promise<string> {
    return this.keep({ userId, scene }, file);
  }

  private async keep(sent: Pick<NewUpload, 'userId' | 'scene' | 'by'>, file: Buffer): Promise<string> {
    const { userId } = sent;
    const { count, resetsInMs } = await this.counters.hit(`upload:${userId}`, HOUR_MS);
    if (count > UPLOAD_LIMITS.perHour * this.config.rateScale)
      throw new Refused('common.tooMany', { seconds: Math.max(1, Math.ceil(resetsInMs / 1_000)) });
    if (file.length > UPLOAD_LIMITS.bytes) throw new Refused('upload.size', {}, { field: 'file' });
    const type = imageTypeOf(file);
    if (!type) throw new Refused('upload.type', {}, { field: 'file' });
    const encoded = await this.lane.run(() => this.encoder.encode(file, type));
    if ('fault' in encoded) throw new Refused(`upload.${encoded.fault}`, {}, { field: 'file' });
    const name = `${randomBytes(NAME_BYTES).toString('base64url')}.${type}`;
    if (!(await this.store.add({ ...sent, name, type, bytes: encoded.bytes }, UPLOAD_LIMITS.perUserBytes)))
      throw new Refused('upload.quota', {}, { field: 'file' });
    return signedUpload(this.config.internalSecret, name, this.clock.real());
  }

  /** The image of a signed address that is still valid. */
  async shown(
    name: string,
    expires: string,
    signature: string,
  ): Promise<{ readonly contentType: string; readonly bytes: Buffer } | null> {
    if (!verifyUpload(this.config.internalSecret, { name, expires, signature }, this.clock.real())) return null;
    return this.read(name);
  }

  /** A picture that a news item names: public, signed or not [NEWS-005]. */
  async published(name: string): Promise<{ readonly contentType: string; readonly bytes: Buffer } | null> {
    return typed(await this.store.readNews(name));
  }

  /** The image of a name; the caller has decided that it may be seen. */
  async read(name: string): Promise<{ readonly contentType: string; readonly bytes: Buffer } | null> {
    return typed(await this.store.read(name));
  }

  /** Whether a user may use this image for this purpose. */
  claim(name: string, userId: number, scene: string): Promise<boolean> {
    const known = SCENES.find((candidate) => candidate === scene);
    return known === undefined ? Promise.resolve(false) : this.store.claim({ name, userId, scene: known });
  }

  /** Those of these names that a news item may use; they are in use from now on. */
  claimNews(names: readonly string[]): Promise<readonly string[]> {
    return this.store.claimNews(names);
  }
}

const typed = (image: StoredImage | null): { readonly contentType: string; readonly bytes: Buffer } | null =>
  image && { contentType: IMAGE_TYPES[image.type], bytes: image.bytes };
