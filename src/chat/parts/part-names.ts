/**
 * The scripts that the widget's first script loads on demand, so that a page loads only what its visitors use, and one
 * language. The build, the server and the loader read this list.
 */
export const partNames = [
  'panel',
  'pages',
  'requests',
  'masking',
  'host-theme',
  'texts-en',
  'texts-es',
  'texts-de',
] as const;

export type PartName = (typeof partNames)[number];
