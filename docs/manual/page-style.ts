import type { RunStyle } from './read-manual.js';

/** All lengths are in points (1/72 inch), measured from the upper left corner of an A4 page. */
export const page = {
  width: 595.28,
  height: 841.89,
  left: 66,
  right: 529.28,
  top: 78,
  bottom: 788,
} as const;

export const textWidth = page.right - page.left;

export type FontName =
  | 'Helvetica'
  | 'Helvetica-Bold'
  | 'Helvetica-Oblique'
  | 'Courier'
  | 'Courier-Bold';

export interface TextStyle {
  size: number;
  /** From one line to the next. */
  leading: number;
  fonts: Record<RunStyle, FontName>;
  color: string;
}

const plain = {
  text: 'Helvetica',
  bold: 'Helvetica-Bold',
  italic: 'Helvetica-Oblique',
  code: 'Courier',
} as const satisfies Record<RunStyle, FontName>;

const heavy = { ...plain, text: 'Helvetica-Bold', code: 'Courier-Bold' } as const;

export const colors = {
  ink: '#1c1f24',
  accent: '#1f4e79',
  quiet: '#5c6670',
  rule: '#b9c2cb',
  shade: '#f1f4f7',
} as const;

export const styles = {
  body: { size: 9.5, leading: 12.3, fonts: plain, color: colors.ink },
  cell: { size: 8.5, leading: 11, fonts: plain, color: colors.ink },
  headerCell: { size: 8.5, leading: 11, fonts: heavy, color: colors.accent },
  code: { size: 8.2, leading: 10.6, fonts: { ...plain, text: 'Courier' }, color: colors.ink },
  part: { size: 24, leading: 30, fonts: heavy, color: colors.accent },
  chapter: { size: 15, leading: 18, fonts: heavy, color: colors.accent },
  section: { size: 11, leading: 14, fonts: heavy, color: colors.ink },
  margin: { size: 8, leading: 10, fonts: plain, color: colors.quiet },
} as const satisfies Record<string, TextStyle>;
