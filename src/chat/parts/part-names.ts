/**
 * The scripts that the widget's first one loads, each once it is needed: a page pays for what its visitors use, and for
 * one language. Whoever builds, serves or loads them reads this list.
 */
export const partNames = [
  ...(['panel', 'pages', 'requests', 'masking', 'host-theme'] as const),
  ...(['texts-en', 'texts-es', 'texts-de'] as const),
] as const;

export type PartName = (typeof partNames)[number];
