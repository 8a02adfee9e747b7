import { tooMuch } from './bytes.js';
import { inflateStream } from './flate.js';
import { decodeLzw } from './lzw.js';
import { NotUnderstood, type Dict } from './objects.js';
import { undoPredictor } from './predictors.js';
import { decodeAscii85, decodeHex, decodeRunLength } from './text-filters.js';

/** A filter of a stream, and its entry of DecodeParms. */
export interface Filter {
  name: string;
  params: Dict | undefined;
}

/** More filters than any writer chains; each could unpack to the limit again. */
const mostFilters = 8;

/**
 * The bytes of a stream without their filters. Of a damaged stream it answers what can be read.
 * Refuses with out_of_memory where any filter gives more than `maxBytes`; throws NotUnderstood for the filters of
 * pictures, for unknown ones, and for predictors that can't be.
 */
export function decodeFilters(
  encoded: Uint8Array,
  filters: readonly Filter[],
  maxBytes: number,
): Uint8Array {
  if (filters.length > mostFilters) throw new NotUnderstood(`${filters.length} filters`);
  let bytes = encoded;
  for (const filter of filters) {
    bytes = decode(bytes, filter, maxBytes);
    if (bytes.length > maxBytes) throw tooMuch(maxBytes);
  }
  return bytes;
}

function decode(bytes: Uint8Array, { name, params }: Filter, maxBytes: number): Uint8Array {
  switch (name) {
    case 'FlateDecode':
    case 'Fl':
      return undoPredictor(inflateStream(bytes, maxBytes), params);
    case 'LZWDecode':
    case 'LZW': {
      const earlyChange = params?.number('EarlyChange') === 0 ? 0 : 1;
      return undoPredictor(decodeLzw(bytes, earlyChange, maxBytes), params);
    }
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(bytes, maxBytes);
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(bytes, maxBytes);
    case 'RunLengthDecode':
    case 'RL':
      return decodeRunLength(bytes, maxBytes);
    case 'Crypt':
      // Decrypted before the filters, by the crypt filter that it names.
      return bytes;
    default:
      throw new NotUnderstood(`filter ${name}`);
  }
}
