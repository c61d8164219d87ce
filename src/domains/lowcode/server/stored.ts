import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Registry } from '#kernel/server/registry.ts';
import { routeKeyOf } from '#kernel/contract/route.ts';
import { manifest, problem, type Manifest, type Problem } from '../contract/definition.ts';
import type { CheckFacts } from './check/facts.ts';

const problems = z.array(problem);
const texts = z.array(z.string());

/** What the database holds as documents. */
export const readManifest = (stored: unknown): Manifest => manifest.parse(stored);
export const readProblems = (stored: unknown): Problem[] => problems.parse(stored);
export const readTrail = (stored: unknown): string[] => texts.parse(stored);

/** Keys sorted: two texts of the same definition have one hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}

export const hashOf = (definition: unknown): string => createHash('sha256').update(canonical(definition)).digest('hex');

/** As a definition is written where nobody laid it out. */
export const textOf = (definition: unknown): string => JSON.stringify(definition, null, 2);

/** What runs now: datasets of all domains, and the pages that a link may lead to. */
export const factsOf = (registry: Registry): CheckFacts => ({
  datasets: registry.datasets,
  routes: new Set(registry.routes.filter(({ kind }) => kind !== 'layout' && kind !== 'public').map(({ path }) => routeKeyOf(path))),
  windows: registry.pageWindows,
});
