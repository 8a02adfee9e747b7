import { join } from 'node:path';
import { packageRoot } from '../../../platform/package-root.js';

/** The folder with what the product uses of pdf.js: its code, character maps and standard fonts. */
export function pdfjsFolder(): string {
  return join(packageRoot(), 'dist/pdfjs');
}
