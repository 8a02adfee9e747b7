import { Dict } from '../syntax/objects.js';
import { CompositeFont } from './composite-font.js';
import type { PdfFont } from './font.js';
import { SimpleFont } from './simple-font.js';

/** A font as text needs it, from its dictionary. Whatever the dictionary holds, there is a font, and it decodes. */
export function loadFont(dict: Dict): PdfFont {
  try {
    return dict.name('Subtype') === 'Type0' ? new CompositeFont(dict) : new SimpleFont(dict);
  } catch {
    // What a reference leads to could not be read: codes without a meaning are left.
    return new CompositeFont(new Dict({ resolve: () => null }));
  }
}
