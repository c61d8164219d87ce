import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesModule } from '#domains/files/server/module.ts';
import { identityModule } from '#domains/identity/server/module.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { DemoContext, ServerModuleFactory } from '../module.ts';
import { writeDemo } from './demonstration.ts';
import { StartStopped } from './steps.ts';

let app: TestApp;
let fails: boolean;

/** A demonstration that uses every handle that it is given, and reads what it wrote through all of them. */
async function writeProbe({ kernel, now, db, transaction }: DemoContext): Promise<void> {
  const note = (name: string) => sql`insert into kernel_setting (name, value, at) values (${`note.${name}`}, '1', ${now})`;
  await transaction(({ tx }) => note('joined').execute(tx));
  await kernel.transactions.run('probe', ({ tx }) => note('run').execute(tx));
  await note('direct').execute(kernel.db);
  const file = { purpose: 'CONTENT', name: 'a.pdf', body: Buffer.from('%PDF-1.4'), contentType: 'application/pdf', createdBy: null };
  await transaction(({ tx }) => kernel.ports.files.store(tx, file, now));
  const seen = (where: typeof db) => sql`select 1 from kernel_setting where name like 'note.%'`.execute(where);
  for (const where of [db, kernel.db, kernel.readDb]) expect((await seen(where)).rows).toHaveLength(3);
  if (fails) throw new Error('interrupted');
}

const probe: ServerModuleFactory = () => ({ domain: 'probe', permissions: [], routes: [], errors: {}, handlers: [], demo: writeProbe });

const settings = async (pattern: string) =>
  (await sql<{ name: string }>`select name from kernel_setting where name like ${pattern} order by name`.execute(app.db)).rows.map(
    ({ name }) => name,
  );
const stored = async () => {
  const keys: string[] = [];
  for await (const key of app.kernel.storage.keys()) keys.push(key);
  return keys;
};
const recorded = async () =>
  (
    await sql<{ key: string }>`select storage_key as key from files_file_object where bytes_removed_at is null order by 1`.execute(app.db)
  ).rows.map(({ key }) => key);

describe('demonstration data', () => {
  beforeEach(async () => {
    fails = true;
    app = await startTestApp({ modules: [(kernel) => identityModule(kernel, { tipSources: [] }), filesModule, probe], connections: 1 });
  });
  afterEach(() => app.close());

  it('of a part that was not finished is not there, nor are its files once the next start has written it', async () => {
    await expect(writeDemo(app.kernel)).rejects.toThrow('interrupted');
    expect(await settings('demo.%')).toEqual(['demo.files', 'demo.identity', 'demo.underWay']);
    expect(await settings('note.%')).toEqual([]);
    expect((await stored()).length - (await recorded()).length).toBe(1);
    fails = false;
    expect(await writeDemo(app.kernel)).toEqual(['probe']);
    expect(await settings('demo.%')).toEqual(['demo.files', 'demo.identity', 'demo.probe']);
    expect(await settings('note.%')).toEqual(['note.direct', 'note.joined', 'note.run']);
    expect((await stored()).toSorted()).toEqual(await recorded());
    expect(await writeDemo(app.kernel)).toEqual([]);
  });

  it('takes away no file that may be another’s', async () => {
    const foreign = 'CONTENT/2020/01/of-somebody-else';
    await app.kernel.storage.put(foreign, Buffer.from('a'), { contentType: 'text/plain' });
    await expect(writeDemo(app.kernel)).rejects.toThrow('interrupted');
    fails = false;
    await writeDemo(app.kernel);
    expect(await stored()).toContain(foreign);
  });

  it('is left between two parts when the operator asks for the end', async () => {
    const steps: string[] = [];
    const until = (last: string) =>
      writeDemo(app.kernel, ({ name, at, of }) => {
        steps.push(`${name} ${at}/${of}`);
        if (name === last) throw new StartStopped();
      });
    await expect(until('probe')).rejects.toThrow(StartStopped);
    fails = false;
    expect(await until('nobody')).toEqual(['probe']);
    expect(steps).toEqual(['identity 1/3', 'files 2/3', 'probe 3/3', 'probe 3/3']);
  });
});
