import { AppError } from '../../../platform/errors.js';
import { Dict } from '../syntax/objects.js';
import { CompositeFont } from './composite-font.js';
import type { PdfFont } from './font.js';
import { SimpleFont } from './simple-font.js';

/** A font as text needs it, from its dictionary. Whatever the dictionary holds, there is a font, and it decodes; but throws damaged where it would break other readers. */
export function loadFont(dict: Dict): PdfFont {
  try {
    return dict.name('Subtype') === 'Type0' ? new CompositeFont(dict) : new SimpleFont(dict);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // What a reference leads to could not be read: codes without a meaning are left.
    return new CompositeFont(new Dict({ resolve: () => null }));
  }
}
