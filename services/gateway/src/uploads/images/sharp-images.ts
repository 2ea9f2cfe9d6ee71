import { Injectable } from '@nestjs/common';
import { UPLOAD_LIMITS } from '@bourse/contract';
import sharp, { type Sharp } from 'sharp';
import { ImageEncoder, type ImageFault } from '../application/uploads.js';
import type { ImageType } from '../domain/image-type.js';

/** libvips supports many more formats, each an attack surface: only ours may be loaded in this process. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
// Every image is read once: a cache would only keep strangers' pictures in memory.
sharp.cache(false);
sharp.concurrency(1);

const FORMATS: Readonly<Record<ImageType, string>> = { jpg: 'jpeg', png: 'png', webp: 'webp' };
/** Larger pictures are scaled down to fit; no screen shows more. Pixels. */
const SIDE_MAX = 4_096;
const WORK_SECONDS = 8;

/** Pictures by sharp (libvips), in its own threads. */
@Injectable()
export class SharpImages extends ImageEncoder {
  async encode(bytes: Buffer, type: ImageType): Promise<{ readonly bytes: Buffer } | { readonly fault: ImageFault }> {
    try {
      // The header first: a file that claims to be enormous is never decoded.
      const {
        format,
        width,
        height,
        pages = 1,
      } = await sharp(bytes, { failOn: 'none', limitInputPixels: false }).metadata();
      if (format !== FORMATS[type] || pages > 1) return { fault: 'type' };
      if (width * height > UPLOAD_LIMITS.pixels) return { fault: 'size' };
      const picture = sharp(bytes, { failOn: 'warning', limitInputPixels: UPLOAD_LIMITS.pixels })
        .timeout({ seconds: WORK_SECONDS })
        .autoOrient()
        .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true });
      const written = await as(type, picture).toBuffer();
      return written.length > UPLOAD_LIMITS.bytes ? { fault: 'size' } : { bytes: written };
    } catch {
      // A file that libvips cannot read to its end is no valid image; libvips' message is internal.
      return { fault: 'type' };
    }
  }
}

function as(type: ImageType, picture: Sharp): Sharp {
  switch (type) {
    case 'jpg':
      return picture.jpeg({ quality: 85 });
    case 'png':
      return picture.png({ compressionLevel: 9 });
    case 'webp':
      return picture.webp({ quality: 85 });
  }
}
