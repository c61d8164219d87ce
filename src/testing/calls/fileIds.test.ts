import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toJSONSchema } from 'zod/mini';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { allCases } from '../allCases.ts';
import type { CallCase } from '../cases.ts';
import { signedHeaders } from '../signing.ts';
import { startTestApp, type TestApp } from '../testApp.ts';

// Generated from the call table: a file's id means something only with its purpose and with who uses it. Every call that takes one is
// handed a file of another purpose, which somebody else put there.
let app: TestApp;
let foreign: string;
beforeAll(async () => {
  app = await startTestApp();
  const anchor = { purpose: 'ANCHOR', name: '别人的文件.json', body: Buffer.from('{}'), contentType: 'application/json', createdBy: null };
  foreign = await app.kernel.transactions.run(
    'test',
    async ({ tx }) => (await app.kernel.ports.files.store(tx, anchor, app.clock.now())).fileId,
  );
});
afterAll(() => app.close());

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
}
const NAMES_FILE = /(^f|F)ileIds?$|^attachmentIds$/;
const isList = (shape: Shape): boolean => shape.type === 'array' || (shape.anyOf ?? []).some(isList);
const partsOf = (shape: Shape): Shape[] => [shape, ...[shape.anyOf, shape.oneOf].flatMap((all) => all ?? []).flatMap(partsOf)];
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Inputs with one of their files changed for the foreign one, by the place where that is. */
function changed(shape: Shape, value: unknown, path = ''): { path: string; input: unknown }[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) =>
      partsOf(shape).flatMap(({ items }) =>
        items ? changed(items, one, `${path}[${index}]`).map((made) => ({ ...made, input: value.with(index, made.input) })) : [],
      ),
    );
  if (!isRecord(value)) return [];
  return partsOf(shape)
    .flatMap(({ properties }) => Object.entries(properties ?? {}))
    .flatMap(([key, inner]) => {
      // What a case leaves out is put in at the top alone: further down one kind of a thing excludes another.
      if (NAMES_FILE.test(key))
        return key in value || path === ''
          ? [{ path: `${path}.${key}`, input: { ...value, [key]: isList(inner) || Array.isArray(value[key]) ? [foreign] : foreign } }]
          : [];
      return changed(inner, value[key], `${path}.${key}`).map((made) => ({ ...made, input: { ...value, [key]: made.input } }));
    });
}

const shapeOf = ({ call }: CallCase): Shape =>
  JSON.parse(JSON.stringify(toJSONSchema(call.input, { unrepresentable: 'any', io: 'input' })));
const takesFiles = (shape: Shape): boolean =>
  partsOf(shape).some(
    ({ properties, items }) =>
      Object.entries(properties ?? {}).some(([key, inner]) => NAMES_FILE.test(key) || takesFiles(inner)) ||
      (items ? takesFiles(items) : false),
  );
/** Calls that leave the files of their input alone. */
const UNUSED: Readonly<Record<string, string>> = {
  'PolicyService/previewEndorsement': 'works out cover and premium of the form as it stands; files are taken with the endorsement itself',
};
const taking = allCases.filter((entry) => takesFiles(shapeOf(entry)) && !(entry.call.name in UNUSED));

describe('a call that takes files', () => {
  it('is known by the names of its fields', () => {
    expect(taking.length).toBeGreaterThan(60);
  });

  it.each(taking.map((entry) => [entry.call.name, entry] as const))('%s refuses a file of another kind', async (_name, entry) => {
    const as = entry.as === null ? null : await app.staff(entry.as ?? { permissions: permissionCodesOf(entry.call) });
    if (as) await entry.prepare?.(app, as);
    const own = await entry.headers?.(app);
    const inputs = changed(shapeOf(entry), await entry.valid(app, as));
    for (const [index, { path, input }] of inputs.entries()) {
      const headers = entry.call.access.kind === 'signed' ? await signedHeaders(app, entry.call, input) : own;
      const key = entry.call.kind === 'command' ? { idempotencyKey: `foreign-file-${index}-of-${entry.call.name}`.slice(0, 64) } : {};
      const { envelope } = await app.send(entry.call, input, { as, ...key, ...(headers && { headers }) });
      expect(['0000000', 'SCM99999'], `${path}: ${envelope.code} ${envelope.message}`).not.toContain(envelope.code);
    }
  });
});
