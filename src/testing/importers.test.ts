import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fieldFacts, shapeOf, unwrapped } from '../kernel/contract/field.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// Generated over every table that can be imported.
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const domains = path.join(import.meta.dirname, '../domains');

/** Key and label of every field of a schema, as deep as menus nest. */
function* labelled(schema: z.ZodMiniType, depth = 0): Generator<readonly [key: string, label: string]> {
  if (depth > 8) return;
  const inner = schema instanceof z.ZodMiniArray ? schema.def.element : unwrapped(schema);
  if (inner instanceof z.ZodMiniType) yield* labelled(inner, depth + 1);
  if (!(schema instanceof z.ZodMiniObject)) return;
  for (const [key, field] of Object.entries(shapeOf(schema))) {
    const facts = fieldFacts(field);
    if (facts) yield [key, facts.label];
    yield* labelled(field, depth + 1);
  }
}

/** Labels of a domain's fields by key, in every call of its own. */
function labelsOf(domain: string): ReadonlySet<string> {
  const handlers = app.kernel.registry.modules.find((module) => module.domain === domain)?.handlers ?? [];
  return new Set(
    handlers.flatMap(({ call }) => [...labelled(call.input), ...labelled(call.output)].map(([key, label]) => `${key} ${label}`)),
  );
}

/** A column that says key and label itself. */
const COLUMN = /\{\s*key: '(\w+)',\s*label: (?:'([^']+)'|(\w+\.\w+))/g;

it('takes the label of a column from the field of the call that it fills', () => {
  const repeated = globSync('*/server/**/*.ts', { cwd: domains }).flatMap((file) => {
    const text = readFileSync(path.join(domains, file), 'utf8');
    if (!text.includes('/kernel/server/importing/') || /\.(test|cases)\.ts$/.test(file)) return [];
    const labels = labelsOf(file.split(path.sep)[0]!);
    return [...text.matchAll(COLUMN)].flatMap(([, key = '', label, variable]) =>
      variable !== undefined || labels.has(`${key} ${label}`) ? [`${file} ${key} ${label ?? variable}`] : [],
    );
  });
  expect(repeated).toEqual([]);
});
