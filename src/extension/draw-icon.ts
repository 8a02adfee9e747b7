import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const accent: Colour = [51, 85, 209, 255];
const paper: Colour = [255, 255, 255, 255];
const nothing: Colour = [51, 85, 209, 0];

/** Draws the icon as a PNG of `size` pixels per side: lines of a page in a speech bubble. No picture file is needed. */
export function drawIcon(size: number): Buffer {
  const rows: Buffer[] = [];
  for (let y = 0; y < size; y += 1) {
    const row = Buffer.alloc(1 + size * 4);
    for (let x = 0; x < size; x += 1) row.set(mixed(x, y, size), 1 + x * 4);
    rows.push(row);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // Eight bits per channel, with transparency.
  head.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.concat(rows), { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(8 + body.length);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), 4 + body.length);
  return framed;
}

/** The colour of a pixel: the mean of sixteen points in it, for smooth edges. */
function mixed(x: number, y: number, size: number): number[] {
  const points = Array.from({ length: 16 }, (_, index) =>
    colourAt((x + ((index % 4) + 0.5) / 4) / size, (y + (Math.floor(index / 4) + 0.5) / 4) / size),
  );
  return [0, 1, 2, 3].map((channel) =>
    Math.round(points.reduce((sum, colour) => sum + (colour[channel] ?? 0), 0) / points.length),
  );
}

/** The colour at a point of the unit square. */
function colourAt(x: number, y: number): Colour {
  if (!isInBox(x, y, { left: 0, top: 0, right: 1, bottom: 1, radius: 0.22 })) return nothing;
  const bubble = { left: 0.14, top: 0.18, right: 0.86, bottom: 0.69, radius: 0.1 };
  const isTail = x > 0.3 && y > 0.6 && x + y < 1.2;
  const isLine = (y > 0.31 && y < 0.38 && x < 0.73) || (y > 0.49 && y < 0.56 && x < 0.57);
  if (isLine && x > 0.27) return accent;
  return isTail || isInBox(x, y, bubble) ? paper : accent;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  radius: number;
}

function isInBox(x: number, y: number, { left, top, right, bottom, radius }: Box): boolean {
  const awayX = Math.max(left + radius - x, x - right + radius, 0);
  const awayY = Math.max(top + radius - y, y - bottom + radius, 0);
  return awayX ** 2 + awayY ** 2 <= radius ** 2;
}
