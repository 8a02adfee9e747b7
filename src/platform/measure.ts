/** Passes measured values to the metrics of a server. Without a listener they are dropped. */
export interface Measure<Labels extends Record<string, string>> {
  observe(labels: Labels, value: number): void;
  onObserved(listener: (labels: Labels, value: number) => void): void;
}

export function createMeasure<Labels extends Record<string, string>>(): Measure<Labels> {
  const listeners: ((labels: Labels, value: number) => void)[] = [];
  return {
    observe: (labels, value) => listeners.forEach((listener) => listener(labels, value)),
    onObserved: (listener) => void listeners.push(listener),
  };
}
