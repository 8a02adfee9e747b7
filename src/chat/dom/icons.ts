/** Shapes on a grid of 24, drawn as lines in the text's colour. */
const shapes = {
  chat: 'M21 11.5a8.4 8.4 0 0 1-12.3 7.4l-5.2 1.6 1.6-4.7A8.4 8.4 0 1 1 21 11.5Z',
  down: 'm6 9 6 6 6-6',
  close: 'M18 6 6 18M6 6l12 12',
  menu: 'M5 12h0m7 0h0m7 0h0',
  back: 'm15 18-6-6 6-6',
  add: 'M12 5v14M5 12h14',
  send: 'M12 19V5m-6 6 6-6 6 6',
  stop: 'M7 7h10v10H7Z',
  thumb: 'M7 11l4-8c3 0 3 3 2 7h8l-2 11H3V11h4v10',
} as const;

export type IconName = keyof typeof shapes;

/** Hidden from assistive technology: the surrounding button has the name. */
export function icon(name: IconName): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const path = document.createElementNS(space, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  path.setAttribute('d', shapes[name]);
  svg.ariaHidden = 'true';
  svg.append(path);
  return svg;
}
