/** Drawn on a grid of 24, in lines of the text's colour. */
const shapes = {
  chat: 'M21 11.5a8.4 8.4 0 0 1-12.3 7.4l-5.2 1.6 1.6-4.7A8.4 8.4 0 1 1 21 11.5Z',
  down: 'm6 9 6 6 6-6',
  close: 'M18 6 6 18M6 6l12 12',
  menu: 'M5 12h.01M12 12h.01M19 12h.01',
  back: 'm15 18-6-6 6-6',
  edit: 'M12 20h8.5m-4-16.2a2.1 2.1 0 0 1 3 3l-12 12-4 1.2L4.7 16Z',
  send: 'M12 19V5m-6 6 6-6 6 6',
  stop: 'M8 8h8v8H8Z',
  up: 'M7 10.5 11 3a2.6 2.6 0 0 1 2.4 3.2l-.6 3.8h5.6a2 2 0 0 1 2 2.4l-1.4 7a2 2 0 0 1-2 1.6H3.5V10.5H7V21',
  bell: 'M6 8.5a6 6 0 1 1 12 0c0 6.5 2.5 8 2.5 8h-17S6 15 6 8.5m4 12a2.2 2.2 0 0 0 4 0',
} as const;

export type IconName = keyof typeof shapes;

/** Says nothing to assistive technology: the button that holds it has the name. */
export function icon(name: IconName): SVGSVGElement {
  const make = <T extends 'svg' | 'path'>(tag: T, attribute: string, value: string) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    made.setAttribute(attribute, value);
    return made;
  };
  const svg = make('svg', 'viewBox', '0 0 24 24');
  svg.ariaHidden = 'true';
  svg.append(make('path', 'd', shapes[name]));
  return svg;
}
