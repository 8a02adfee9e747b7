import type { FontTraits } from '../../layout/page.js';

/** A PostScript font name without the tag of a subset, e.g. `LiberationSans-Bold` for `IVUZKL+LiberationSans-Bold`. */
export function bareFontName(name: string): string {
  return name.replace(/^[A-Z]{6}\+/, '');
}

/** Traits as a PostScript font name spells them, e.g. `IVUZKL+LiberationSans-Bold`, `CMBX12`, `LMMonoLt10-Regular`. */
export function traitsOfName(name: string): FontTraits {
  const bare = bareFontName(name);
  return {
    bold: /bold|black|heavy|demi|semibd|-bd\b|^cmbx|^cmb\d|^cmssbx|^sfbx|^ecbx/i.test(bare),
    italic: /ital|obliq|slant|^cmti|^cmsl|^sfti/i.test(bare),
    mono: /mono|courier|consol|typewriter|fixed|menlo|inconsolata|sourcecode|firacode|lettergothic|^cmtt|^sftt|^ectt|^cmsltt|nimbusmon/i.test(
      bare,
    ),
  };
}
