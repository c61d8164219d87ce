import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './testApp.ts';

// What watches the product from outside may name only what the product tells, and its thresholds are those of the page 系统状态.
const deploy = (name: string) => readFileSync(path.join(import.meta.dirname, '../../deploy', name), 'utf8');
const RULE =
  /- alert: (?<alert>\w+)\n +expr: (?<expr>.+)\n +for: (?<minutes>\d+)m\n +labels: \{ severity: (?<severity>\w+) \}\n +annotations: \{ summary: '(?<summary>.+)' \}\n/g;
const rules = [...deploy('alerts.yaml').matchAll(RULE)].map(({ groups }) => groups!);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('names only metrics that the product has, in rules and dashboard', async () => {
  const scraped = (await app.inject({ method: 'GET', url: '/metrics' })).body.toString();
  const known = new Set(
    [...scraped.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  );
  const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(deploy('grafana.json'));
  const expressions = [...rules.map(({ expr }) => expr!), ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  const named = expressions.flatMap((expr) => expr.match(/\b(?:kangqiao|process|nodejs)_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  // Whoever has Prometheus sees what the page shows.
  const figures = app.kernel.status
    .figures()
    .filter(({ limit }) => limit)
    .map(({ metric }) => metric);
  expect(figures.filter((metric) => !JSON.stringify(dashboard).includes(metric))).toEqual([]);
});

it('calls somebody exactly where the page turns amber or red', () => {
  expect(deploy('alerts.yaml').match(/- alert:/g)).toHaveLength(rules.length);
  const wanted = app.kernel.status.figures().flatMap(({ metric, by, limit }) => {
    if (!limit) return [];
    const bounds = [
      ['warning', limit.amber],
      ['critical', limit.red],
    ] as const;
    return bounds.flatMap(([severity, bound]) =>
      bound === undefined ? [] : [`${metric}${by ? ` by ${by}` : ''} ${limit.side} ${bound} ${limit.minutes}m ${severity}`],
    );
  });
  const found = rules.flatMap(({ expr = '', minutes, severity }) => {
    const parts = /^(?:max(?: by \((?<by>\w+)\) )?\()?(?<metric>kangqiao_\w+)\)? (?<side>[<>]) (?<bound>[\d.]+)$/.exec(expr)?.groups;
    if (!parts) return [];
    const { by, metric, side, bound } = parts;
    return [`${metric}${by ? ` by ${by}` : ''} ${side === '>' ? 'above' : 'below'} ${bound} ${minutes}m ${severity}`];
  });
  expect(found.toSorted()).toEqual(wanted.toSorted());
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  // One rule is about a node that does not answer at all.
  expect(rules).toHaveLength(wanted.length + 1);
});
