import type { Turn } from './raster.js';
import type { GreyImage } from './raster.js';

/** Paper lies askew by at most this angle; a drawing may have lines at any other. */
const mostSkew = 6;
const coarse = 0.5;
const fine = 0.05;
/** Letters' pixels that are enough to see the lines by. */
const mostPoints = 60_000;
/** Lines across the page must stand out this much more before they count as the direction of writing. */
const clearly = 1.2;

interface Points {
  x: Int32Array;
  y: Int32Array;
}

/** The edges of dark shapes: their lower ends lie on baselines, and pictures have few of them. */
function findPoints({ width, height, grey }: GreyImage): Points {
  let sum = 0;
  for (const value of grey) sum += value;
  const dark = (sum / grey.length) * 0.75;
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      const at = y * width + x;
      const isInk = (grey[at] ?? 255) < dark;
      if (isInk && ((grey[at + width] ?? 255) >= dark || (grey[at + 1] ?? 255) >= dark)) {
        xs.push(x);
        ys.push(y);
      }
    }
  }
  const step = Math.max(1, Math.ceil(xs.length / mostPoints));
  const thin = (all: number[]) => Int32Array.from(all.filter((_, index) => index % step === 0));
  return { x: thin(xs), y: thin(ys) };
}

/** How sharply the points fall into lines of this slope: high when full and empty rows alternate. */
function sharpness(along: Int32Array, down: Int32Array, degrees: number, rows: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const reach = 2 * rows;
  const counts = new Float64Array(4 * rows + 2);
  for (let index = 0; index < along.length; index++) {
    const row = Math.round((down[index] ?? 0) - slope * (along[index] ?? 0)) + reach / 2;
    if (row >= 0 && row < counts.length) counts[row] = (counts[row] ?? 0) + 1;
  }
  let sum = 0;
  for (let row = 1; row < counts.length; row++) {
    const change = (counts[row] ?? 0) - (counts[row - 1] ?? 0);
    sum += change * change;
  }
  return sum;
}

function bestAngle(along: Int32Array, down: Int32Array, rows: number) {
  let best = { degrees: 0, score: sharpness(along, down, 0, rows) };
  const search = (from: number, to: number, step: number) => {
    for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
      const score = sharpness(along, down, degrees, rows);
      if (score > best.score) best = { degrees, score };
    }
  };
  search(-mostSkew, mostSkew, coarse);
  search(best.degrees - coarse, best.degrees + coarse, fine);
  return best;
}

/** Finds how the lines of a page lie, from a small picture of it. Whether they stand on their head is not seen. */
export function findTurn(image: GreyImage): Turn {
  const { x, y } = findPoints(image);
  if (x.length === 0) return { quarters: 0, skew: 0 };
  const rows = Math.max(image.width, image.height);
  const upright = bestAngle(x, y, rows);
  const lying = bestAngle(y, x, rows);
  const isLying = lying.score > clearly * upright.score;
  const radians = ((isLying ? -lying.degrees : upright.degrees) * Math.PI) / 180;
  return { quarters: isLying ? 1 : 0, skew: radians };
}
