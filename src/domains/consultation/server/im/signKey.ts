import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Kernel } from '../../../../kernel/server/kernel.ts';

const NAME = 'consultation.imKey';
const keys = new WeakMap<Kernel, Promise<string>>();

async function load(kernel: Kernel): Promise<string> {
  const fresh = kernel.secrets.encrypt(randomBytes(32).toString('hex'));
  await sql`
    insert into kernel_setting (name, value, at) values (${NAME}, ${fresh}, ${kernel.clock.now()}) on conflict (name) do nothing`.execute(
    kernel.db,
  );
  const { rows } = await sql<{ value: string }>`select value from kernel_setting where name = ${NAME}`.execute(kernel.db);
  return kernel.secrets.decrypt(rows[0]!.value);
}

/** Key of the embedded service's user signs: made once, kept encrypted in the database, the same for every process. */
export function signKey(kernel: Kernel): Promise<string> {
  const known = keys.get(kernel) ?? load(kernel);
  keys.set(kernel, known);
  known.catch(() => keys.delete(kernel));
  return known;
}
