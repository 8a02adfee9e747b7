import type { PdfObject } from '../syntax/objects.js';

/** What stands before an operator. */
export type Operands = readonly PdfObject[];

export function numberAt(operands: Operands, index: number): number {
  const value = operands[index];
  return typeof value === 'number' ? value : 0;
}
