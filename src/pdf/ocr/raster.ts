import { boxAround, intersect, multiply, type Box, type Matrix } from '../reader/content/matrix.js';

/** Grey pixels, row by row from the top: 0 is black, 255 is paper. */
export interface GreyImage {
  width: number;
  height: number;
  grey: Uint8Array;
}

export interface Raster extends GreyImage {
  dpi: number;
}

/** A decoded picture and its place: the matrix maps the unit square to the page, in points from its top left corner. */
export interface PlacedImage {
  image: GreyImage;
  /** 255 where the picture is opaque. */
  mask: GreyImage | undefined;
  /** Paints only its dark pixels. */
  isStencil: boolean;
  matrix: Matrix;
  clip: Box;
}

/** How the page is turned for recognition: quarter turns anticlockwise, then by an angle around its middle. */
export interface Turn {
  quarters: number;
  /** In radians: the slope of the lines after the quarter turns. */
  skew: number;
}

export const unturned: Turn = { quarters: 0, skew: 0 };

export interface Frame {
  width: number;
  height: number;
}

/** The size of the turned page. */
export function turnedFrame({ width, height }: Frame, { quarters }: Turn): Frame {
  return quarters % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Maps a point of the turned page to the page. */
function untwist(frame: Frame, turn: Turn): Matrix {
  const turned = turnedFrame(frame, turn);
  const [cos, sin] = [Math.cos(turn.skew), Math.sin(turn.skew)];
  const [x, y] = [turned.width / 2, turned.height / 2];
  const tilt: Matrix = [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
  const { width, height } = frame;
  const back: Matrix[] = [
    [1, 0, 0, 1, 0, 0],
    [0, 1, -1, 0, width, 0],
    [-1, 0, 0, -1, width, height],
    [0, -1, 1, 0, 0, height],
  ];
  return multiply(back[turn.quarters % 4] ?? tilt, tilt);
}

function inverted([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c;
  if (!(Math.abs(area) > 1e-9)) return undefined;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** A pixel is the mean of at most this many samples in each direction. */
const mostSamples = 4;

/** Paints the pictures on white paper, turned upright. */
export function paintPage(
  images: readonly PlacedImage[],
  frame: Frame,
  dpi: number,
  turn: Turn = unturned,
): Raster {
  const size = turnedFrame(frame, turn);
  const scale = 72 / dpi;
  const width = Math.max(1, Math.round(size.width / scale));
  const height = Math.max(1, Math.round(size.height / scale));
  const raster: Raster = { width, height, grey: new Uint8Array(width * height).fill(255), dpi };
  const toPage = multiply(untwist(frame, turn), [scale, 0, 0, scale, 0, 0]);
  for (const placed of images) paintImage(raster, placed, toPage);
  return raster;
}

/** The pixels that the picture may touch. */
function reachOf({ width, height }: Raster, { matrix }: PlacedImage, toPage: Matrix): Box {
  const toRaster = inverted(toPage) ?? toPage;
  const box = boxAround(multiply(toRaster, matrix), 0, 0, 1, 1);
  const whole = { left: 0, top: 0, right: width, bottom: height };
  const { left, top, right, bottom } = intersect(whole, box);
  return {
    left: Math.floor(left),
    top: Math.floor(top),
    right: Math.ceil(right),
    bottom: Math.ceil(bottom),
  };
}

function paintImage(raster: Raster, placed: PlacedImage, toPage: Matrix): void {
  const { image, mask, isStencil, clip } = placed;
  const inverse = inverted(placed.matrix);
  if (inverse === undefined) return;
  // The unit square stands on its feet, and pixels are counted from the top.
  const toImage: Matrix = [image.width, 0, 0, -image.height, 0, image.height];
  const [a, b, c, d, e, f] = multiply(toImage, multiply(inverse, toPage));
  const area = reachOf(raster, placed, toPage);
  const across = Math.hypot(a, b);
  const isExact = Math.abs(b) + Math.abs(c) < 0.01 && Math.abs(across - 1) < 0.02;
  const samples = isExact ? 1 : Math.min(mostSamples, Math.max(2, Math.ceil(across)));
  const maskX = mask === undefined ? 0 : mask.width / image.width;
  const maskY = mask === undefined ? 0 : mask.height / image.height;
  const { grey } = image;
  for (let row = area.top; row < area.bottom; row++) {
    for (let column = area.left; column < area.right; column++) {
      const pageX = toPage[0] * (column + 0.5) + toPage[2] * (row + 0.5) + toPage[4];
      const pageY = toPage[1] * (column + 0.5) + toPage[3] * (row + 0.5) + toPage[5];
      if (pageX < clip.left || pageX > clip.right || pageY < clip.top || pageY > clip.bottom) {
        continue;
      }
      const at = row * raster.width + column;
      const under = raster.grey[at] ?? 255;
      let sum = 0;
      let hits = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const x = column + ((sample % samples) + 0.5) / samples;
        const y = row + (Math.floor(sample / samples) + 0.5) / samples;
        const imageX = Math.floor(a * x + c * y + e);
        const imageY = Math.floor(b * x + d * y + f);
        if (imageX < 0 || imageY < 0 || imageX >= image.width || imageY >= image.height) {
          sum += under;
          continue;
        }
        hits++;
        const value = grey[imageY * image.width + imageX] ?? 255;
        const isClear =
          mask !== undefined &&
          (mask.grey[
            Math.floor((imageY + 0.5) * maskY) * mask.width + Math.floor((imageX + 0.5) * maskX)
          ] ?? 255) < 128;
        sum += isClear || (isStencil && value > under) ? under : value;
      }
      if (hits > 0) raster.grey[at] = sum / (samples * samples);
    }
  }
}
