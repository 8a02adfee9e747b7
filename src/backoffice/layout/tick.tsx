import { useShown } from './shown.js';

interface TickProps {
  name: string;
  value: string;
  /** What the box chooses. */
  of: string;
  checked?: boolean;
}

/** The box of one row of a list of which a form changes what is ticked. */
export function Tick({ of, ...box }: TickProps) {
  const { say } = useShown();
  return <input type="checkbox" {...box} aria-label={say.knowledge.bulk.tick(of)} />;
}

/** The box that ticks all rows. A script shows it, as nothing else can do so. */
export function TickAll({ checked = false }: { checked?: boolean }) {
  const { say } = useShown();
  return (
    <label class="tick" hidden data-tick-all>
      <input type="checkbox" checked={checked} /> {say.knowledge.bulk.tickAll}
    </label>
  );
}
