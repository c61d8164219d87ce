import { Gauge, type Registry } from 'prom-client';
import type { Status } from './figure.ts';

/** Registers the figures of the status. @returns what brings them up to date before a scrape; one without a value is absent from it */
export function exposeStatus(registry: Registry, status: Status): () => Promise<void> {
  const gauges = status
    .figures()
    .map(
      ({ metric, help, by }) => [metric, by, new Gauge({ name: metric, help, labelNames: by ? [by] : [], registers: [registry] })] as const,
    );
  return async () => {
    const { parts } = await status.read();
    const values = Map.groupBy(
      parts.flatMap((part) => part.values),
      ({ metric }) => metric,
    );
    for (const [metric, by, gauge] of gauges) {
      if (by) gauge.reset();
      else gauge.remove();
      for (const { value, of } of values.get(metric) ?? []) gauge.set(by && of ? { [by]: of.key } : {}, value);
    }
  };
}
