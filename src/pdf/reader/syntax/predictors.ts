import { NotUnderstood, type Dict } from './objects.js';

/** The layout of a row's samples (ISO 32000-1, table 8). */
interface Rows {
  colors: number;
  bits: number;
  /** Bytes per row, without PNG's tag byte. */
  rowBytes: number;
  /** The distance in bytes to the sample on the left, at least one. */
  step: number;
}

function whole(params: Dict, key: string, fallback: number, max: number): number {
  const value = params.number(key) ?? fallback;
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new NotUnderstood(`${key} of a predictor is ${value}`);
}

function readRows(params: Dict): Rows {
  const colors = whole(params, 'Colors', 1, 64);
  const bits = whole(params, 'BitsPerComponent', 8, 16);
  const columns = whole(params, 'Columns', 1, 2 ** 30);
  if (![1, 2, 4, 8, 16].includes(bits)) throw new NotUnderstood(`${bits} bits per component`);
  const rowBytes = Math.ceil((colors * bits * columns) / 8);
  return { colors, bits, rowBytes, step: Math.ceil((colors * bits) / 8) };
}

/** Reverses the prediction that `params` name, if any. May write into `data`. */
export function undoPredictor(data: Uint8Array, params: Dict | undefined): Uint8Array {
  const predictor = params?.number('Predictor') ?? 1;
  if (params === undefined || predictor === 1) return data;
  if (predictor === 2) return undoTiff(data, readRows(params));
  // The stated PNG predictor does not matter: each row names its own.
  if (predictor >= 10 && predictor <= 15) return undoPng(data, readRows(params));
  throw new NotUnderstood(`predictor ${predictor}`);
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byUpLeft = Math.abs(estimate - upLeft);
  if (byLeft <= byUp && byLeft <= byUpLeft) return left;
  return byUp <= byUpLeft ? up : upLeft;
}

/** Each PNG row begins with a byte that names its predictor. A truncated last row is kept. */
function undoPng(data: Uint8Array, { rowBytes, step }: Rows): Uint8Array {
  const count = Math.ceil(data.length / (rowBytes + 1));
  const out = new Uint8Array(Math.max(0, data.length - count));
  for (let row = 0, from = 0, to = 0; row < count; row++) {
    const tag = data[from++] ?? 0;
    const end = Math.min(out.length, to + rowBytes);
    const first = to;
    for (; to < end; to++, from++) {
      const left = to - step >= first ? (out[to - step] ?? 0) : 0;
      const up = row > 0 ? (out[to - rowBytes] ?? 0) : 0;
      let predicted = 0;
      if (tag === 1) predicted = left;
      else if (tag === 2) predicted = up;
      else if (tag === 3) predicted = (left + up) >> 1;
      else if (tag === 4) {
        const upLeft = row > 0 && to - step >= first ? (out[to - rowBytes - step] ?? 0) : 0;
        predicted = paeth(left, up, upLeft);
      }
      out[to] = (data[from] ?? 0) + predicted;
    }
  }
  return out;
}

/** TIFF: each sample is the difference from the left sample of the same colour. */
function undoTiff(data: Uint8Array, rows: Rows): Uint8Array {
  const { bits, rowBytes, step } = rows;
  const out = data.slice();
  for (let first = 0; first < out.length; first += rowBytes) {
    const end = Math.min(out.length, first + rowBytes);
    if (bits === 8) {
      for (let at = first + step; at < end; at++) out[at] = (out[at] ?? 0) + (out[at - step] ?? 0);
    } else if (bits === 16) {
      for (let at = first + step; at + 1 < end; at += 2) {
        const left = ((out[at - step] ?? 0) << 8) | (out[at - step + 1] ?? 0);
        const sum = (((out[at] ?? 0) << 8) | (out[at + 1] ?? 0)) + left;
        out[at] = sum >> 8;
        out[at + 1] = sum;
      }
    } else {
      undoPackedRow(out.subarray(first, end), rows);
    }
  }
  return out;
}

/** A row with samples smaller than a byte. */
function undoPackedRow(row: Uint8Array, { bits, colors }: Rows): void {
  const mask = (1 << bits) - 1;
  const last = new Uint8Array(colors);
  const samples = Math.floor((row.length * 8) / bits);
  for (let sample = 0; sample < samples; sample++) {
    const at = (sample * bits) >> 3;
    const shift = 8 - bits - ((sample * bits) & 7);
    const byte = row[at] ?? 0;
    const color = sample % colors;
    const value = (((byte >> shift) & mask) + (last[color] ?? 0)) & mask;
    last[color] = value;
    row[at] = (byte & ~(mask << shift)) | (value << shift);
  }
}
