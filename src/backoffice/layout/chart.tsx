import { useShown } from './shown.js';

export interface Bar {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Stacked from below, at most two. */
  parts: readonly number[];
}

interface ChartProps {
  /** Unique on the page. */
  id: string;
  title: string;
  /** A sentence that says what it shows. */
  about: string;
  /** The names of the parts. */
  legend: readonly string[];
  bars: readonly Bar[];
  /** How the axis writes its numbers. */
  write?: (value: number) => string;
}

const [width, height, left, bottom, top] = [720, 190, 40, 22, 8];

/** Bars by day, from zero, without a script. The page shows the same numbers in a table. */
export function DayChart({ id, title, about, legend, bars, write }: ChartProps) {
  const { format } = useShown();
  const writeNumber = write ?? ((value: number) => format.number(value));
  const most = Math.max(...bars.map(({ parts }) => parts.reduce((sum, one) => sum + one, 0)), 0);
  const step = stepOf(most);
  const ceiling = Math.max(step, Math.ceil(most / step) * step);
  const toHeight = (value: number) => (value / ceiling) * (height - bottom - top);
  const slot = (width - left) / Math.max(bars.length, 1);
  const lines = Array.from({ length: ceiling / step + 1 }, (_, index) => index * step);
  const labelled = Math.ceil(bars.length / 7);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        {legend.map((name, index) => (
          <span key={name}>
            <svg class="key" viewBox="0 0 12 12" aria-hidden="true">
              <rect class={`part-${index + 1}`} width="12" height="12" />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        <title id={id}>{about}</title>
        {lines.map((value) => (
          <g key={value}>
            <line class="grid" x1={left} x2={width} {...level(height - bottom - toHeight(value))} />
            <text x={left - 6} y={height - bottom - toHeight(value) + 4} text-anchor="end">
              {writeNumber(value)}
            </text>
          </g>
        ))}
        {bars.map(({ day, parts }, index) => (
          <g key={day}>
            {parts.map((part, which) => {
              const below = parts.slice(0, which).reduce((sum, one) => sum + one, 0);
              return (
                <rect
                  key={which}
                  class={`part-${which + 1}`}
                  x={left + index * slot + slot * 0.12}
                  y={height - bottom - toHeight(below + part)}
                  width={slot * 0.76}
                  height={toHeight(part)}
                />
              );
            })}
            {index % labelled === 0 ? (
              <text x={left + index * slot + slot * 0.12} y={height - 6}>
                {format.day(day)}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
    </figure>
  );
}

const level = (y: number) => ({ y1: y, y2: y });

/** The distance of the lines: 1, 2 or 5 times a power of ten, for at most five lines. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const step = [0.2, 0.5, 1, 2].find((one) => most / (one * power) <= 5) ?? 2;
  return Math.max(1, step * power);
}
