import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toJSONSchema } from 'zod/mini';
import type { Call } from '#kernel/contract/call.ts';
import { allCases } from '../allCases.ts';
import { startTestApp, type TestApp } from '../testApp.ts';
import { loggedOf, MEDICAL, SECRET_FIELD } from './facts.ts';

// Generated from the call table, so that no call can escape: a call without a case fails.
const cases = new Map(allCases.map((entry) => [entry.call.name, entry]));

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Fails unless each of the calls passes; names all that do not. */
async function each(calls: readonly Call[], check: (call: Call) => Promise<string | null>): Promise<void> {
  const faults: string[] = [];
  for (const call of calls) {
    const fault = await check(call).catch((error: unknown) => String(error));
    if (fault) faults.push(`${call.name}: ${fault}`);
  }
  expect(faults).toEqual([]);
}

interface Shape {
  type?: string;
  maxItems?: number;
  maxLength?: number;
  pattern?: string;
  enum?: unknown;
  const?: unknown;
  format?: string;
  items?: Shape;
  properties?: Record<string, Shape>;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  additionalProperties?: unknown;
}
/** Free values: their handlers or contracts weigh the whole. */
const WEIGHED = new Set([
  'SystemService/modifyUserPreference.value',
  'ImportService/addImportTask.params.*',
  'ImMedicalGroupService/saveView.filters.*',
]);

/** Places of an input that a caller could fill without end, as far as the body's limit goes. */
function unbounded(shape: Shape, path: string): string[] {
  const own =
    (shape.type === 'array' && shape.maxItems === undefined) ||
    (shape.type === 'string' &&
      shape.maxLength === undefined &&
      [shape.pattern, shape.enum, shape.format, shape.const].every((limit) => limit === undefined));
  const free = Object.keys(shape).every((key) => key === '$schema' || key === 'default');
  const values = shape.additionalProperties;
  return [
    ...(own || free ? [path] : []),
    ...(shape.items ? unbounded(shape.items, `${path}[]`) : []),
    ...Object.entries(shape.properties ?? {}).flatMap(([key, value]) => unbounded(value, `${path}.${key}`)),
    ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((all) => all ?? []).flatMap((one) => unbounded(one, path)),
    ...(typeof values === 'object' && values !== null ? unbounded(values, `${path}.*`) : []),
  ];
}

/** Names of secrets that open nothing by themselves: the session of another person is asked too. */
const HARMLESS = new Set(['mustChangePassword', 'leaseToken', 'confirmToken']);
const namesIn = (shape: Shape): string[] => [
  ...Object.entries(shape.properties ?? {}).flatMap(([key, value]) => [key, ...namesIn(value)]),
  ...(shape.items ? namesIn(shape.items) : []),
  ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((all) => all ?? []).flatMap(namesIn),
];

const needsSession = ({ access }: Call) => !['public', 'signed'].includes(access.kind);

describe('every call of the product', () => {
  it('has a case', () => {
    expect(app.kernel.registry.calls.filter(({ name }) => !cases.has(name)).map(({ name }) => name)).toEqual([]);
    const registered = new Set(app.kernel.registry.calls.map(({ name }) => name));
    expect([...cases.keys()].filter((name) => !registered.has(name))).toEqual([]);
  });

  it('bounds every list and every text that it takes', () => {
    const shapeOf = (call: Call): Shape => JSON.parse(JSON.stringify(toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })));
    expect(
      app.kernel.registry.calls
        .flatMap((call) => unbounded(shapeOf(call), '').map((path) => `${call.name}${path}`))
        .filter((path) => !WEIGHED.has(path)),
    ).toEqual([]);
  });

  it('leaves what a patient told or what he has out of the operation log', () => {
    const told = app.kernel.registry.calls
      .filter(({ logged }) => logged !== null && logged !== 'EXPORT')
      .flatMap((call) => {
        const shape: Shape = JSON.parse(JSON.stringify(toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })));
        return Object.keys(shape.properties ?? {})
          .filter((key) => MEDICAL.has(key) && !call.secrets?.includes(key))
          .map((key) => `${call.name}.${key}`);
      });
    expect(told).toEqual([]);
  });

  it('declares an answer secret that holds a secret, and demands no key where a repeat is an act of its own', () => {
    const { calls } = app.kernel.registry;
    const open = calls
      .filter(({ kind, secretOutput }) => kind === 'command' && !secretOutput)
      .flatMap((call) => {
        const shape: Shape = JSON.parse(JSON.stringify(toJSONSchema(call.output, { io: 'output', unrepresentable: 'any' })));
        return namesIn(shape)
          .filter((name) => SECRET_FIELD.test(name) && !HARMLESS.has(name))
          .map((name) => `${call.name}.${name}`);
      });
    expect(open).toEqual([]);
    expect(calls.filter(({ secretOutput, idempotency }) => secretOutput && idempotency === 'required').map(({ name }) => name)).toEqual([]);
    expect(
      calls.filter(({ logged, secretOutput }) => (logged === 'REVEAL' || logged === 'AUTH') && !secretOutput).map(({ name }) => name),
    ).toEqual([]);
  });

  it('is refused without a session', async () => {
    await each(app.kernel.registry.calls.filter(needsSession), async (call) => {
      const { envelope } = await app.send(call, {});
      return envelope.code === 'SCM90002' ? null : envelope.code;
    });
  });

  it('is refused without its permission', async () => {
    const nobody = await app.staff({ permissions: [] });
    await each(
      app.kernel.registry.calls.filter(({ access }) => access.kind === 'permission'),
      async (call) => {
        const { envelope } = await app.send(call, {}, { as: nobody });
        return envelope.code === 'SCM90010' ? null : envelope.code;
      },
    );
  });
});

it('leaves a row of a refused write, whatever its body holds', async () => {
  const nobody = await app.staff({ permissions: [] });
  const body = { 'key\0': ['a\0b', '\ud83d'], note: '😀'.repeat(3_000), deep: { text: '\udc00' } };
  const written = app.kernel.registry.calls.filter(
    (call) => call.logged !== null && needsSession(call) && call.access.kind !== 'participant',
  );
  expect(written.length).toBeGreaterThan(250);
  await each(written, async (call) => {
    const before = await loggedOf(app, call, nobody);
    const { envelope } = await app.send(call, body, { as: nobody });
    return envelope.code !== '0000000' && (await loggedOf(app, call, nobody)) === before + 1 ? null : envelope.code;
  });
});
