import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { levelOf } from '#kernel/server/status/figure.ts';
import { querySystemStatus, type StatusPart } from '../../contract/calls/status.ts';
import type { IdentityCore } from '../core.ts';

/** What `/metrics` tells Prometheus, against the limits of the alerts. */
export const statusHandler = ({ kernel }: IdentityCore): Handler =>
  query(querySystemStatus, async () => {
    const { at, parts, databaseUp } = await kernel.status.read();
    // The page says that what it shows is old, as it does when nobody answers.
    if (!databaseUp) throw refuse(platformErrors.UNAVAILABLE);
    return {
      at,
      parts: parts.map(({ title, link, figures, values }): StatusPart => {
        const byMetric = new Map(figures.map((figure) => [figure.metric, figure]));
        return {
          title,
          link: link ?? null,
          figures: figures.map(({ metric, label, unit, by, limit, absent }) => ({
            metric,
            label,
            unit,
            many: by !== undefined,
            absent: absent ?? '暂无数据',
            limit: limit ? { side: limit.side, amber: limit.amber ?? null, red: limit.red ?? null } : null,
          })),
          values: values.map(({ metric, of, value, note }) => ({
            metric,
            key: of?.key ?? null,
            label: of?.label ?? null,
            value,
            note: note ?? null,
            level: levelOf(byMetric.get(metric) ?? {}, value),
          })),
        };
      }),
    };
  });
