import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';

/** A place in a file, from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Finds settings in the text of a configuration file. Undefined for one that the file does not have. */
export function settingLocator(
  text: string,
): (path: string, which: 'key' | 'value') => Place | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  return (path, which) => {
    const offset = offsetOf(document, path.split('.'), which);
    if (offset === undefined) return undefined;
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
}

function offsetOf(document: Document, keys: string[], which: 'key' | 'value'): number | undefined {
  let key: unknown;
  let value: unknown = document.contents;
  for (const name of keys) {
    if (isMap(value)) {
      const pair = value.items.find((one) => isScalar(one.key) && String(one.key.value) === name);
      if (pair === undefined) return undefined;
      ({ key, value } = pair);
    } else if (isSeq(value)) {
      value = value.items[Number(name)];
      key = value;
    } else return undefined;
  }
  const node = which === 'value' && isNode(value) ? value : key;
  return isNode(node) ? node.range?.[0] : undefined;
}
