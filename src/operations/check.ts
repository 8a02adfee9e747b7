/** One finding. `warning` works, but not as well as it could; `remedy` is the line that mends it. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  remedy?: string;
}
