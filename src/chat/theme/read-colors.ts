import { legible, luminance, parseRgb, type Palette, type Rgb } from './contrast.js';
import { systemDark } from './system-dark.js';

/** Common names of a design system's main colour. */
const accentNames =
  'bs-primary primary color-primary primary-color accent color-accent accent-color brand brand-color color-brand md-sys-color-primary mdc-theme-primary ion-color-primary el-color-primary p-primary-color v-theme-primary mantine-primary-color-filled'.split(
    ' ',
  );

const markers = [
  'data-theme',
  'data-bs-theme',
  'data-color-mode',
  'data-color-scheme',
  'data-mode',
  'theme',
  'class',
];

/** The page's present colours and font, made legible. `parse` comes from `createColorParser`. */
export function readColors(
  parse: (css: string) => Rgb | undefined,
): Palette & { font: string; ground: Element } {
  const root = document.documentElement;
  // The body is missing when a script in the head starts at once.
  const body = document.querySelector('body') ?? root;
  const style = getComputedStyle(body);
  const colorOf = (css: string | undefined): Rgb | undefined => (css ? parse(css) : undefined);

  const ground = [body, root, ...aboveCentre()]
    .map((element) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(element);
      return { element, color: colorOf(backgroundColor), isPainted: backgroundImage !== 'none' };
    })
    .find(({ color, isPainted }) => color ?? isPainted);
  const text = colorOf(getComputedStyle(ground?.element ?? body).color);
  // A grey counts as light or dark by its text, and a picture as dark when its text is light. A transparent page has
  // the browser's background, by its color-scheme or its own mark.
  const light = luminance(ground?.color ?? [255, 255, 255]);
  const textLight = text && luminance(text);
  const isMiddle = light > 0.06 && light < 0.5;
  const dark = !ground?.color
    ? (textLight ?? 0) > 0.5 || isMarkedDark(root, body)
    : isMiddle && textLight !== undefined
      ? textLight > light
      : light < 0.179;
  const background = ground?.color ?? (dark ? [22, 24, 30] : [255, 255, 255]);

  const named = accentNames.map((name) => {
    const value = style.getPropertyValue(`--${name}`).trim();
    // Some systems store bare numbers, to add an opacity.
    return (
      value && [value, `hsl(${value})`, `rgb(${value})`].find((css) => CSS.supports('color', css))
    );
  });
  const button = document.querySelector('.btn-primary,.button-primary,.primary,[type=submit]');
  const link = document.querySelector('main a[href],a[href]');
  const accent =
    colorOf(named.find(Boolean)) ??
    [
      style.accentColor,
      button && getComputedStyle(button).backgroundColor,
      link && getComputedStyle(link).color,
    ]
      .map((css) => colorOf(css ?? ''))
      .find((color) => color && isColourful(color)) ??
    (dark ? [157, 177, 255] : [51, 85, 209]);
  return {
    ...legible(background, text ?? background, accent, dark),
    font: style.fontFamily,
    ground: ground?.element ?? body,
  };
}

/** The element in the middle of the window and its ancestors: an app may paint a root of its own. */
function aboveCentre(): Element[] {
  const above: Element[] = [];
  let element = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  for (; element; element = element.parentElement) {
    if (element.clientWidth > innerWidth * 0.9 && element.clientHeight > innerHeight * 0.9) {
      above.push(element);
    }
  }
  return above;
}

function isMarkedDark(...elements: Element[]): boolean {
  for (const element of elements) {
    for (const name of markers) {
      const [, mark] =
        /(?:^|[\s_-])(dark|light)(?![a-z])/i.exec(element.getAttribute(name) ?? '') ?? [];
      if (mark) return mark.toLowerCase() === 'dark';
    }
  }
  const meta = document.querySelector('meta[name=color-scheme]')?.getAttribute('content');
  const scheme = elements
    .map((each) => getComputedStyle(each).colorScheme)
    .find((each) => each !== 'normal');
  const asked = scheme ?? meta ?? '';
  return asked.includes('dark') && (!asked.includes('light') || systemDark().matches);
}

/** False for greys, and for the blue and purple of unstyled links. */
function isColourful(color: Rgb): boolean {
  return (
    Math.max(...color) - Math.min(...color) > 40 && !['0,0,238', '85,26,139'].includes(color.join())
  );
}

/** Parses any colour of the browser (`oklch(…)`, `hsl(…)`, names …); undefined for none or a transparent one. */
export function createColorParser(): (css: string) => Rgb | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  return (css) => {
    // Some browsers falsify pictures against fingerprinting; most colours are then still parsed correctly here.
    const plain = parseRgb(css);
    if (plain || !pen || !CSS.supports('color', css)) return plain;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, opacity = 0] = pen.getImageData(0, 0, 1, 1).data;
    return opacity > 230 ? [red, green, blue] : undefined;
  };
}
